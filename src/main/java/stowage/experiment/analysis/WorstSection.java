package stowage.experiment.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.experiment.results.Result;
import stowage.experiment.run.RunFolder;
import stowage.importer.io.AtomicFiles;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanFile;
import stowage.packing.PackingProblem;
import stowage.report.FigureSize;
import stowage.report.compare.PlansHtml;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/** The instances on which each planner does worst. */
final class WorstSection {
  private static final int SHOWN = 3;

  private WorstSection() {}

  static Section of(Data data) {
    Table table =
        new Table()
            .texts("planner", "instance", "family")
            .figures("seed", "buffers", "peak", "bound", "gap (%)")
            .texts("bound is");
    for (String planner : data.planners()) {
      for (Result run : worst(data, planner).stream().limit(SHOWN).toList()) {
        table.cells(planner, run.instance(), run.family(), Cell.of(run.record().run().seed()));
        table.cells(Cell.of(run.buffers() == null ? 0 : run.buffers()), Cell.of(run.peak()));
        table.cells(Cell.of(run.facts().bestBound()), Cell.percent(Data.gapToBound(run)));
        table.cells(Cell.of(run.facts().optimum() != null ? "the optimum" : "a bound"));
      }
    }
    String note =
        "To see such a plan: stowage plan INSTANCE --planner PLANNER --seed SEED --out out";
    return new Section(
        "Worst instances",
        List.of(),
        List.of(
            new CaptionedTable(
                "worst",
                "The instances where each planner is worst",
                "By peak over the best known bound; where that is no proven optimum, part of the"
                    + " gap may be the bound's.",
                table)),
        note);
  }

  /** A planner's runs above the best known bound, the worst first. */
  static List<Result> worst(Data data, String planner) {
    return data.ofPlanner(planner).stream()
        .filter(run -> Data.gapToBound(run) > 0)
        .sorted(Comparator.comparing(Data::gapToBound).reversed())
        .toList();
  }

  /**
   * Writes {@code worst/*.html} into the report's folder: the plan of each planner's worst run,
   * above the best plan that any planner has for the same instance. Drawn from the plans that the
   * runs kept; nothing is planned again.
   *
   * @return what each page shows, by its path in the folder
   */
  static Map<String, String> write(Data data, RunFolder runs, Path folder) throws IOException {
    Map<String, String> pages = new LinkedHashMap<>();
    for (String planner : data.planners()) {
      for (Result run : worst(data, planner)) {
        if (!isKept(runs, run)) {
          continue;
        }
        String name =
            "worst/%d-%s.html".formatted(pages.size() + 1, planner.replaceAll("\\W+", "-"));
        Path page = folder.resolve(name);
        Files.createDirectories(page.getParent());
        AtomicFiles.writeString(page, page(data, runs, run));
        pages.put(name, planner + " on " + run.instance());
        break;
      }
    }
    return pages;
  }

  private static boolean isKept(RunFolder runs, Result run) {
    return Files.exists(runs.plan(run.record().run().id()));
  }

  /** The worst run's plan, then one of each other planner for the instance, the lowest first. */
  private static String page(Data data, RunFolder runs, Result worst) {
    List<Result> others = new ArrayList<>();
    data.planners().forEach(planner -> others.addAll(data.ofPlanner(planner)));
    others.removeIf(
        run ->
            !run.digest().equals(worst.digest())
                || run.planner().equals(worst.planner())
                || !isKept(runs, run));
    others.sort(Comparator.comparing(Result::peak));
    others.add(0, worst);
    Path file = runs.plan(worst.record().run().id());
    PackingProblem problem = PackingCsv.read(file, true).withName(worst.instance());
    Set<String> shown = new LinkedHashSet<>();
    List<PlansHtml.Entry> plans = new ArrayList<>();
    for (Result run : others) {
      if (shown.add(run.planner())) {
        PlanFile plan = PlanFile.read(runs.plan(run.record().run().id()));
        double seconds = run.seconds() == null ? Double.NaN : run.seconds();
        plans.add(new PlansHtml.Entry(run.planner(), plan.placement(problem), seconds));
      }
    }
    return PlansHtml.of(problem, worst.facts().bestBound(), plans, FigureSize.USUAL);
  }
}

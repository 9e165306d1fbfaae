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

/**
 * Pages of the plans of each planner's worst run, above the best plan that any planner has for the
 * same instance. Drawn from the plans that the runs kept; nothing is planned again.
 */
final class WorstPlans {
  private WorstPlans() {}

  /**
   * Writes {@code worst/*.html} into the report's folder.
   *
   * @return what each page shows, by its path in the folder
   */
  static Map<String, String> write(Data data, RunFolder runs, Path folder) throws IOException {
    Map<String, String> pages = new LinkedHashMap<>();
    for (String planner : data.planners()) {
      for (Result run : WorstSection.worst(data, planner)) {
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
    PackingProblem problem =
        PackingCsv.read(file, new PackingCsv.Options(true)).withName(worst.instance());
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

package stowage.experiment.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import stowage.experiment.results.Result;
import stowage.experiment.results.ResultStore;
import stowage.experiment.run.Machine;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.RunRecord;
import stowage.experiment.suite.Digests;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.report.page.PageFrame;
import stowage.report.svg.Markup;

/**
 * The report of an experiment, in a folder {@code report} next to its results:
 *
 * <pre>
 * report.html     everything on one page that needs nothing else
 * report.md       the same in Markdown, with links to the plots
 * worst/*.html    the plan of each planner's worst run, above the best one known
 * plots/*.svg     the plots
 * tables/*.tex    the tables for LaTeX
 * tables/*.csv    the tables to their full precision
 * </pre>
 */
public final class Report {
  private final String title;
  private final String provenance;
  private final ResultBars result;
  private final List<Section> sections = new ArrayList<>();

  private Report(List<Result> results, String command) {
    Data data = new Data(results);
    title = "Experiment " + results.get(0).record().run().suite();
    provenance = provenance(results, command);
    result = ResultBars.of(data);
    sections.add(OverviewSection.of(data));
    Section groups = GroupSection.of(data);
    if (groups != null) {
      sections.add(groups);
    }
    sections.add(GapSection.of(data));
    sections.add(ProfileSection.of(data));
    sections.add(PairwiseSection.of(data));
    sections.add(TimeSections.anytime(data));
    sections.add(TimeSections.cactus(data));
    sections.add(TimeSections.scaling(data));
    sections.add(WorstSection.of(data));
  }

  /** Writes the page of an experiment; gathers its results first where runs have ended since. */
  public static Path write(RunFolder runs) throws IOException {
    List<RunRecord> records = runs.records();
    ResultStore store = new ResultStore(runs.path());
    if (!Files.exists(store.database())
        || Files.getLastModifiedTime(store.database()).compareTo(runs.lastChange()) <= 0) {
      store.collect(records);
    }
    List<Result> results = Result.of(records);
    if (results.isEmpty()) {
      throw new InputException(
          runs.path(),
          "",
          "has no finished runs to report; run them with stowage experiment run SUITE --out DIR"
              + " --resume");
    }
    String command = Files.exists(runs.command()) ? Files.readString(runs.command()) : "unknown";
    Path folder = runs.path().resolve("report");
    Map<String, String> plans = WorstSection.write(new Data(results), runs, folder);
    return of(results, command).writeTo(folder, plans);
  }

  static Report of(List<Result> results, String command) {
    return new Report(results, command);
  }

  List<Section> sections() {
    return sections;
  }

  /** Writes all files and the pages of plans, by their path; gives the page's path. */
  Path writeTo(Path folder, Map<String, String> plans) throws IOException {
    Path plots = Files.createDirectories(folder.resolve("plots"));
    Path tables = Files.createDirectories(folder.resolve("tables"));
    StringBuilder html = new StringBuilder();
    StringBuilder markdown = new StringBuilder();
    begin(html, markdown);
    for (Section section : sections) {
      heading(section, html, markdown);
      for (Figure figure : section.figures()) {
        String svg = figure.svg(provenance);
        AtomicFiles.writeString(
            plots.resolve(figure.name() + ".svg"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg);
        // The page names the origin once, at its end.
        figure(figure, svg.replaceFirst("(?s)<desc[^>]*>.*?</desc\\s*>", ""), html, markdown);
      }
      for (CaptionedTable table : section.tables()) {
        AtomicFiles.writeString(tables.resolve(table.name() + ".tex"), table.latex(provenance));
        AtomicFiles.writeString(tables.resolve(table.name() + ".csv"), table.table().csv());
        table(table, html, markdown);
      }
    }
    links(plans, html, markdown);
    provenance.lines().forEach(line -> markdown.append("- ").append(line).append('\n'));
    AtomicFiles.writeString(folder.resolve("report.md"), markdown.toString());
    PageFrame frame =
        PageFrame.of(title)
            .sentence(result.sentence())
            .section("Result", PageFrame.picture(result::svg))
            .html(html.toString())
            .section(
                "Provenance",
                "<p>" + Markup.escape(provenance).replace("&#10;", "<br>\n") + "</p>");
    Path page = folder.resolve("report.html");
    AtomicFiles.writeString(page, frame.page());
    return page;
  }

  private void begin(StringBuilder html, StringBuilder markdown) {
    markdown.append("# ").append(title).append("\n\n").append(result.sentence()).append("\n\n");
    html.append("<nav><ul>\n");
    for (Section section : sections) {
      String link = "<li><a href=\"#%s\">%s</a></li>\n";
      add(html, link, anchor(section), Markup.escape(section.title()));
    }
    html.append("</ul></nav>\n");
  }

  private static void add(StringBuilder text, String form, Object... values) {
    text.append(form.formatted(values));
  }

  /** The pages of plans, at the end of the last section, which has the worst runs. */
  private static void links(Map<String, String> plans, StringBuilder html, StringBuilder markdown) {
    if (plans.isEmpty()) {
      return;
    }
    html.append("<p>The worst plan of each planner, above the best one known:</p>\n<ul>\n");
    plans.forEach(
        (page, shown) -> {
          add(html, "<li><a href=\"%s\">%s</a></li>\n", page, Markup.escape(shown));
          add(markdown, "- [%s](%s)\n", shown, page);
        });
    html.append("</ul>\n");
    markdown.append('\n');
  }

  private static String anchor(Section section) {
    return section.title().toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-");
  }

  private static void heading(Section section, StringBuilder html, StringBuilder markdown) {
    add(html, "<h2 id=\"%s\">%s</h2>\n", anchor(section), Markup.escape(section.title()));
    add(markdown, "\n## %s\n\n", section.title());
    if (!section.note().isEmpty()) {
      add(html, "<p>%s</p>\n", Markup.escape(section.note()));
      add(markdown, "%s\n\n", section.note());
    }
  }

  private static void figure(
      Figure figure, String svg, StringBuilder html, StringBuilder markdown) {
    String name = figure.name();
    String caption = caption(figure.title(), figure.caption());
    add(html, "<figure id=\"%s\">\n%s\n%s\n</figure>\n", name, svg, caption);
    add(markdown, "![%s](plots/%s.svg)\n\n", figure.title(), name);
    add(markdown, "**%s.** %s\n\n", figure.title(), figure.caption());
  }

  private static String caption(String title, String caption) {
    String form = "<figcaption><b>%s.</b> %s</figcaption>";
    return form.formatted(Markup.escape(title), Markup.escape(caption));
  }

  private static void table(CaptionedTable table, StringBuilder html, StringBuilder markdown) {
    String form = "<figure class=\"table\" id=\"table-%s\">\n%s\n%s\n</figure>\n";
    String caption = caption(table.title(), table.caption());
    add(html, form, table.name(), caption, PageFrame.table(table.table()));
    add(markdown, "**%s.** %s\n\n%s\n", table.title(), table.caption(), table.table().markdown());
  }

  /** Where a report's figures come from: suite, runs, instances and a hash of them all. */
  private static String provenance(List<Result> results, String command) {
    Set<String> digests = new TreeSet<>();
    results.forEach(run -> digests.add(run.digest()));
    return "Command: %s\nCommit: %s; %s\nMachine: %s\nData: suite %s, %s runs on %s instances, instances' hash %s"
        .formatted(
            command.strip(),
            distinct(results, ", ", run -> run.versions().get("commit")),
            distinct(results, "; ", Report::versions),
            distinct(results, "; ", run -> machine(run.machine())),
            distinct(results, ", ", run -> run.run().suite()),
            results.size(),
            digests.size(),
            Digests.of(String.join(" ", digests)));
  }

  private static String versions(RunRecord run) {
    return "stowage " + run.versions().get("stowage") + ", Java " + run.versions().get("java");
  }

  private static String machine(Machine machine) {
    return "%s (%s × %s, %s)"
        .formatted(machine.host(), machine.cores(), machine.processor(), machine.system());
  }

  private static String distinct(
      List<Result> results, String between, Function<RunRecord, String> figure) {
    return results.stream()
        .map(run -> String.valueOf(figure.apply(run.record())))
        .distinct()
        .collect(Collectors.joining(between));
  }
}

package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import stowage.FolderTest;
import stowage.experiment.analysis.Report;
import stowage.experiment.analysis.SyntheticExperiment;
import stowage.report.Browser;
import stowage.report.RunReport;
import stowage.report.SampleRuns;
import stowage.report.page.PageFrame;
import stowage.report.page.SpacePage;
import stowage.report.plan.PlanHtml;
import stowage.report.schedule.CutSvg;
import stowage.report.schedule.LoadsSvg;

/**
 * Every kind of page at 1440 and 400 pixels of width, dark and light: the page is not wider than
 * the window, no label of its pictures leaves the picture or covers another, text can be read on
 * its ground, and the console has no message.
 */
class PagesFitInBrowserTest {
  // The browser writes into it until its very end.
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path folder;

  @Test
  void everyPageFitsItsWindow() throws Exception {
    StringBuilder frames = new StringBuilder("<!DOCTYPE html><title>all</title>\n");
    Map<String, String> pages = pages();
    pages.putAll(pagesOfCommands());
    for (Map.Entry<String, String> page : pages.entrySet()) {
      String quoted = page.getValue().replace("&", "&amp;").replace("\"", "&quot;");
      for (int width : new int[] {1440, 400}) {
        frames.append(
            "<iframe title=\"%s\" width=\"%s\" height=\"900\" srcdoc=\"%s\"></iframe>\n"
                .formatted(page.getKey(), width, quoted));
      }
    }
    Path check = Path.of("src/test/resources/stowage/cli/pages-fit.js");
    frames.append("<script>\n%s</script>\n".formatted(Files.readString(check)));
    Matcher said = judged(frames.toString());
    // On a busy machine the browser's own time may be over before all frames are looked at.
    said = said.find(0) ? said : judged(frames.toString());
    assertTrue(said.find(0), "not judged");
    assertEquals("none", said.group(2));
    assertEquals(4 * pages.size(), Integer.parseInt(said.group(1)));
  }

  private Matcher judged(String page) throws Exception {
    String dom = Browser.opened(folder, page, 1500);
    return Pattern.compile("data-judged=\"(\\d+)\" data-faults=\"([^\"]*)\"")
        .matcher(dom.substring(0, dom.indexOf('>', dom.indexOf("<html"))));
  }

  /** What the commands write, as users get it. */
  private Map<String, String> pagesOfCommands() throws IOException {
    String model = "models/examples/keywords.tflite";
    String wide = "models/networks/swiftnet.json";
    write("plan", model, "--out", folder.resolve("plan"));
    write("plan", wide, "--capacity", "1MiB", "--time-limit", 1, "--out", folder.resolve("small"));
    write("compare", wide, "--planner", "tflm,vela", "--out", folder.resolve("compare"));
    write("plan", model, "--planner", "greedy-area", "--out", folder.resolve("other"));
    Path plan = folder.resolve("plan/plan.json");
    write("diff", plan, folder.resolve("other/plan.json"), "--out", folder.resolve("diff"));
    write("schedule", model, "--out", folder.resolve("schedule"));
    Path kernel = Path.of("models/kernels/attention-2x5.json");
    String[] limits = {"--minimize", "time", "--time-limit", "1"};
    write("kernel", kernel, limits, "--out", folder.resolve("kernel"));
    write("memories", model, "models/memories/ethosu55.json", "--out", folder.resolve("map"));
    String tiny = "models/networks/tiny.json";
    write("group", tiny, "--chip", "bm1684x", "--out", folder.resolve("group"));
    write("fit", model, "--curve", "--time-limit", 4, "--out", folder.resolve("fit"));
    Report.write(SyntheticExperiment.write(folder, 2, 7));
    Map<String, String> pages = new LinkedHashMap<>();
    for (Path file : FolderTest.files(folder, ".html")) {
      pages.put(folder.relativize(file).toString(), Files.readString(file));
    }
    assertTrue(pages.size() >= 11, "pages " + pages.keySet());
    return pages;
  }

  private static void write(Object... words) {
    List<String> limits = List.of("--deterministic", "--threads", "1", "--det-limit", "0.1");
    Stowage run = Stowage.run(words, words[0].equals("diff") ? List.of() : limits);
    assertTrue(run.code() == 0 || run.code() == 4, run.err());
  }

  private static Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("optimal", PlanHtml.of(RunReport.of(SampleRuns.threeOptimal())));
    pages.put("memories", PlanHtml.of(RunReport.of(SampleRuns.richPlan())));
    pages.put("infeasible", PlanHtml.of(RunReport.of(SampleRuns.infeasible())));
    pages.put("plans", SampleRuns.twoPlans());
    pages.put("spaces", spaces());
    pages.put("orders", orders());
    return pages;
  }

  private static String spaces() {
    List<SpacePage.Box> boxes = new ArrayList<>();
    for (int k = 0; k < 40; k++) {
      boxes.add(
          new SpacePage.Box(
              "buffer " + k, k % 3, 128 * (k % 2), 128, 50 * k, 50 * k + 120, k % 2, ""));
    }
    List<SpacePage.Space> caches =
        List.of(
            new SpacePage.Space("L1", 4096, 256),
            new SpacePage.Space("UB", 256, 256),
            new SpacePage.Space("L0C", 512, 256));
    List<SpacePage.Bar> bars =
        IntStream.range(0, 30)
            .mapToObj(k -> new SpacePage.Bar(70L * k, 70L * k + 60, 0, "op " + k))
            .toList();
    List<SpacePage.Lane> lanes =
        List.of(new SpacePage.Lane("CUBE", bars), new SpacePage.Lane("VECTOR", bars));
    List<String> kinds = List.of("buffer", "spilled");
    List<SpacePage.BarKind> ops = List.of(new SpacePage.BarKind("op", "#4c78a8"));
    return new SpacePage("units", "cycles", caches, kinds, boxes, ops, lanes)
        .addTo(PageFrame.of("Kernel").status("FEASIBLE").sentence("2,100 cycles, no spills"))
        .page();
  }

  private static String orders() {
    long[] loads = IntStream.range(0, 60).mapToLong(k -> 1_000_000L + 50_000L * (k % 17)).toArray();
    List<LoadsSvg.Row> rows =
        List.of(
            new LoadsSvg.Row("inductor-priority", loads), new LoadsSvg.Row("best found", loads));
    List<CutSvg.Band> bands =
        IntStream.range(0, 9)
            .mapToObj(
                k ->
                    new CutSvg.Band(
                        "feature/block_" + k + "/output",
                        20_000L * (k + 1),
                        "feature/block_" + k,
                        "feature/block_" + (k + 1) + " and 3 more",
                        k < 2,
                        k == 2))
            .toList();
    List<CutSvg.Place> places =
        List.of(CutSvg.Place.RUN, CutSvg.Place.RUN, CutSvg.Place.RUNNING, CutSvg.Place.OPEN);
    String name = "a network";
    String op = "feature/block_2";
    long bytes = 900_000;
    return PageFrame.of("Order of a network with a long name")
        .status("OPTIMAL")
        .sentence("no order needs less")
        .section("Loads", PageFrame.picture(width -> LoadsSvg.of(name, bytes, rows, width)))
        .section(
            "Cut",
            PageFrame.picture(
                width -> CutSvg.of(name, op, places, bands, 4096, bytes, bytes, width)))
        .page();
  }
}

package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.Stowage;
import stowage.importer.own.Chips;
import stowage.importer.own.NetworkJson;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.onchip.Grouping;
import stowage.onchip.RandomNets;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.search.GroupOptions;
import stowage.packing.Plan;
import stowage.report.group.GroupHtml;
import stowage.report.plan.PlanHtml;

/** Opens pages in a headless Chromium, where one is installed, and uses them. */
class PlanHtmlInBrowserTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path folder;

  /** A page, and what is held of its document once its scripts have run. */
  private record Case(String page, Consumer<String> check) {
    Case with(String attribute, String value) {
      return new Case(page, check.andThen(dom -> assertEquals(value, attribute(dom, attribute))));
    }
  }

  @TestFactory
  List<DynamicTest> everyPageDoesWhatItsUserAsks() throws Exception {
    Map<String, Case> cases = new LinkedHashMap<>();
    cases.put("tells what lies under the pointer, finds by id", underThePointer());
    cases.put("zooms, moves, changes memories without complaint", zoomsAndMoves());
    cases.put("pins, filters, shows chains, saves the view", pinsAndFilters());
    cases.put("two plans share their view, the table chooses them", twoPlans());
    cases.put("a page of groups opens one group after another", groupsOneAfterAnother());
    cases.put("hostile names stay names", hostileNames());
    cases.put("the still picture opens", stillPicture());
    cases.put("an op whose result has no bytes has no colour", withoutBytes());
    List<String> pages = cases.values().stream().map(Case::page).toList();
    Iterator<String> opened = Browser.opened(folder, pages, 1200).iterator();
    List<DynamicTest> tests = new ArrayList<>();
    cases.forEach(
        (name, one) -> {
          String document = opened.next();
          tests.add(DynamicTest.dynamicTest(name, () -> one.check().accept(document)));
        });
    return tests;
  }

  /** A page on which a function plays the user, and what it sees; * stands for any text. */
  private static Case played(String page, String function, String... seen) throws IOException {
    String play = Files.readString(Path.of("src/test/resources/stowage/report/pages.js"));
    String end = "document.documentElement.dataset.seen = " + function + "().join('|');";
    String script = "<script>(() => {" + play + end + "})();</script></body>";
    return new Case(
        page.replace("</body>", script),
        dom -> {
          String[] found = attribute(dom, "data-seen").split("\\|");
          for (int k = 0; k < seen.length; k++) {
            boolean start = seen[k].endsWith("*");
            String wanted = start ? seen[k].substring(0, seen[k].length() - 1) : seen[k];
            assertTrue(start ? found[k].startsWith(wanted) : found[k].equals(wanted), found[k]);
          }
        });
  }

  private static Case played(Plan plan, String function, String... seen) throws IOException {
    return played(PlanHtml.of(RunReport.of(plan)), function, seen);
  }

  private static String attribute(String dom, String name) {
    Matcher value = Pattern.compile(name + "=\"([^\"]*)\"").matcher(dom);
    assertTrue(value.find(), "no " + name + " in the document");
    return value.group(1);
  }

  private static Case underThePointer() throws IOException {
    return played(
            SampleRuns.threeOptimal(),
            "underThePointer",
            "a 8 bytes live [0, 5), 5 steps offset 0 to 8 part of the proof",
            "b 4 bytes*",
            "free*",
            "step 4 load 12 bytes*",
            "1 found",
            "1",
            "1 of 1")
        .with("data-ready", "3");
  }

  /** All memories are shown at once first. */
  private static Case zoomsAndMoves() throws IOException {
    return played(
            SampleRuns.richPlan(),
            "zoomsAndMoves",
            "quick 48 bytes*",
            "free borrowed from gapped*",
            "quick 48 bytes*")
        .with("data-ready", "5")
        .with("data-theme", "dark");
  }

  private static Case pinsAndFilters() throws IOException {
    String states = "false|a|Rests on,Holds up|true|true|false|true|false|image/svg+xml";
    return played(SampleRuns.threeOptimal(), "pinsAndFilters", states.split("\\|"));
  }

  private static Case twoPlans() throws IOException {
    String page = SampleRuns.twoPlans();
    return played(page, "twoPlans", "low,high", "100.0 %", "true", "true", "high,low")
        .with("data-ready", "2");
  }

  private static Case groupsOneAfterAnother() throws IOException {
    String seen = "7|Group *|true|open|false|activation,weight,scratch";
    return played(
        GroupHtml.of(GroupPicturesTest.report(groups())),
        "groupsOneAfterAnother",
        seen.split("\\|"));
  }

  private static Grouping groups() {
    LayerGraph graph =
        LayerGraph.of(
            NetworkJson.read(Path.of("models/networks/tiny.json")), Chips.load("bm1684x"));
    GroupOptions options =
        RandomNets.traffic(GroupOptions.Lmem.TODAY, GroupOptions.SlicingSearch.QUICK);
    return GroupPicturesTest.grouping(graph, options);
  }

  private static Case hostileNames() {
    return new Case(
            PlanHtml.of(RunReport.of(SampleRuns.nastyPlan())),
            dom -> assertTrue(dom.contains("&lt;script&gt;alert(1)"), "the table shows the id"))
        .with("data-ready", "3");
  }

  private Case withoutBytes() throws IOException {
    Path network =
        Graphs.of(ElementType.F32, "x:8; y:8 = Relu x; z:0 = Gather x; -> y z")
            .write(folder.resolve("none.json"));
    Stowage.run("plan", network, "--out", folder.resolve("none")).ends(0);
    return new Case(Files.readString(folder.resolve("none").resolve("plan.html")), dom -> {})
        .with("data-ready", "3");
  }

  private static Case stillPicture() {
    return new Case(
            PlanHtml.of(RunReport.of(SampleRuns.infeasible())),
            dom -> assertTrue(dom.contains("<svg")))
        .with("data-ready", "page");
  }
}

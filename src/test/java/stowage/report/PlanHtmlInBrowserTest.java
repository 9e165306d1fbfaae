package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.own.Chips;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.partition.TailPartitioner;
import stowage.onchip.search.GroupOptions;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.report.compare.PlansHtml;
import stowage.report.group.GroupHtml;
import stowage.report.group.GroupReport;
import stowage.report.plan.PlanHtml;

/** Opens pages in a headless Chromium, where one is installed, and uses them. */
class PlanHtmlInBrowserTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path folder;

  /** A page, and what is held of its document once its scripts have run. */
  private record Case(String page, Consumer<String> check) {}

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

  /** A page with a script at its end that plays the user and leaves what it saw in the document. */
  private static String played(Plan plan, String script) {
    String page = PlanHtml.of(RunReport.of(plan));
    return page.replace(
        "</body>", "<script>const seen = [];" + script + PLAYED_END + "</script></body>");
  }

  private static final String PLAYED_END =
      "document.documentElement.dataset.seen = seen.join('|');";

  private static final String POINT =
      """
      function point(px, py) {
        const map = document.getElementById('map');
        const box = map.getBoundingClientRect();
        map.dispatchEvent(new PointerEvent('pointermove',
            {clientX: box.left + px * box.width, clientY: box.top + py * box.height}));
        return [...document.getElementById('tip').childNodes].map((n) => n.textContent).join(' ');
      }
      """;

  private static String attribute(String dom, String name) {
    Matcher value = Pattern.compile(name + "=\"([^\"]*)\"").matcher(dom);
    assertTrue(value.find(), "no " + name + " in the document");
    return value.group(1);
  }

  private static Case underThePointer() {
    String page =
        played(
            SampleRuns.threeOptimal(),
            POINT
                + """
                seen.push(point(0.2, 0.6), point(0.5, 0.15), point(0.57, 0.6), point(0.5, 0.85));
                const search = document.getElementById('search');
                search.value = 'B';
                search.dispatchEvent(new Event('input'));
                seen.push(document.getElementById('found').textContent);
                seen.push(document.getElementById('rows').rows.length);
                search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
                seen.push(document.getElementById('found').textContent);
                """);
    return new Case(
        page,
        dom -> {
          assertEquals("3", attribute(dom, "data-ready"));
          String[] seen = attribute(dom, "data-seen").split("\\|");
          assertEquals("a 8 bytes live [0, 5), 5 steps offset 0 to 8 part of the proof", seen[0]);
          assertTrue(seen[1].startsWith("b 4 bytes"), seen[1]);
          assertTrue(seen[2].startsWith("free"), seen[2]);
          assertTrue(seen[3].startsWith("step 4 load 12 bytes"), seen[3]);
          assertEquals("1 found", seen[4]);
          assertEquals("1", seen[5]);
          assertEquals("1 of 1", seen[6]);
        });
  }

  private static Case zoomsAndMoves() {
    String page =
        played(
            SampleRuns.richPlan(),
            POINT
                + """
                const map = document.getElementById('map');
                for (const init of [{deltaY: -100}, {deltaY: -100, shiftKey: true}, {deltaY: 900}]) {
                  map.dispatchEvent(new WheelEvent('wheel',
                      {clientX: 400, clientY: 300, cancelable: true, ...init}));
                }
                for (const key of ['ArrowLeft', 'ArrowUp', '+', '-', '0']) {
                  map.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
                }
                map.dispatchEvent(new MouseEvent('dblclick'));
                seen.push(point(0.3, 0.6));
                const memory = document.getElementById('memory');
                for (const m of ['1', '0']) {
                  memory.value = m;
                  memory.dispatchEvent(new Event('change'));
                  seen.push(point(0.3, 0.6));
                }
                for (const colour of ['life', 'own', 'size']) {
                  const select = document.getElementById('colours');
                  select.value = colour;
                  select.dispatchEvent(new Event('change'));
                }
                document.getElementById('theme').click();
                document.getElementById('fit').click();
                document.querySelector('#proof button').click();
                document.querySelector('#table th button').click();
                document.querySelector('#rows tr').click();
                """);
    return new Case(
        page,
        dom -> {
          assertEquals("5", attribute(dom, "data-ready"));
          String[] seen = attribute(dom, "data-seen").split("\\|");
          assertTrue(seen[0].startsWith("quick 48 bytes"), "all memories at once: " + seen[0]);
          assertTrue(seen[1].startsWith("free borrowed from gapped"), seen[1]);
          assertTrue(seen[2].startsWith("quick 48 bytes"), seen[2]);
          assertEquals("dark", attribute(dom, "data-theme"));
        });
  }

  private static Case pinsAndFilters() {
    String page =
        played(
            SampleRuns.threeOptimal(),
            """
            const map = document.getElementById('map');
            const key = (k) => document.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
            document.querySelector('#rows tr').click();
            const panel = document.getElementById('panel');
            seen.push(panel.hidden, panel.querySelector('h2').textContent);
            seen.push([...panel.querySelectorAll('h3')].map((n) => n.textContent).join(','));
            key('c');
            seen.push(document.getElementById('chain').getAttribute('aria-pressed'));
            key('Escape');
            seen.push(panel.hidden, document.getElementById('chain').getAttribute('aria-pressed'));
            document.querySelector('#legend button').click();
            seen.push(document.querySelector('#legend button').getAttribute('aria-pressed'));
            key('?');
            seen.push(document.getElementById('keys').hidden);
            let saved = '';
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { saved = blob.type; return make.call(URL, blob); };
            HTMLAnchorElement.prototype.click = () => {};
            document.getElementById('svg').click();
            seen.push(saved);
            """);
    return new Case(
        page,
        dom -> {
          String[] seen = attribute(dom, "data-seen").split("\\|");
          assertEquals("false", seen[0]);
          assertEquals("a", seen[1]);
          assertEquals("Rests on,Holds up", seen[2]);
          assertEquals("true", seen[3]);
          assertEquals("true", seen[4]);
          assertEquals("false", seen[5]);
          assertEquals("true", seen[6]);
          assertEquals("false", seen[7]);
          assertEquals("image/svg+xml", seen[8]);
        });
  }

  private static Case twoPlans() {
    PackingProblem problem = SampleRuns.three();
    String page =
        PlansHtml.of(
                problem,
                12,
                List.of(
                    new PlansHtml.Entry("high", Placement.of(new long[] {0, 20, 0}), 0.5),
                    new PlansHtml.Entry("low", Placement.of(new long[] {0, 8, 0}), Double.NaN)),
                FigureSize.USUAL)
            .replace(
                "</body>",
                """
                <script>const seen = [];
                const rows = () => [...document.getElementById('rows').rows];
                seen.push(rows().map((r) => r.cells[1].textContent).join(','), rows()[1].cells[3].textContent);
                seen.push(rows()[0].querySelectorAll('button')[1].getAttribute('aria-pressed'));
                rows()[0].querySelectorAll('button')[0].click();
                seen.push(rows()[0].querySelectorAll('button')[0].getAttribute('aria-pressed'));
                document.querySelectorAll('thead button')[0].click();
                seen.push(rows().map((r) => r.cells[1].textContent).join(','));
                """
                    + PLAYED_END
                    + "</script></body>");
    return new Case(
        page,
        dom -> {
          assertEquals("2", attribute(dom, "data-ready"));
          String[] seen = attribute(dom, "data-seen").split("\\|");
          assertEquals("low,high", seen[0]);
          assertEquals("100.0 %", seen[1]);
          assertEquals("true", seen[2]);
          assertEquals("true", seen[3]);
          assertEquals("high,low", seen[4]);
        });
  }

  private static Case groupsOneAfterAnother() {
    String page =
        GroupHtml.of(groups())
            .replace(
                "</body>",
                """
                <script>const seen = [];
                const rows = () => [...document.getElementById('grouprows').rows];
                const lanes = () => [...document.getElementById('timerows').rows];
                seen.push(document.getElementById('figures').tBodies[0].rows.length);
                const grouped = rows().filter((r) => r.cells[3].textContent !== 'alone');
                grouped[grouped.length - 1].click();
                seen.push(document.getElementById('title').textContent);
                seen.push(lanes().length, grouped[grouped.length - 1].cells[4].textContent);
                lanes()[1].dispatchEvent(new PointerEvent('pointerenter'));
                seen.push(lanes()[1].className);
                const search = document.getElementById('search');
                search.value = document.getElementById('rows').rows[0].cells[0].textContent;
                search.dispatchEvent(new Event('input'));
                search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
                seen.push(document.getElementById('panel').hidden);
                document.getElementById('theme').click();
                seen.push([...document.getElementById('legend').children].map((n) => n.textContent).join(','));
                """
                    + PLAYED_END
                    + "</script></body>");
    return new Case(
        page,
        dom -> {
          String[] seen = attribute(dom, "data-seen").split("\\|");
          assertEquals("7", seen[0]);
          assertTrue(seen[1].startsWith("Group "), seen[1]);
          assertEquals(seen[3], seen[2]);
          assertEquals("open", seen[4]);
          assertEquals("false", seen[5]);
          assertEquals("activation,weight,scratch", seen[6]);
        });
  }

  private static GroupReport groups() {
    Input read = InputFormats.read(Path.of("models/networks/tiny.json"));
    LayerGraph graph = LayerGraph.of(((Input.Graph) read).network(), Chips.load("bm1684x"));
    GroupOptions options =
        new GroupOptions(
            GroupOptions.Lmem.TODAY,
            GroupOptions.SlicingSearch.QUICK,
            GroupOptions.GroupObjective.TRAFFIC,
            false);
    Grouping grouping =
        new GroupPlanner(graph, options, new CpSatLmem(), RunControl.ofSeconds(30, 1, 1))
            .plan(new TailPartitioner());
    return new GroupReport(
        grouping, null, "today", new GroupReport.Gmem(1, 1, "OPTIMAL"), null, 0.5);
  }

  private static Case hostileNames() {
    Plan plan = SampleRuns.plan(SampleRuns.nasty(), Placement.of(new long[] {0, 8, 0}));
    return new Case(
        PlanHtml.of(RunReport.of(plan)),
        dom -> {
          assertEquals("3", attribute(dom, "data-ready"));
          assertTrue(dom.contains("&lt;script&gt;alert(1)"), "the table shows the id");
        });
  }

  private static Case stillPicture() {
    return new Case(
        PlanHtml.of(RunReport.of(SampleRuns.infeasible())),
        dom -> {
          assertEquals("page", attribute(dom, "data-ready"));
          assertTrue(dom.contains("<svg"));
        });
  }
}

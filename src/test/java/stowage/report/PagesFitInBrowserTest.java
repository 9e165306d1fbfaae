package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.report.compare.PlansHtml;
import stowage.report.page.PageFrame;
import stowage.report.page.SpacePage;
import stowage.report.plan.PlanHtml;
import stowage.report.schedule.CutSvg;
import stowage.report.schedule.LoadsSvg;

/**
 * Every kind of page at 1440 and 400 pixels of width: the page is not wider than the window, no
 * label of its pictures leaves the picture or covers another, and the console has no message.
 */
class PagesFitInBrowserTest {
  /** Leaves what does not fit in the document: the page's width, and labels of visible pictures. */
  private static final String CHECK =
      """
      <script>
      (async () => {
        const faults = [], root = document.documentElement;
        if (root.scrollWidth > window.innerWidth) faults.push('page ' + root.scrollWidth + ' of ' + window.innerWidth);
        const pictures = [...document.querySelectorAll('.picture svg')].filter((svg) => svg.getBoundingClientRect().width > 0);
        const save = document.getElementById('svg');
        if (save) {
          let blob = null;
          URL.createObjectURL = (made) => { blob = made; return '#'; };
          HTMLAnchorElement.prototype.click = () => {};
          save.click();
          const drawn = document.createElement('div');
          drawn.innerHTML = await blob.text();
          document.body.append(drawn);
          pictures.push(drawn.firstElementChild);
        }
        for (const svg of pictures) {
          const frame = svg.getBoundingClientRect();
          const boxes = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() !== '')
              .map((text) => ({name: text.textContent, box: text.getBoundingClientRect()}));
          for (const {name, box} of boxes) {
            if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) faults.push('outside: ' + name);
          }
          boxes.forEach((one, k) => boxes.slice(k + 1).forEach((other) => {
            const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
            const tall = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
            if (wide > 2 && tall > 4) faults.push('overlap: ' + one.name + ' / ' + other.name);
          }));
        }
        root.dataset.faults = faults.slice(0, 5).join('; ') || 'none';
      })();
      </script></body>
      """;

  @TempDir(cleanup = CleanupMode.NEVER)
  private Path folder;

  @Test
  void everyPageFitsItsWindow() throws Exception {
    for (Map.Entry<String, String> page : pages().entrySet()) {
      for (int width : new int[] {1440, 400}) {
        Path own = folder.resolve(page.getKey() + width);
        assertTrue(own.toFile().mkdirs());
        String dom = Browser.opened(own, page.getValue().replace("</body>", CHECK), width);
        Matcher faults = Pattern.compile("data-faults=\"([^\"]*)\"").matcher(dom);
        assertTrue(faults.find(), page.getKey() + " at " + width + ": not judged");
        assertEquals("none", faults.group(1), page.getKey() + " at " + width);
      }
    }
  }

  private static Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("optimal", PlanHtml.of(RunReport.of(SampleRuns.threeOptimal())));
    pages.put("memories", PlanHtml.of(RunReport.of(SampleRuns.richPlan())));
    PackingProblem three = SampleRuns.three();
    pages.put("infeasible", PlanHtml.of(RunReport.of(SampleRuns.infeasible())));
    List<PlansHtml.Entry> plans =
        List.of(
            new PlansHtml.Entry("high", Placement.of(new long[] {0, 20, 0}), 0.5),
            new PlansHtml.Entry("low", Placement.of(new long[] {0, 8, 0}), Double.NaN));
    pages.put("plans", PlansHtml.of(three, 12, plans, FigureSize.USUAL));
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
    return new SpacePage(
            "units",
            "cycles",
            caches,
            List.of("buffer", "spilled"),
            boxes,
            List.of(new SpacePage.BarKind("op", "#4c78a8")),
            lanes)
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
    return PageFrame.of("Order of a network with a long name")
        .status("OPTIMAL")
        .sentence("no order needs less")
        .section(
            "Loads", PageFrame.picture(width -> LoadsSvg.of("a network", 900_000, rows, width)))
        .section(
            "Cut",
            PageFrame.picture(
                width ->
                    CutSvg.of(
                        "a network",
                        "feature/block_2",
                        places,
                        bands,
                        4096,
                        900_000,
                        900_000,
                        width)))
        .page();
  }
}

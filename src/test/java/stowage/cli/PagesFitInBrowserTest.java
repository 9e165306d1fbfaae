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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import stowage.experiment.analysis.Report;
import stowage.experiment.analysis.SyntheticExperiment;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.report.Browser;
import stowage.report.FigureSize;
import stowage.report.RunReport;
import stowage.report.SampleRuns;
import stowage.report.compare.PlansHtml;
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
  /** Opens every page in frames of both widths, in both themes, and leaves what does not fit. */
  private static final String CHECK =
      """
      <script>
      const light = (colour) => {
        const [r, g, b, alpha] = colour.match(/[\\d.]+/g).map(Number);
        const part = (v) => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
        return {value: 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b), alpha: alpha === undefined ? 1 : alpha};
      };
      function groundOf(win, node) {
        for (let at = node; at; at = at.parentElement) {
          const ground = light(win.getComputedStyle(at).backgroundColor);
          if (ground.alpha > 0.5) return ground.value;
        }
        return 1;
      }
      async function judge(win) {
        const faults = [], doc = win.document, root = doc.documentElement;
        const shown = (node) => { const box = node.getBoundingClientRect(); return box.width > 0 && box.height > 0; };
        if (!root.dataset.ready) faults.push('its scripts did not end');
        if (root.scrollWidth > win.innerWidth) faults.push('page ' + root.scrollWidth + ' of ' + win.innerWidth);
        for (const node of doc.querySelectorAll('body *')) {
          const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== '');
          if (!own || !shown(node) || node.closest('svg')) continue;
          const ink = light(win.getComputedStyle(node).color).value, ground = groundOf(win, node);
          const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
          if (contrast < 4.5) faults.push('contrast ' + contrast.toFixed(1) + ': ' + node.textContent.slice(0, 30));
        }
        const pictures = [...doc.querySelectorAll('svg')].filter(shown);
        const save = doc.getElementById('svg');
        if (save) {
          let blob = null;
          win.URL.createObjectURL = (made) => { blob = made; return '#'; };
          win.HTMLAnchorElement.prototype.click = () => {};
          save.click();
          const drawn = doc.createElement('div');
          drawn.innerHTML = await blob.text();
          doc.body.append(drawn);
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
        return faults.slice(0, 5).join('; ');
      }
      addEventListener('load', () => setTimeout(async () => {
        let judged = 0;
        const found = [];
        for (const frame of document.querySelectorAll('iframe')) {
          for (const theme of ['light', 'dark']) {
            frame.contentDocument.documentElement.dataset.theme = theme;
            const faults = await judge(frame.contentWindow);
            if (faults) found.push([frame.title, frame.width, theme, faults].join(' '));
            judged++;
          }
        }
        document.documentElement.dataset.judged = judged;
        document.documentElement.dataset.faults = found.join(' | ') || 'none';
      }, 300));
      </script>
      """;

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
    Matcher said = judged(frames + CHECK);
    // On a busy machine the browser's own time may be over before all frames are looked at.
    said = said.find(0) ? said : judged(frames + CHECK);
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
    write(
        "kernel",
        kernel,
        "--minimize",
        "time",
        "--time-limit",
        1,
        "--out",
        folder.resolve("kernel"));
    write("memories", model, "models/memories/ethosu55.json", "--out", folder.resolve("map"));
    write(
        "group",
        "models/networks/tiny.json",
        "--chip",
        "bm1684x",
        "--out",
        folder.resolve("group"));
    write("fit", model, "--curve", "--time-limit", 4, "--out", folder.resolve("fit"));
    Report.write(SyntheticExperiment.write(folder, 2, 7));
    Map<String, String> pages = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".html")).sorted().toList()) {
        pages.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    assertTrue(pages.size() >= 11, "pages " + pages.keySet());
    return pages;
  }

  private static void write(Object... words) {
    List<Object> all = new ArrayList<>(List.of(words));
    if (!words[0].equals("diff")) {
      all.addAll(List.of("--deterministic", "--threads", "1", "--det-limit", "0.5"));
    }
    Stowage run = Stowage.run(all.toArray());
    assertTrue(run.code() == 0 || run.code() == 4, run.err());
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

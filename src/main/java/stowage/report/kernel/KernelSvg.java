package stowage.report.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.residency.kernel.KernelFigures;
import stowage.residency.kernel.KernelPlan;

/**
 * A kernel's plan over time: one row a pipe, with a bar for each op and each spill, and below one
 * picture a cache, addresses upwards, with a rectangle for each time that a buffer is in it. Bars
 * closer than a third of a point are drawn as one.
 */
public final class KernelSvg {
  private static final double LEFT = 74;
  private static final double ROOM = 1180;
  private static final double ROW = 24;
  private static final double CACHE = 150;
  private static final double CLOSE = 0.34;
  private static final String INK = "#222222";
  private static final String SOFT = "#5a646d";
  private static final String BAR = "#4c78a8";
  private static final String SPILL = "#d1495b";
  private static final String[] FILLS = {
    "#7aa6c2", "#e3b872", "#8fbf8f", "#c3a3cf", "#d99a9a", "#9fb4a5", "#b5b0d8", "#cdb99c"
  };

  private final KernelGraph graph;
  private final KernelPlan plan;
  private final long[] starts;
  private final long[] ends;
  private final double scale;
  private final SvgWriter svg;

  private KernelSvg(
      KernelGraph graph,
      Map<String, Long> capacities,
      KernelPlan plan,
      KernelFigures figures,
      long[] starts,
      long[] ends,
      String title) {
    this.graph = graph;
    this.plan = plan;
    this.starts = starts;
    this.ends = ends;
    scale = ROOM / Math.max(1, figures.cycles());
    Map<String, List<long[]>> pipes = pipes();
    Map<String, Long> caches = new LinkedHashMap<>();
    graph.buffers().forEach(b -> caches.put(b.cache(), capacities.get(b.cache())));
    double height = 66 + ROW * pipes.size() + 26 + caches.size() * (CACHE + 26);
    svg = new SvgWriter(LEFT + ROOM + 26, height, title);
    svg.text(LEFT, 22, "start", title, Style.bold(15, INK));
    svg.text(
        LEFT,
        42,
        "start",
        String.format(
            Locale.ROOT,
            "%,d cycles, %,d spills that move %,d units (red), peak of all buffers %,d",
            figures.cycles(),
            figures.spills(),
            figures.traffic(),
            figures.residency()),
        Style.text(12, SOFT));
    double y = 58;
    for (Map.Entry<String, List<long[]>> pipe : pipes.entrySet()) {
      row(pipe.getKey(), pipe.getValue(), y, figures.cycles());
      y += ROW;
    }
    axis(y + 2, figures.cycles());
    y += 30;
    for (Map.Entry<String, Long> cache : caches.entrySet()) {
      cache(cache.getKey(), Math.max(1, cache.getValue()), y);
      y += CACHE + 26;
    }
  }

  /**
   * The picture.
   *
   * @param starts when each node begins, spills included
   * @param ends when each node ends
   */
  public static String of(
      KernelGraph graph,
      Map<String, Long> capacities,
      KernelPlan plan,
      KernelFigures figures,
      long[] starts,
      long[] ends,
      String title) {
    return new KernelSvg(graph, capacities, plan, figures, starts, ends, title).svg.finish();
  }

  private Map<String, List<long[]>> pipes() {
    Map<String, List<long[]>> pipes = new LinkedHashMap<>();
    for (String known : List.of("MTE2", "MTE1", "CUBE", "FIXP", "VECTOR", "MTE3")) {
      pipes.put(known, new ArrayList<>());
    }
    int count = graph.nodes().size();
    for (int v : plan.schedule()) {
      String pipe =
          v >= count ? (v - count) % 2 == 0 ? "MTE3" : "MTE2" : graph.nodes().get(v).pipe();
      if (pipe != null && ends[v] > starts[v]) {
        pipes
            .computeIfAbsent(pipe, key -> new ArrayList<>())
            .add(new long[] {starts[v], ends[v], v});
      }
    }
    pipes.values().removeIf(List::isEmpty);
    return pipes;
  }

  private void row(String name, List<long[]> bars, double y, long cycles) {
    long busy = bars.stream().mapToLong(bar -> bar[1] - bar[0]).sum();
    svg.text(LEFT - 8, y + 15, "end", name, Style.text(12, INK));
    svg.rect(LEFT, y + 3, ROOM, ROW - 6, Style.filled("#f1f3f4"));
    int count = graph.nodes().size();
    for (int k = 0; k < bars.size(); ) {
      boolean spill = bars.get(k)[2] >= count;
      int last = k;
      while (last + 1 < bars.size()
          && bars.get(last + 1)[2] >= count == spill
          && (bars.get(last + 1)[1] - bars.get(k)[0]) * scale < 1
          && (bars.get(last + 1)[0] - bars.get(last)[1]) * scale < CLOSE) {
        last++;
      }
      double x = LEFT + bars.get(k)[0] * scale;
      svg.rect(
          x,
          y + 3,
          Math.max(0.25, (bars.get(last)[1] - bars.get(k)[0]) * scale),
          ROW - 6,
          Style.filled(spill ? SPILL : BAR),
          label((int) bars.get(k)[2], last - k, bars.get(k)[0], bars.get(last)[1]));
      k = last + 1;
    }
    svg.text(
        LEFT + ROOM + 4,
        y + 15,
        "start",
        Math.round(100.0 * busy / Math.max(1, cycles)) + "%",
        Style.text(9, SOFT));
  }

  private String label(int v, int more, long from, long to) {
    int count = graph.nodes().size();
    String name;
    if (v >= count) {
      KernelBuffer buffer = graph.buffers().get(plan.spilled()[(v - count) / 2]);
      name = ((v - count) % 2 == 0 ? "spill out of " : "spill in of ") + buffer.id();
    } else {
      KernelNode node = graph.nodes().get(v);
      name = v + " " + node.op();
    }
    return name + (more > 0 ? " and " + more + " more" : "") + ", " + from + " to " + to;
  }

  private void axis(double y, long cycles) {
    double step = Math.pow(10, Math.floor(Math.log10(Math.max(1, cycles))));
    step = cycles / step < 3 ? step / 4 : step;
    for (double at = 0; at <= cycles; at += Math.max(1, step)) {
      double x = LEFT + at * scale;
      svg.segment(x, y, x, y + 4, Style.stroked(SOFT, 0.6));
      svg.text(
          x, y + 15, "middle", String.format(Locale.ROOT, "%,d", (long) at), Style.text(9, SOFT));
    }
  }

  private void cache(String name, long capacity, double y) {
    svg.text(LEFT - 8, y + 12, "end", name, Style.text(12, INK));
    svg.text(LEFT - 8, y + 26, "end", Long.toString(capacity), Style.text(9, SOFT));
    svg.text(LEFT - 8, y + CACHE, "end", "0", Style.text(9, SOFT));
    svg.rect(LEFT, y, ROOM, CACHE, Style.filled("#f8f9fa").stroke("#c5ccd3", 0.6));
    int count = graph.nodes().size();
    int[] open = new int[graph.buffers().size()];
    long[] offset = plan.offsets().clone();
    for (int v : plan.schedule()) {
      if (v >= count) {
        int k = (v - count) / 2;
        int b = plan.spilled()[k];
        if ((v - count) % 2 == 0) {
          residency(b, name, capacity, y, open[b], v, offset[b], true);
        } else {
          open[b] = v;
          offset[b] = plan.spillOffsets()[k];
        }
      } else if (graph.nodes().get(v).kind() == KernelNode.Kind.ALLOC) {
        open[graph.nodes().get(v).buffer()] = v;
      } else if (graph.nodes().get(v).kind() == KernelNode.Kind.FREE) {
        int b = graph.nodes().get(v).buffer();
        residency(b, name, capacity, y, open[b], v, offset[b], false);
      }
    }
  }

  private void residency(
      int b, String name, long capacity, double y, int from, int to, long at, boolean spilled) {
    KernelBuffer buffer = graph.buffers().get(b);
    if (!buffer.cache().equals(name)) {
      return;
    }
    double high = CACHE * buffer.size() / capacity;
    double left = LEFT + starts[from] * scale;
    double right = LEFT + ends[to] * scale;
    svg.rect(
        left,
        y + CACHE - CACHE * at / capacity - high,
        Math.max(0.2, right - left),
        high,
        Style.filled(FILLS[b % FILLS.length])
            .stroke(spilled ? SPILL : "#ffffff", spilled ? 0.7 : 0.25),
        "buffer "
            + buffer.id()
            + ", "
            + buffer.size()
            + " units at "
            + at
            + ", "
            + starts[from]
            + " to "
            + ends[to]
            + (spilled ? ", then spilled" : ""));
  }
}

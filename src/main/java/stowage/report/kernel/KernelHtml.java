package stowage.report.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.kernel.model.KernelPlan;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;
import stowage.report.page.SpacePage;

/** Page of a kernel's plan over time: what is in each cache, and ops and spills of each pipe. */
public record KernelHtml(
    KernelGraph graph,
    KernelPlan plan,
    long[] starts,
    long[] ends,
    List<String> caches,
    List<SpacePage.Box> boxes) {
  private static final List<SpacePage.BarKind> BARS =
      List.of(new SpacePage.BarKind("op", "#4c78a8"), new SpacePage.BarKind("spill", "#d1495b"));

  /** The caches, of some capacities in units, and the pipes over the cycles of each node. */
  public static SpacePage of(
      KernelGraph graph,
      Map<String, Long> capacities,
      KernelPlan plan,
      long[] starts,
      long[] ends) {
    List<String> caches = graph.buffers().stream().map(KernelBuffer::cache).distinct().toList();
    KernelHtml page = new KernelHtml(graph, plan, starts, ends, caches, new ArrayList<>());
    page.addBoxes();
    long[] peaks = new long[page.caches.size()];
    for (SpacePage.Box box : page.boxes) {
      peaks[box.space()] = Math.max(peaks[box.space()], box.offset() + box.size());
    }
    List<SpacePage.Space> spaces = new ArrayList<>();
    for (int c = 0; c < peaks.length; c++) {
      String name = page.caches.get(c);
      spaces.add(new SpacePage.Space(name, capacities.get(name), peaks[c]));
    }
    List<String> kinds = List.of("buffer", "until it is spilled");
    return new SpacePage("units", "cycles", spaces, kinds, page.boxes, BARS, page.pipes());
  }

  private List<SpacePage.Lane> pipes() {
    Map<String, List<SpacePage.Bar>> pipes = new LinkedHashMap<>();
    for (String known : List.of("MTE2", "MTE1", "CUBE", "FIXP", "VECTOR", "MTE3")) {
      pipes.put(known, new ArrayList<>());
    }
    int count = graph.nodes().size();
    for (int v : plan.schedule()) {
      boolean spill = v >= count;
      boolean out = (v - count) % 2 == 0;
      String pipe = !spill ? graph.nodes().get(v).pipe() : out ? "MTE3" : "MTE2";
      if (pipe != null && ends[v] > starts[v]) {
        String label =
            !spill
                ? v + " " + graph.nodes().get(v).op()
                : (out ? "spill out of buffer " : "spill in of buffer ")
                    + graph.buffers().get(plan.spilled()[(v - count) / 2]).id();
        List<SpacePage.Bar> bars = pipes.computeIfAbsent(pipe, key -> new ArrayList<>());
        bars.add(new SpacePage.Bar(starts[v], ends[v], spill ? 1 : 0, label));
      }
    }
    return pipes.entrySet().stream()
        .filter(pipe -> !pipe.getValue().isEmpty())
        .map(pipe -> new SpacePage.Lane(pipe.getKey(), pipe.getValue()))
        .toList();
  }

  private void addBoxes() {
    int count = graph.nodes().size();
    int[] open = new int[graph.buffers().size()];
    long[] offset = plan.offsets().clone();
    for (int v : plan.schedule()) {
      if (v >= count) {
        int k = (v - count) / 2;
        int b = plan.spilled()[k];
        if ((v - count) % 2 == 0) {
          addBox(b, open[b], v, offset[b], 1);
        } else {
          open[b] = v;
          offset[b] = plan.spillOffsets()[k];
        }
      } else if (graph.nodes().get(v).kind() == KernelNode.Kind.ALLOC) {
        open[graph.nodes().get(v).buffer()] = v;
      } else if (graph.nodes().get(v).kind() == KernelNode.Kind.FREE) {
        int b = graph.nodes().get(v).buffer();
        addBox(b, open[b], v, offset[b], 0);
      }
    }
  }

  private void addBox(int b, int from, int to, long offset, int kind) {
    KernelBuffer buffer = graph.buffers().get(b);
    String name = "buffer " + buffer.id();
    int cache = caches.indexOf(buffer.cache());
    long size = buffer.size();
    boxes.add(
        new SpacePage.Box(name, cache, offset, size, starts[from], ends[to], kind, buffer.cache()));
  }
}

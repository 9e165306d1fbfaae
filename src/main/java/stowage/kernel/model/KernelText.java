package stowage.kernel.model;

import stowage.network.kernel.KernelGraph;

/** The text files of a kernel's plan, as the public contest of 2025 has them. */
public final class KernelText {
  private KernelText() {}

  /** Node ids, one a line. */
  public static String schedule(KernelPlan plan) {
    StringBuilder text = new StringBuilder();
    for (int v : plan.schedule()) {
      text.append(v).append('\n');
    }
    return text.toString();
  }

  /** {@code BufId:Offset}, one buffer a line. */
  public static String memory(KernelGraph graph, KernelPlan plan) {
    StringBuilder text = new StringBuilder();
    for (int b = 0; b < plan.offsets().length; b++) {
      text.append(graph.buffers().get(b).id()).append(':').append(plan.offsets()[b]).append('\n');
    }
    return text.toString();
  }

  /** {@code BufId:NewOffset}, one spill a line. */
  public static String spills(KernelGraph graph, KernelPlan plan) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < plan.spills(); k++) {
      text.append(graph.buffers().get(plan.spilled()[k]).id())
          .append(':')
          .append(plan.spillOffsets()[k])
          .append('\n');
    }
    return text.toString();
  }
}

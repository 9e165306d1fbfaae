package stowage.kernel.model;

import static java.util.stream.Collectors.joining;

import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.network.kernel.KernelGraph;

/** The text files of a kernel's plan, as the public contest of 2025 has them. */
public final class KernelText {
  private KernelText() {}

  /** Node ids, one a line. */
  public static String schedule(KernelPlan plan) {
    return lines(plan.schedule().length, k -> String.valueOf(plan.schedule()[k]));
  }

  /** {@code BufId:Offset}, one buffer a line. */
  public static String memory(KernelGraph graph, KernelPlan plan) {
    return lines(plan.offsets().length, b -> graph.buffers().get(b).id() + ":" + plan.offsets()[b]);
  }

  /** {@code BufId:NewOffset}, one spill a line. */
  public static String spills(KernelGraph graph, KernelPlan plan) {
    return lines(
        plan.spills(),
        k -> graph.buffers().get(plan.spilled()[k]).id() + ":" + plan.spillOffsets()[k]);
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).map(s -> s + "\n").collect(joining());
  }
}

package stowage.liveness;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A packing problem together with the network and the rules it came from.
 *
 * <p>Step k of the problem is the k-th op of {@code order}; a buffer made by it is alive from k,
 * and one last read by it up to k + 1. Offsets count from the activations' base; weights are laid
 * out before it.
 *
 * @param network what is to run, or null for a plain list of buffers
 * @param order indices of the network's ops in execution order
 * @param problem the activations' packing problem, one buffer an entry of {@code contents}
 * @param contents what each buffer carries, by buffer index
 * @param weightBytes extent of the weights, with the alignment between them
 */
public record PlanningCase(
    Network network,
    int[] order,
    PackingProblem problem,
    List<BufferContents> contents,
    List<WeightPlace> weights,
    long weightBytes,
    LivenessOptions options) {

  /** A case of buffers as given, with the problem's own alignments: no graph, order or weights. */
  public static PlanningCase ofBuffers(PackingProblem problem) {
    return new PlanningCase(
        null,
        new int[0],
        problem,
        Collections.nCopies(problem.size(), new BufferContents(List.of())),
        List.of(),
        0,
        LivenessOptions.defaults().withAlignments(1, 1));
  }

  /** The same case with another problem of the same buffers, such as one with a capacity. */
  public PlanningCase withProblem(PackingProblem other) {
    return new PlanningCase(network, order, other, contents, weights, weightBytes, options);
  }

  /** Whether the case came from a network; else it is a plain list of buffers. */
  public boolean hasNetwork() {
    return network != null;
  }

  /** Whether a network's ops run once each, one after another: without loops and branches. */
  public boolean isSequential() {
    return options.order() == LivenessOptions.Order.IN_ORDER
        && new ControlFlow(network, order)
            .regions().stream().allMatch(code -> code.kind() == ControlFlow.Kind.ONCE);
  }

  /** The graph's outputs; none where there is no graph. */
  public Set<String> outputs() {
    return hasNetwork() ? Set.copyOf(network.outputs()) : Set.of();
  }

  /** What a buffer carries; nothing in scratch memory and in buffers that came from no network. */
  public List<Part> parts(int buffer) {
    return contents.get(buffer).parts();
  }

  /** Whether a buffer carries any of some tensors. */
  public boolean carries(int buffer, Set<String> tensors) {
    return !tensors.isEmpty() && tensors(buffer).stream().anyMatch(tensors::contains);
  }

  /** Whether a buffer is memory in which ops carry no tensor. */
  public boolean isScratch(int buffer) {
    return parts(buffer).isEmpty() && problem.buffer(buffer).needsMemory();
  }

  /** The buffer of each tensor that one carries. */
  public Map<String, Integer> bufferOf() {
    Map<String, Integer> bufferOf = new HashMap<>();
    for (int b = 0; b < contents.size(); b++) {
      for (Part part : parts(b)) {
        bufferOf.put(part.tensor(), b);
      }
    }
    return bufferOf;
  }

  /** Where a placement puts the tensors that buffers carry, in bytes. */
  public Map<String, Long> offsets(Placement placement) {
    Map<String, Long> offsets = new LinkedHashMap<>();
    for (int b = 0; b < contents.size(); b++) {
      for (Part part : parts(b)) {
        offsets.put(part.tensor(), placement.offset(b) + part.offset());
      }
    }
    return offsets;
  }

  /**
   * At which place the op that ends a buffer's live range reads it last: the operand's index, the
   * largest int for what it does not read, 0 where there is no such op. Systems release the
   * operands of an op in this order.
   */
  public int lastOperand(int buffer) {
    int step = problem.buffer(buffer).live().end() - 1;
    if (!hasNetwork() || step >= order.length) {
      return 0;
    }
    Op op = network.ops().get(order[step]);
    int last = -1;
    for (Part part : contents.get(buffer).parts()) {
      last = Math.max(last, op.inputs().lastIndexOf(part.tensor()));
    }
    return last < 0 ? Integer.MAX_VALUE : last;
  }

  /** Names of the tensors that a buffer carries. */
  public List<String> tensors(int buffer) {
    return contents.get(buffer).parts().stream().map(Part::tensor).toList();
  }

  /** Names of the tensors that each buffer carries. */
  public List<List<String>> tensors() {
    return IntStream.range(0, contents.size()).mapToObj(this::tensors).toList();
  }

  /**
   * The tensors that one buffer carries; views and ops in place put several into one. The first is
   * the one whose making starts the buffer's live range.
   */
  public record BufferContents(List<Part> parts) {}

  /**
   * A tensor inside a buffer.
   *
   * @param offset bytes from the buffer's start
   */
  public record Part(String tensor, long offset) {}

  /**
   * A weight in GMEM.
   *
   * @param offset bytes from the weights' base, aligned
   */
  public record WeightPlace(String tensor, long offset, long bytes) {}
}

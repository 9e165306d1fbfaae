package stowage.onchip.layer;

import java.util.List;
import stowage.network.Chip;
import stowage.network.Op;

/**
 * One op as a chip runs it: what it reads and writes in LMEM, how its slices depend on each other,
 * and what it computes. Tensors are indices into the {@link LayerGraph}.
 *
 * @param operands the activations read, each once
 * @param weights the constants read, each once
 * @param results the tensors written; not to be changed
 * @param inPlace whether the result may take the place of the first operand
 * @param obstacle why the op cannot be part of a group; null when it can
 */
public record Layer(
    Op op,
    List<Operand> operands,
    List<WeightUse> weights,
    int[] results,
    Work work,
    boolean inPlace,
    String obstacle) {

  public Layer {
    operands = List.copyOf(operands);
    weights = List.copyOf(weights);
  }

  /**
   * An activation that is read.
   *
   * @param rules how its slices follow from those of the results, by {@link Axis#ordinal()}
   */
  public record Operand(int tensor, List<AxisRule> rules) {}

  /**
   * A constant that is read, as it is in LMEM, never cut: the extents of its layout there, and
   * whether its images are rounded up to the execution unit.
   */
  public record WeightUse(int tensor, Extents extents, int bits, boolean aligned) {
    /** Bytes of each lane that it takes. */
    public long laneBytes(Chip chip) {
      return LaneSize.bytes(chip, bits, extents, aligned);
    }
  }

  /** The kind of computing an op does, which decides its speed and scratch. */
  public enum Kind {
    /** Sums of products over channels. */
    PRODUCT,
    /** A sliding window on each channel by itself. */
    WINDOW,
    /** One pass over the elements. */
    ELEMENTWISE,
    /** Several passes over the elements, with tables: softmax, normalisation, sigmoid. */
    FUNCTION,
    /** No computing but a copy at most. */
    COPY
  }

  /**
   * How much an op computes: which units do it, multiply-accumulates or passes for each element of
   * the result, and elements of the window of a depthwise convolution, else 0.
   */
  public record Work(Kind kind, double perElement, long window) {}

  /** Bits of an element of the widest activation read, 8 at least: the width it computes in. */
  public int widestBits(LayerGraph graph) {
    return operands.stream().mapToInt(from -> graph.bits(from.tensor())).reduce(8, Math::max);
  }

  /** Whether slices of an operand, put together, may leave out some of it: a pool may. */
  public boolean skips() {
    return operands.stream()
        .flatMap(operand -> operand.rules().stream())
        .anyMatch(
            rule -> rule instanceof AxisRule.Window window && window.reach() < window.stride());
  }

  /** Whether the op can be part of a group. */
  public boolean groupable() {
    return obstacle == null;
  }
}

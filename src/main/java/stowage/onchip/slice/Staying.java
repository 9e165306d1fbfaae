package stowage.onchip.slice;

import java.util.Arrays;

/** Inputs, by activation of a group, and constants that stay in LMEM for all slices. */
public record Staying(boolean[] inputs, boolean[] weights) {
  /** Nothing stays. */
  public static Staying nothing(SlicedGroup sliced) {
    return new Staying(new boolean[sliced.group().tensorCount()], weights(sliced, false));
  }

  /** All that can: inputs of which each slice uses the same part, and constants; if it is cut. */
  public static Staying all(SlicedGroup sliced) {
    boolean cut = sliced.slicing().isCut();
    boolean[] inputs = new boolean[sliced.group().tensorCount()];
    for (int t = 0; t < inputs.length; t++) {
      inputs[t] = cut && sliced.group().isInput(t) && sliced.isConstant(t);
    }
    return new Staying(inputs, weights(sliced, cut));
  }

  /**
   * What TPU-MLIR's files imply, which do not say it: of a group that is cut all constants stay
   * where together they take less than a lane, and else none.
   */
  public static Staying inFile(SlicedGroup sliced) {
    GroupModel group = sliced.group();
    long lane = group.graph().chip().laneBytes();
    boolean held = sliced.slicing().isCut() && group.weightLaneBytes() < lane;
    return new Staying(new boolean[group.tensorCount()], weights(sliced, held));
  }

  private static boolean[] weights(SlicedGroup sliced, boolean held) {
    boolean[] weights = new boolean[sliced.group().weightCount()];
    Arrays.fill(weights, held);
    return weights;
  }

  /** The same inputs with other constants. */
  public Staying withWeights(boolean[] others) {
    return new Staying(inputs, others);
  }
}

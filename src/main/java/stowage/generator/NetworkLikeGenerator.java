package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * Lives as the activations of well-known kinds of networks have them: one step an op, each op makes
 * one tensor, which is live to its last reader.
 *
 * <pre>
 *   chain            0 -> 1 -> 2 -> 3         each tensor is read by the next op
 *   residual         0 -> 1 -> 2 -(+)-> 3     a block's input is read again by its last op
 *   dense            0 -> 1 -> 2 -> 3         within a block every op reads all tensors before it
 *   encoder-decoder  0 -> 1 -> 2 -> 1' -> 0'  the tensor of a level is read again on the way back
 *   branches         0 -> {1 -> 2, 3 -> 4} -> 5   one branch after the other, joined at the end
 * </pre>
 *
 * <p>Sizes follow levels as in vision networks: a level halves both sides of a picture and doubles
 * its channels, so that a tensor of level k has {@code largest} / 2^k bytes, times a random width
 * of 1/4 to 2, rounded up to the unit. O(n + pairs).
 */
final class NetworkLikeGenerator {
  private static final int LEVELS = 5;
  private static final int[] QUARTERS = {1, 2, 3, 4, 4, 4, 6, 8};

  enum Shape {
    CHAIN,
    RESIDUAL,
    DENSE,
    ENCODER_DECODER,
    BRANCHES
  }

  private NetworkLikeGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 2, 1_000_000);
    int block = values.count("block", 1, 1_000_000);
    int branches = values.count("branches", 2, 1_000_000);
    long largest = values.whole("largest", 1, 1L << 36);
    long unit = values.whole("unit", 1, 1L << 30);
    Shape shape = values.oneOf("shape", Shape.class);
    int[] lastReader = lastReaders(shape, count, block, branches);
    Draws draws = values.draws();
    List<Buffer> buffers = new ArrayList<>(count);
    for (int op = 0; op < count; op++) {
      long bytes =
          (largest >> level(shape, op, count)) * QUARTERS[draws.below(QUARTERS.length)] / 4;
      long size = Math.max(unit, (bytes + unit - 1) / unit * unit);
      buffers.add(new Buffer("t" + op, size, op, lastReader[op] + 1).withAlignment(unit));
    }
    List<int[]> pairs =
        shape == Shape.BRANCHES && values.flag("parallel")
            ? branchPairs(count, block, branches)
            : List.of();
    return new PackingProblem(
        "network-like", buffers, List.of(Memory.main()), ConflictPairs.of(count, pairs));
  }

  private static int level(Shape shape, int op, int count) {
    if (shape == Shape.ENCODER_DECODER) {
      int depth = Math.min(op, count - 1 - op);
      return (int) ((long) depth * 2 * LEVELS / count);
    }
    return (int) ((long) op * LEVELS / count);
  }

  /** The last op that reads each op's tensor; the last tensor is the network's output. */
  private static int[] lastReaders(Shape shape, int count, int block, int branches) {
    int[] last = new int[count];
    for (int op = 0; op < count; op++) {
      last[op] = Math.min(count - 1, op + 1);
      int end = Math.min(count - 1, op / block * block + block);
      switch (shape) {
        case CHAIN -> {}
        case RESIDUAL -> last[op] = op % block == 0 ? end : last[op];
        case DENSE -> last[op] = end;
        case ENCODER_DECODER -> last[op] = Math.max(last[op], count - 1 - op);
        case BRANCHES -> last[op] = Math.min(count - 1, lastInBranches(op, block, branches));
      }
    }
    return last;
  }

  /**
   * With branches a block is a fork, {@code branches} runs of {@code block} ops, and the next
   * block's fork, which joins them. The fork is read by the first op of each branch, the last op of
   * each branch by the join.
   */
  private static int lastInBranches(int op, int block, int branches) {
    int period = 1 + block * branches;
    int fork = op / period * period;
    if (op == fork) {
      return fork + 1 + block * (branches - 1);
    }
    boolean endsBranch = (op - fork) % block == 0;
    return endsBranch ? fork + period : op + 1;
  }

  private static List<int[]> branchPairs(int count, int block, int branches) {
    int period = 1 + block * branches;
    List<int[]> pairs = new ArrayList<>();
    for (int first = 0; first < count; first++) {
      int fork = first / period * period;
      if (first == fork) {
        continue;
      }
      int nextBranch = fork + 1 + ((first - fork - 1) / block + 1) * block;
      for (int second = nextBranch; second < Math.min(count, fork + period); second++) {
        pairs.add(new int[] {first, second});
      }
    }
    return pairs;
  }
}

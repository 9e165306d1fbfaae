package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import stowage.network.Network;
import stowage.rewrite.range.PadForm;

/** Random choices of runs that can be split. */
public final class RandomRuns {
  private RandomRuns() {}

  /**
   * Runs that have no op in common: up to so many, each of a stretch of ops.
   *
   * @param axes from which one or two are chosen
   */
  public static List<RunSplit> of(
      SplitModel model, Random random, int runs, int longest, int pieces, SplitAxis... axes) {
    List<RunSplit> chosen = new ArrayList<>();
    Set<Integer> taken = new HashSet<>();
    int[] order = model.network().executionOrder();
    for (int turn = 0; turn < 20 * runs && chosen.size() < runs; turn++) {
      int from = random.nextInt(order.length);
      int to = Math.min(order.length, from + 1 + random.nextInt(longest));
      int[] ops = Arrays.copyOfRange(order, from, to);
      if (Arrays.stream(ops).anyMatch(taken::contains)) {
        continue;
      }
      RunSplit run = split(model, random, ops, pieces, axes);
      if (run != null) {
        chosen.add(run);
        Arrays.stream(ops).forEach(taken::add);
      }
    }
    return chosen;
  }

  /** An order of a network's ops in which some run again, each at a random later place. */
  public static int[] sequence(Network network, Random random, int again) {
    List<Integer> sequence = new ArrayList<>();
    Arrays.stream(network.executionOrder()).forEach(sequence::add);
    for (int k = 0; k < again; k++) {
      int from = random.nextInt(sequence.size());
      int to = from + 1 + random.nextInt(sequence.size() - from);
      sequence.add(to, sequence.get(from));
    }
    return sequence.stream().mapToInt(Integer::intValue).toArray();
  }

  private static RunSplit split(
      SplitModel model, Random random, int[] ops, int pieces, SplitAxis... axes) {
    List<SplitAxis> cut = new ArrayList<>(List.of(axes));
    java.util.Collections.shuffle(cut, random);
    cut = cut.subList(0, Math.min(cut.size(), random.nextInt(3) == 0 ? 2 : 1));
    PadForm pads = random.nextBoolean() ? PadForm.CROP : PadForm.PAD;
    try {
      RunModel run = model.run(ops, cut, pads);
      List<AxisSplit> splits = new ArrayList<>();
      for (int a = 0; a < cut.size(); a++) {
        long extent = run.extent(a);
        if (extent < 2) {
          return null;
        }
        int[] bounds =
            random
                .ints(1 + random.nextInt(pieces - 1), 1, (int) extent)
                .sorted()
                .distinct()
                .toArray();
        splits.add(new AxisSplit(cut.get(a), bounds));
      }
      RunSplit chosen = new RunSplit(ops, splits, random.nextBoolean(), pads);
      RunCost.of(run, chosen);
      return chosen;
    } catch (BarrierException barrier) {
      return null;
    }
  }
}

package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import stowage.network.memory.MemoryMap;
import stowage.packing.IndexOrder;

/**
 * ExecuTorch's planning over a {@code TargetMemoryMap} (pytorch/executorch pull request 21821,
 * {@code banked_greedy}): banks in the order of their speed, each with a capacity. Buffers that are
 * pinned come first, then the others by size; each goes to the first bank that can hold it for its
 * whole live range, by the rule of ExecuTorch's {@code greedy} in that bank: the first shared
 * object none of whose members is alive at the same time; else the first in which the buffer fits
 * above those that are; else a new object, where the objects' sizes together keep the capacity.
 * What no fast bank holds goes to its home. Weights are not planned there and stay in theirs.
 */
final class ExecutorchBanks {
  /** A shared object: its size, and from each step on the highest end of a member alive there. */
  private record Shared(long size, TreeMap<Integer, Long> tops) {}

  private final ResidencyProblem problem;
  private final List<List<Shared>> banks = new ArrayList<>();

  private ExecutorchBanks(ResidencyProblem problem) {
    this.problem = problem;
    for (int m = 0; m < problem.map().fastCount(); m++) {
      banks.add(new ArrayList<>());
    }
  }

  /** The fast memory of each buffer; -1 where it stays in its home. O(buffers^2) at worst. */
  static int[] choose(ResidencyProblem problem) {
    ExecutorchBanks made = new ExecutorchBanks(problem);
    int[] chosen = new int[problem.items().size()];
    Arrays.fill(chosen, -1);
    Comparator<Integer> forcedFirst =
        Comparator.comparingInt(i -> problem.isForced(problem.items().get(i)) ? 0 : 1);
    for (int i :
        IndexOrder.of(
            IntStream.range(0, chosen.length),
            forcedFirst.thenComparingLong(i -> -problem.items().get(i).bytes()))) {
      HeldBuffer item = problem.items().get(i);
      int fixed = item.home() < problem.map().fastCount() ? item.home() : -1;
      if (item.kind() == MemoryMap.Kind.WEIGHTS && fixed < 0) {
        continue;
      }
      for (int m = Math.max(0, fixed); m < problem.map().fastCount() && chosen[i] < 0; m++) {
        boolean allowed = fixed >= 0 ? m == fixed : !problem.isForced(item) || m == 0;
        chosen[i] = allowed && made.holds(item, m) ? m : -1;
      }
    }
    return chosen;
  }

  private boolean holds(HeldBuffer item, int bank) {
    List<Shared> objects = banks.get(bank);
    long sum = 0;
    for (Shared object : objects) {
      sum += object.size();
      int from = object.tops().floorKey(item.first());
      long top = Collections.max(object.tops().subMap(from, item.last() + 1).values());
      if (top + item.bytes() <= object.size()) {
        return join(object, item, top);
      }
    }
    if (sum + item.bytes() > problem.map().space(bank).capacity()) {
      return false;
    }
    objects.add(new Shared(item.bytes(), new TreeMap<>(Map.of(0, 0L))));
    return join(objects.get(objects.size() - 1), item, 0);
  }

  private static boolean join(Shared object, HeldBuffer item, long at) {
    TreeMap<Integer, Long> tops = object.tops();
    long after = tops.floorEntry(item.last() + 1).getValue();
    tops.subMap(item.first(), item.last() + 1).clear();
    tops.put(item.first(), at + item.bytes()); // above all that are alive there
    tops.put(item.last() + 1, after);
    return true;
  }
}

package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.PackingProblem;

/**
 * TPU-MLIR's two assignments of 2026 on a list of buffers, written down from their rules alone: all
 * snapshots kept, lists for blocks, recursion for the sort.
 */
final class PlainTpuMlir extends PlainRules {
  private static final long TAIL = 1L << 40;

  private record Block(int owner, long at, long bytes) {
    boolean isFree() {
      return owner < 0;
    }
  }

  private final int[] order;

  PlainTpuMlir(PackingProblem problem) {
    super(problem);
    order = order(Comparator.comparingInt(b -> -start[b])).stream().mapToInt(b -> b).toArray();
    sort(0, count - 1);
  }

  private void sort(int low, int high) {
    if (low >= high) {
      return;
    }
    int pivot = start[order[low]];
    int i = low;
    int j = high;
    while (i < j) {
      while (i < j && start[order[j]] > pivot) {
        j--;
      }
      if (i < j) {
        swap(i++, j);
      }
      while (i < j && start[order[i]] <= pivot) {
        i++;
      }
      if (i < j) {
        swap(i, j--);
      }
    }
    sort(low, i - 1);
    sort(i + 1, high);
  }

  private void swap(int i, int j) {
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }

  /** Offsets by the assignment of the smaller total, a tie to the growing blocks. */
  long[] offsets() {
    long[] growing = growingBlocks();
    long[] bySize = largestFirst();
    return total(growing) <= total(bySize) ? growing : bySize;
  }

  private long[] growingBlocks() {
    List<List<Block>> snapshots = new ArrayList<>();
    List<Block> blocks = List.of(new Block(-1, 0, TAIL));
    for (int b : order) {
      blocks = after(blocks, b);
      snapshots.add(blocks);
    }
    Map<Integer, Long> known = new HashMap<>();
    for (int k = snapshots.size() - 1; k >= 0; k--) {
      long reached = 0;
      for (Block block : snapshots.get(k)) {
        long from = reached;
        if (!block.isFree()) {
          from = Math.max(known.getOrDefault(block.owner, block.at), reached);
          known.putIfAbsent(block.owner, from);
        }
        reached = from + block.bytes;
      }
    }
    long[] offsets = new long[count];
    known.forEach((owner, at) -> offsets[owner] = at);
    return offsets;
  }

  private List<Block> after(List<Block> before, int b) {
    List<Block> merged = new ArrayList<>();
    for (Block block : before) {
      boolean free = block.isFree() || !together(block.owner, b);
      int last = merged.size() - 1;
      if (free && last >= 0 && merged.get(last).isFree()) {
        Block left = merged.get(last);
        merged.set(last, new Block(-1, left.at, left.bytes + block.bytes));
      } else {
        merged.add(new Block(free ? -1 : block.owner, block.at, block.bytes));
      }
    }
    int chosen = merged.size() - 1;
    for (int k = merged.size() - 2; k >= 0; k--) {
      boolean larger =
          chosen == merged.size() - 1 || merged.get(k).bytes >= merged.get(chosen).bytes;
      if (merged.get(k).isFree() && larger) {
        chosen = k;
      }
    }
    long wanted = size[b];
    long more = Math.max(0, wanted - merged.get(chosen).bytes);
    List<Block> next = new ArrayList<>();
    for (int k = 0; k < merged.size(); k++) {
      Block block = merged.get(k);
      if (k < chosen) {
        next.add(block);
      } else if (k > chosen) {
        next.add(new Block(block.owner, block.at + more, block.bytes));
      } else {
        next.add(new Block(b, block.at, wanted));
        if (block.bytes > wanted) {
          next.add(new Block(-1, block.at + wanted, block.bytes - wanted));
        }
      }
    }
    return next;
  }

  private long[] largestFirst() {
    List<Integer> largest = new ArrayList<>(Arrays.stream(order).boxed().toList());
    Collections.reverse(largest);
    largest.sort(Comparator.comparingLong(b -> -size[b]));
    return eachInSmallestGap(largest);
  }
}

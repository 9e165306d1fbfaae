package stowage.compiler.tpumlir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.heuristic.NotPlannableException;
import stowage.packing.RunControl;

/**
 * TPU-MLIR's FitFirstAssign, which despite its name takes the largest free block and lets it grow.
 *
 * <p>Source: sophgo/tpu-mlir, lib/Support/GmemAllocatorMethod.cpp. Tensors are placed one after the
 * other in an order of first steps; the state is a list of blocks by address, the last one endless.
 * For each tensor the blocks whose owners are not alive with it become free and free neighbours are
 * merged, the endless one included; the largest free block that is not the last is taken, of equal
 * ones the lowest, else the last. A larger block is split; a smaller one grows, and all blocks
 * after it move up. The list after each tensor is kept as a snapshot.
 *
 * <p>Addresses are then given from the last snapshot to the first, walking each from offset 0: a
 * free block takes its size; an owned one starts at its known address, or else where the snapshot
 * has it, but not below the offset reached; the address an owner gets where it is first seen this
 * way stays. So a block that grew early pushes up what was above it in earlier snapshots only as
 * far as the later ones left room.
 *
 * <p>Example: a 4 bytes [0, 1), b 4 bytes [0, 9), c 6 bytes [1, 9). a at 0, b at 4. a's block of 4
 * is the largest free one except for the last: it grows to 6 for c, and b moves to 6. The last
 * snapshot gives c 0 and b 6; the first gives a 0. Total 10.
 *
 * <p>O(n k) time for k blocks. Snapshots are kept every {@value #STRIDE} tensors and those between
 * made again when they are needed, so memory is O(k (n / {@value #STRIDE} + {@value #STRIDE})).
 */
record FitFirstAssign(long[] size, int[] start, int[] end) {
  private static final int STRIDE = 256;
  private static final int FREE = -1;
  private static final long ENDLESS = Long.MAX_VALUE / 4;

  /** The blocks by address after one tensor. */
  static final class Snapshot {
    int count;
    final int[] owner;
    final long[] at;
    final long[] bytes;

    Snapshot(int room) {
      owner = new int[room];
      at = new long[room];
      bytes = new long[room];
    }

    static Snapshot empty() {
      Snapshot only = new Snapshot(1);
      only.add(FREE, 0, ENDLESS);
      return only;
    }

    void add(int who, long where, long size) {
      owner[count] = who;
      at[count] = where;
      bytes[count++] = size;
    }
  }

  Snapshot next(Snapshot before, int tensor) {
    Snapshot after = new Snapshot(before.count + 1);
    for (int k = 0; k < before.count; k++) {
      int who = before.owner[k];
      boolean free = who == FREE || end[who] <= start[tensor] || start[who] >= end[tensor];
      if (free && after.count > 0 && after.owner[after.count - 1] == FREE) {
        after.bytes[after.count - 1] += before.bytes[k];
      } else {
        after.add(free ? FREE : who, before.at[k], before.bytes[k]);
      }
    }
    int last = after.count - 1;
    int chosen = last;
    long largest = 0;
    for (int k = 0; k < last; k++) {
      if (after.owner[k] == FREE && after.bytes[k] > largest) {
        chosen = k;
        largest = after.bytes[k];
      }
    }
    take(after, chosen, tensor);
    return after;
  }

  private void take(Snapshot blocks, int chosen, int tensor) {
    long wanted = size[tensor];
    blocks.owner[chosen] = tensor;
    long rest = blocks.bytes[chosen] - wanted;
    blocks.bytes[chosen] = wanted;
    if (rest > 0) {
      int tail = blocks.count - chosen - 1;
      System.arraycopy(blocks.owner, chosen + 1, blocks.owner, chosen + 2, tail);
      System.arraycopy(blocks.at, chosen + 1, blocks.at, chosen + 2, tail);
      System.arraycopy(blocks.bytes, chosen + 1, blocks.bytes, chosen + 2, tail);
      blocks.owner[chosen + 1] = FREE;
      blocks.at[chosen + 1] = blocks.at[chosen] + wanted;
      blocks.bytes[chosen + 1] = rest;
      blocks.count++;
      return;
    }
    long offset = blocks.at[chosen] + wanted;
    for (int k = chosen + 1; k < blocks.count; k++) {
      blocks.at[k] = offset;
      offset += blocks.bytes[k];
    }
  }

  /** Addresses of all tensors, placed in an order in which each is once; fails at a stop. */
  long[] addresses(int[] order, RunControl control) {
    List<Snapshot> kept = new ArrayList<>();
    Snapshot current = Snapshot.empty();
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      if (k % STRIDE == 0) {
        kept.add(current);
      }
      current = next(current, order[k]);
    }
    long[] address = new long[size.length];
    Arrays.fill(address, -1);
    for (int stretch = kept.size() - 1; stretch >= 0; stretch--) {
      List<Snapshot> snapshots = new ArrayList<>();
      Snapshot at = kept.get(stretch);
      int to = Math.min(order.length, (stretch + 1) * STRIDE);
      for (int k = stretch * STRIDE; k < to; k++) {
        at = next(at, order[k]);
        snapshots.add(at);
      }
      for (int k = snapshots.size() - 1; k >= 0; k--) {
        settle(snapshots.get(k), address);
      }
    }
    return address;
  }

  private static void settle(Snapshot blocks, long[] address) {
    long offset = 0;
    for (int k = 0; k < blocks.count; k++) {
      int who = blocks.owner[k];
      if (who == FREE) {
        offset += blocks.bytes[k];
        continue;
      }
      long at = Math.max(offset, address[who] >= 0 ? address[who] : blocks.at[k]);
      if (address[who] < 0) {
        address[who] = at;
      }
      offset = at + blocks.bytes[k];
    }
  }

  /**
   * Sorts tensors by first step as the original does, by a quicksort that is not stable: the first
   * of a part is its pivot, and elements move across in turns from both ends.
   */
  static void sortByStart(int[] tensors, int[] start) {
    sort(tensors, start, 0, tensors.length - 1);
  }

  /** Goes down into the smaller part alone, since runs of equal starts make the other very long. */
  private static void sort(int[] tensors, int[] start, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = part(tensors, start, low, high);
      if (middle - low < high - middle) {
        sort(tensors, start, low, middle - 1);
        low = middle + 1;
      } else {
        sort(tensors, start, middle + 1, high);
        high = middle - 1;
      }
    }
  }

  private static int part(int[] tensors, int[] start, int low, int high) {
    int pivot = start[tensors[low]];
    int i = low;
    int j = high;
    while (i < j) {
      while (i < j && start[tensors[j]] > pivot) {
        j--;
      }
      if (i < j) {
        swap(tensors, i++, j);
      }
      while (i < j && start[tensors[i]] <= pivot) {
        i++;
      }
      if (i < j) {
        swap(tensors, i, j--);
      }
    }
    return i;
  }

  private static void swap(int[] tensors, int one, int two) {
    int kept = tensors[one];
    tensors[one] = tensors[two];
    tensors[two] = kept;
  }
}

package stowage.compiler.tpumlir;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * TPU-MLIR's OpSizeOrderAssign and L2SRamAssign: largest first, the smallest gap that holds it.
 *
 * <p>Source: sophgo/tpu-mlir, lib/Support/GmemAllocatorMethod.cpp. Order: size descending; of equal
 * sizes the later in the list first, for the original sorts a list by "not smaller". Rule: the
 * placed tensors alive at the same time are walked by address; the smallest gap that holds the
 * tensor, of equal ones the lowest; else above the last. A tensor is inserted before the first
 * placed one at its own address or above. With a capacity, one that would end beyond it is passed
 * over, and the rest go on.
 *
 * <p>O(n²).
 */
final class SizeOrderAssign {
  private final long[] size;
  private final int[] start;
  private final int[] end;
  private final long capacity;
  private final int[] placed;
  private final long[] address;
  private int count;

  SizeOrderAssign(long[] size, int[] start, int[] end, long capacity) {
    this.size = size;
    this.start = start;
    this.end = end;
    this.capacity = capacity;
    this.placed = new int[size.length];
    this.address = new long[size.length];
    Arrays.fill(address, -1);
  }

  /** Places tensors of a list that is in the input's order. */
  void place(int[] list) {
    IntStream.range(0, list.length)
        .boxed()
        .sorted(
            Comparator.comparingLong((Integer k) -> -size[list[k]])
                .thenComparing(Comparator.reverseOrder()))
        .forEachOrdered(k -> placeOne(list[k]));
  }

  private void placeOne(int tensor) {
    long free = 0;
    long best = -1;
    long smallest = Long.MAX_VALUE;
    for (int k = 0; k < count; k++) {
      int other = placed[k];
      if (Math.max(start[tensor], start[other]) < Math.min(end[tensor], end[other])) {
        long gap = address[other] - free;
        if (gap >= size[tensor] && gap < smallest) {
          smallest = gap;
          best = free;
        }
        free = Math.max(free, address[other] + size[other]);
      }
    }
    long at = best < 0 ? free : best;
    if (at + size[tensor] > capacity) {
      return;
    }
    address[tensor] = at;
    int position = 0;
    while (position < count && address[placed[position]] < at) {
      position++;
    }
    System.arraycopy(placed, position, placed, position + 1, count - position);
    placed[position] = tensor;
    count++;
  }

  /** Addresses by tensor, -1 where one was passed over or not listed. */
  long[] addresses() {
    return address.clone();
  }
}

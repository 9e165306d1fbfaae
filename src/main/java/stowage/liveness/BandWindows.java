package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.LiveRange;

/**
 * Which bytes of each buffer are needed at each step, where a copy onto itself counts for nothing:
 * a slice that is where its source has it, a concat whose operand is in its place.
 *
 * <p>A byte is needed at the steps at which an op touches it, and from a touch to the next one
 * where that reads it. So while ops run piece by piece, the source of a run dies row by row and its
 * result is made row by row. Of the bytes needed at a step the window is the hull.
 *
 * <p>Example: x of 8 bytes, its halves a and b as slices in place, {@code f(a)} at step 2 and
 * {@code f(b)} at step 4. The window of x is all of it up to step 2, then [4, 8) to step 4.
 */
final class BandWindows {
  private final TensorLives lives;
  private final SharedBuffers shared;
  private final List<List<Access>> accesses = new ArrayList<>();

  /** An op's touch of a stretch of a buffer. */
  private record Access(int step, long low, long high, boolean read) {}

  /**
   * The bytes {@code [low, high)} of a buffer between the first and the last that are needed at
   * some half-open steps.
   *
   * @param full whether all of them are needed
   */
  record Window(LiveRange steps, long low, long high, boolean full) {}

  /** Follows all ops. O(tensors + operands). */
  BandWindows(Network network, int[] order, TensorLives lives, SharedBuffers shared) {
    this.lives = lives;
    this.shared = shared;
    for (int t = 0; t < lives.count(); t++) {
      accesses.add(new ArrayList<>());
    }
    for (int t = 0; t < lives.count(); t++) {
      if (lives.madeAt(t) == TensorLives.GIVEN) {
        touch(t, -1, false);
      }
    }
    List<List<Integer>> needed = neededBesides(network, order);
    for (int step = 0; step < order.length; step++) {
      int now = step;
      follow(network.ops().get(order[step]), step);
      needed.get(step).forEach(t -> touch(t, now, true));
    }
    for (int t = 0; t < lives.count(); t++) {
      if (lives.toTheEnd(t)) {
        touch(t, lives.steps(), true);
      }
    }
  }

  /** For each step the tensors that are needed then although its op does not read them. */
  private List<List<Integer>> neededBesides(Network network, int[] order) {
    List<List<Integer>> needed =
        Stream.<List<Integer>>generate(ArrayList::new).limit(order.length).toList();
    for (int t = 0; t < lives.count(); t++) {
      for (int step : lives.readAt(t)) {
        if (!network.ops().get(order[step]).inputs().contains(lives.tensor(t).name())) {
          needed.get(step).add(t);
        }
      }
    }
    return needed;
  }

  private void follow(Op op, int step) {
    int result = op.outputs().isEmpty() ? -1 : planned(op.outputs().get(0));
    boolean copies = false;
    for (String output : op.presentOutputs()) {
      int t = planned(output);
      copies |= t < 0 || !shared.isView(t); // what is kept elsewhere is made of what is here
    }
    long at = 0;
    boolean concat = result >= 0 && shared.pieces() != null && shared.pieces().isAssembled(result);
    for (String input : op.presentInputs()) {
      int t = planned(input);
      boolean inPlace =
          concat
              && shared.pieces().isPart(t, result)
              && shared.offset(t) == shared.offset(result) + at; // one that is given twice, once
      boolean handedOver = t >= 0 && lives.code().handedOver(lives.madeAt(t), step) >= 0;
      if (t >= 0 && !inPlace && !handedOver && (copies || op.outputs().isEmpty())) {
        read(op, t, step);
      }
      if (concat) {
        long bytes = lives.tensor(t).bytes();
        if (!inPlace) {
          add(result, step, shared.offset(result) + at, bytes, false);
        }
        at += bytes;
      }
    }
    for (String output : op.outputs()) {
      int t = planned(output);
      if (t >= 0 && !shared.isView(t) && !concat && lives.madeAt(t) == step) {
        touch(t, step, false);
      }
    }
  }

  /** Reads an operand as a whole, or the rows that a slice copies where they are one stretch. */
  private void read(Op op, int t, int step) {
    Tensor from = lives.tensor(t);
    int result = planned(op.outputs().isEmpty() ? "" : op.outputs().get(0));
    if (result >= 0
        && lives.tensor(result).rank() == from.rank()
        && OpTraits.of(op) == OpTraits.SLICE_LIKE
        && op.inputs().get(0).equals(from.name())
        && shared.bytes(t) > 0) {
      Tensor part = lives.tensor(result);
      int axis = 0;
      while (axis + 1 < from.rank() && part.extent(axis) == from.extent(axis)) {
        axis++;
      }
      long start = OpTraits.sliceStart(op, axis, from.rank(), from.extent(axis));
      long low = start < 0 ? -1 : ViewShapes.contiguousStart(from, axis, start);
      long bytes = ViewShapes.contiguousStart(from, axis, part.extent(axis));
      if (low >= 0 && bytes >= 0 && low + bytes <= from.bytes()) {
        add(t, step, shared.offset(t) + low, bytes, true);
        return;
      }
    }
    touch(t, step, true);
  }

  private int planned(String name) {
    return name.isEmpty() ? -1 : lives.of(name);
  }

  private void touch(int t, int step, boolean read) {
    add(t, step, shared.offset(t), shared.bytes(t), read);
  }

  private void add(int t, int step, long from, long bytes, boolean read) {
    if (bytes > 0) {
      accesses.get(shared.buffer(t)).add(new Access(step, from, from + bytes, read));
    }
  }

  /**
   * The windows of a buffer, in order of their steps; steps at which nothing is needed are in none.
   * O(a²) for a touches.
   */
  List<Window> of(int buffer) {
    List<Access> touches = accesses.get(buffer);
    TreeSet<Long> borders = new TreeSet<>();
    for (Access touch : touches) {
      borders.add(touch.low);
      borders.add(touch.high);
    }
    long[] cuts = borders.stream().mapToLong(Long::longValue).toArray();
    List<int[]> alive = new ArrayList<>();
    TreeSet<Integer> changes = new TreeSet<>();
    for (int k = 0; k + 1 < cuts.length; k++) {
      int before = Integer.MIN_VALUE;
      for (Access touch : touches) {
        if (touch.low > cuts[k] || touch.high <= cuts[k]) {
          continue;
        }
        int last = Math.min(Math.max(touch.step, 0), lives.steps() - 1);
        int first = touch.read && before != Integer.MIN_VALUE ? Math.max(before, 0) : last;
        before = touch.step;
        alive.add(new int[] {first, last + 1, k});
        changes.add(first);
        changes.add(last + 1);
      }
    }
    return windows(cuts, alive, changes.stream().mapToInt(Integer::intValue).toArray());
  }

  private static List<Window> windows(long[] cuts, List<int[]> alive, int[] steps) {
    long[] low = new long[steps.length];
    long[] high = new long[steps.length];
    long[] needed = new long[steps.length];
    Arrays.fill(low, Long.MAX_VALUE);
    int[] before = {0, 0, -1};
    for (int[] one : alive) {
      int counted = before[2] == one[2] ? before[1] : 0; // stretches touch at an op's step
      before = one;
      for (int s = Arrays.binarySearch(steps, one[0]); s < steps.length && steps[s] < one[1]; s++) {
        low[s] = Math.min(low[s], cuts[one[2]]);
        high[s] = Math.max(high[s], cuts[one[2] + 1]);
        needed[s] += steps[s] < counted ? 0 : cuts[one[2] + 1] - cuts[one[2]];
      }
    }
    List<Window> windows = new ArrayList<>();
    for (int s = 0; s + 1 < steps.length; s++) {
      if (high[s] == 0) {
        continue;
      }
      Window last = windows.isEmpty() ? null : windows.get(windows.size() - 1);
      int from = steps[s];
      boolean full = needed[s] >= high[s] - low[s];
      if (last != null
          && last.steps.end() == from
          && last.low == low[s]
          && last.high == high[s]
          && last.full == full) {
        windows.remove(windows.size() - 1);
        from = last.steps.start();
      }
      windows.add(new Window(new LiveRange(from, steps[s + 1]), low[s], high[s], full));
    }
    return windows;
  }
}

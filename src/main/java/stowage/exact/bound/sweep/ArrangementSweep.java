package stowage.exact.bound.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import stowage.packing.IndexOrder;

/**
 * Decision whether pieces fit below a ceiling, by sweeping over time, section by section, with all
 * arrangements of the live pieces that can still matter.
 *
 * <h2>Arrangements</h2>
 *
 * Pieces that are alive at one step are one above the other, in some order. An order at every step,
 * the same for two pieces wherever they meet, has a placement below the ceiling if and only if no
 * chain of pieces, each directly above the one before at some step, is higher than the ceiling.
 * What such chains demand of the pieces that live on is all that the future needs to know of the
 * past: for every two of them the least distance between their positions, the least distance of
 * each from the floor, and of the ceiling from each. An arrangement is an order with these
 * distances. Of two arrangements of the same order, one with no distance longer is as good, so only
 * those are kept that no other beats.
 *
 * <p>From one section to the next every arrangement is extended by the pieces that begin, in every
 * place of the order where the chains through them stay below the ceiling; then pieces that end are
 * struck out of the order, while the chains through them stay in the distances. When no arrangement
 * is left, nothing fits. As in every programme over the width of a graph, the time depends on how
 * many pieces are alive at once, at worst by its factorial, and is linear in the length; how loads
 * leave no room for most orders is what keeps it low in practice.
 *
 * <h2>Example</h2>
 *
 * A of 3 during [0, 2), B of 4 during [1, 3), C of 3 during [2, 4) under a ceiling of 7. In the
 * first section with two pieces, [1, 2), A is below B or above it; turned upside down both are the
 * same, so only A below B is kept: B is at least 3 from the floor. A ends; left is B alone with the
 * distances 3 and 4: it is at 3. C begins: above B it would end at 10, below it at 3. That fits.
 *
 * <h2>Savings</h2>
 *
 * Where no piece minds where it is, arrangements turned upside down are one. Pieces that are equal
 * except for their starts are one from then on. The least ceiling at which some chain that was too
 * high would have passed is remembered: below it nothing fits either.
 *
 * <p>Dynamic programming over live sets is known for the order of operations (Ahn et al., "Ordering
 * Chaos", MLSys 2020, arXiv 2003.02369); the idea to keep, for a fixed schedule, orders with the
 * transitive closure of their longest paths is our own.
 */
public final class ArrangementSweep {
  /** The most pieces alive at once. */
  public static final int WIDEST = 15;

  private static final int STRIDE = WIDEST + 2;
  private static final long MOST_CELLS = 6_000_000;
  private static final long WORK_BETWEEN = 100_000;
  private static final long TURNED = 1L << 63;

  /** What was found. */
  public enum Answer {
    /** All pieces fit. */
    FITS,
    /** Proven: they do not. */
    EXCLUDED,
    /** The work was spent, or too many pieces are alive at once. */
    TOO_LONG
  }

  private final SweepRectangles pieces;
  private final int[] first;
  private final boolean symmetric;
  private final long ceiling;
  private final int[][] order = new int[WIDEST + 1][STRIDE];
  private final long[][] matrix = new long[WIDEST + 1][STRIDE * STRIDE];
  private final int[] kept = new int[STRIDE];
  private final int[] leftOrder = new int[STRIDE];
  private final long[] left = new long[STRIDE * STRIDE];
  private final long[] turned = new long[STRIDE * STRIDE];
  private final List<Layer> layers = new ArrayList<>();
  private final List<int[]> begun = new ArrayList<>();
  private int[] fresh;
  private int section;
  private Layer next;
  private int parent;
  private final BooleanSupplier stop;
  private long work;
  private long asked;
  private long nextCeiling = Long.MAX_VALUE;
  private long[] positions;
  private int lastSection;

  /**
   * @param ceiling no piece with its tail may end above it
   * @param work how many figures may be looked at: about ten nanoseconds each
   * @param stop whether to end; asked every millisecond or so
   */
  public ArrangementSweep(SweepRectangles pieces, long ceiling, long work, BooleanSupplier stop) {
    this.pieces = pieces;
    this.first = pieces.classes();
    this.symmetric = pieces.isSymmetric();
    this.ceiling = ceiling;
    this.work = work;
    this.stop = stop;
    this.asked = work;
  }

  /** Sweeps. To be called once. */
  public Answer run() {
    int sections = Arrays.stream(pieces.end()).max().orElse(0);
    int[][] starting = bySection(pieces.start(), sections);
    int[] ending = new int[sections + 1];
    for (int end : pieces.end()) {
      ending[end]++;
    }
    Layer layer = new Layer(0, MOST_CELLS);
    layer.add(order[0], new long[1], 0, 0);
    int width = 0;
    for (section = 0; section < sections; section++) {
      fresh = starting[section];
      width += fresh.length;
      if (width > WIDEST) {
        return Answer.TOO_LONG;
      }
      width -= ending[section + 1];
      next = new Layer(width, MOST_CELLS);
      if (!extendAll(layer)) {
        return Answer.TOO_LONG;
      }
      begun.add(fresh);
      layers.add(next);
      lastSection = section;
      if (next.isEmpty()) {
        return Answer.EXCLUDED;
      }
      layer.forget();
      layer = next;
    }
    positions = trace();
    return Answer.FITS;
  }

  /** The pieces by section of their start, the highest first, equals side by side. */
  private int[][] bySection(int[] starts, int sections) {
    List<List<Integer>> lists =
        Stream.<List<Integer>>generate(ArrayList::new).limit(sections).toList();
    for (int i = 0; i < starts.length; i++) {
      lists.get(starts[i]).add(i);
    }
    int[][] result = new int[sections][];
    Comparator<Integer> order =
        Comparator.comparingLong((Integer i) -> -pieces.height()[i])
            .thenComparingInt(i -> first[i]);
    Arrays.setAll(result, s -> IndexOrder.of(lists.get(s).stream().mapToInt(i -> i), order));
    return result;
  }

  private boolean extendAll(Layer layer) {
    for (int state = 0; state < layer.count(); state++) {
      if (!layer.isBeaten(state)) {
        layer.read(state, order[0], matrix[0], STRIDE);
        parent = state;
        if (!insert(0, layer.width, 0, 0)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Puts the remaining pieces that begin into every place of an order.
   *
   * @param depth how many have been put in
   * @param length of the order
   * @param lowestPlace for a piece that equals the one before
   * @param places of those put in, four bits each
   * @return false when the work is spent
   */
  private boolean insert(int depth, int length, int lowestPlace, long places) {
    if (depth == fresh.length) {
      return finish(length, places);
    }
    int piece = fresh[depth];
    long height = pieces.height()[piece];
    long highest = pieces.highest()[piece];
    long tail = pieces.tail()[piece];
    if (highest != Long.MAX_VALUE) {
      tail = Math.max(tail, ceiling - highest - height);
    }
    int[] own = order[depth];
    long[] from = matrix[depth];
    int top = length + 1;
    for (int place = lowestPlace; place <= length; place++) {
      long floor = pieces.lowest()[piece];
      if (place > 0) {
        floor = Math.max(floor, from[place] + pieces.step()[own[place - 1]]);
      }
      long roof = height + tail;
      if (place < length) {
        roof = Math.max(roof, pieces.step()[piece] + from[(place + 1) * STRIDE + top]);
      }
      if (floor + roof > ceiling) {
        nextCeiling = Math.min(nextCeiling, floor + roof);
        continue;
      }
      put(depth, length, place, floor, roof);
      boolean twin = depth + 1 < fresh.length && first[fresh[depth + 1]] == first[piece];
      long at = places | (long) place << 4 * depth;
      if (!insert(depth + 1, length + 1, twin ? place + 1 : 0, at)) {
        return false;
      }
    }
    return true;
  }

  /** Makes the order and the distances of the next depth, with a piece put in above a node. */
  private void put(int depth, int length, int place, long floor, long roof) {
    int piece = fresh[depth];
    int[] own = order[depth];
    int[] longer = order[depth + 1];
    long[] from = matrix[depth];
    long[] to = matrix[depth + 1];
    int top = length + 1;
    int node = place + 1;
    System.arraycopy(own, 0, longer, 0, place);
    longer[place] = piece;
    System.arraycopy(own, place, longer, place + 1, length - place);
    work -= (long) (length + 3) * (length + 3) / 2;
    long step = pieces.step()[piece];
    long below = place > 0 ? pieces.step()[own[place - 1]] : 0;
    // From the piece to all above it.
    int row = node * STRIDE;
    for (int b = node; b < top; b++) {
      to[row + b + 1] = step + (b == node ? 0 : from[node * STRIDE + b]);
    }
    to[row + top + 1] = roof;
    // From all below it to the piece, and through it to all above it.
    for (int a = 0; a < node; a++) {
      int old = a * STRIDE;
      long reach = a == 0 ? floor : (a == place ? 0 : from[old + place]) + below;
      System.arraycopy(from, old + a + 1, to, old + a + 1, node - a - 1);
      to[old + node] = reach;
      for (int b = node; b <= top; b++) {
        to[old + b + 1] = Math.max(from[old + b], reach + to[row + b + 1]);
      }
    }
    for (int a = node; a < top; a++) {
      System.arraycopy(from, a * STRIDE + a + 1, to, (a + 1) * STRIDE + a + 2, top - a);
    }
  }

  /** Strikes out the pieces that end, and adds what is left to the next layer. */
  private boolean finish(int length, long places) {
    int[] full = order[fresh.length];
    long[] from = matrix[fresh.length];
    int nodes = 0;
    kept[nodes++] = 0;
    for (int k = 0; k < length; k++) {
      if (pieces.end()[full[k]] > section + 1) {
        leftOrder[nodes - 1] = first[full[k]];
        kept[nodes++] = k + 1;
      }
    }
    kept[nodes++] = length + 1;
    int at = 0;
    for (int a = 0; a < nodes; a++) {
      for (int b = a + 1; b < nodes; b++) {
        left[at++] = from[kept[a] * STRIDE + kept[b]];
      }
    }
    long[] figures = left;
    long insertion = places;
    if (symmetric && isUpsideDown(nodes - 2)) {
      turn(nodes);
      figures = turned;
      insertion |= TURNED;
    }
    int compared = next.add(leftOrder, figures, parent, insertion);
    work -= at + (long) Math.max(0, compared) * 4;
    if (asked - work > WORK_BETWEEN) {
      asked = work;
      if (stop.getAsBoolean()) {
        return false;
      }
    }
    return compared >= 0 && work > 0;
  }

  /** Whether an order, read from the top, comes before itself. */
  private boolean isUpsideDown(int length) {
    for (int a = 0, b = length - 1; a < b; a++, b--) {
      if (leftOrder[a] != leftOrder[b]) {
        return leftOrder[b] < leftOrder[a];
      }
    }
    return false;
  }

  /** Turns order and distances: positions become those of the tops, counted from the ceiling. */
  private void turn(int nodes) {
    int at = 0;
    for (int b = nodes - 1; b >= 0; b--) {
      long upper = b == 0 || b == nodes - 1 ? 0 : pieces.height()[leftOrder[b - 1]];
      for (int a = b - 1; a >= 0; a--) {
        long lower = a == 0 ? 0 : pieces.height()[leftOrder[a - 1]];
        turned[at++] = left[a * (2 * nodes - a - 1) / 2 + b - a - 1] + upper - lower;
      }
    }
    for (int a = 0, b = nodes - 3; a < b; a++, b--) {
      int piece = leftOrder[a];
      leftOrder[a] = leftOrder[b];
      leftOrder[b] = piece;
    }
  }

  /** A ceiling below which nothing fits either, once nothing fits: above the one asked for. */
  public long nextCeiling() {
    return nextCeiling;
  }

  /** The section that no arrangement came through, once nothing fits; the last one otherwise. */
  public int lastSection() {
    return lastSection;
  }

  public long workLeft() {
    return work;
  }

  /** A position of every piece, once they fit. */
  public long[] positions() {
    return positions.clone();
  }

  /** Goes back from the last arrangement, and stacks the pieces in its orders. */
  private long[] trace() {
    int[] states = new int[layers.size()];
    int state = 0;
    for (int s = layers.size() - 1; s >= 0; s--) {
      states[s] = state;
      state = layers.get(s).parent(state);
    }
    List<int[]> above = new ArrayList<>();
    List<Integer> live = new ArrayList<>();
    boolean down = false;
    for (int s = 0; s < states.length; s++) {
      long insertion = layers.get(s).insertion(states[s]);
      int[] own = begun.get(s);
      for (int k = 0; k < own.length; k++) {
        live.add((int) (insertion >>> 4 * k & 15), own[k]);
      }
      for (int k = 1; k < live.size(); k++) {
        above.add(
            down
                ? new int[] {live.get(k), live.get(k - 1)}
                : new int[] {live.get(k - 1), live.get(k)});
      }
      int now = s;
      live.removeIf(piece -> pieces.end()[piece] <= now + 1);
      if ((insertion & TURNED) != 0) {
        java.util.Collections.reverse(live);
        down = !down;
      }
    }
    return stacked(above);
  }

  private long[] stacked(List<int[]> above) {
    long[] at = pieces.lowest().clone();
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int[] pair : above) {
        long reach = at[pair[0]] + pieces.step()[pair[0]];
        if (at[pair[1]] < reach) {
          at[pair[1]] = reach;
          moved = true;
        }
      }
    }
    return at;
  }
}

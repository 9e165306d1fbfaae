package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Decision whether what some buffers need during a stretch of steps fits below a ceiling, by going
 * back in time from the last of these steps with all piles that can be there.
 *
 * <p>What is needed at a step is a pile: an order of pieces from the bottom up. Going back, pieces
 * are laid into the piles of the steps after, in every place, and taken out before the step at
 * which they begin. A pile remembers how far apart its pieces have to be, from each other, from the
 * floor and from the ceiling, for the sake of all pieces that were taken out. A pile higher than
 * the ceiling is dropped, and so is one whose distances are all as long as those of another pile of
 * the same order. If no pile is left at some step, nothing fits.
 *
 * <p>Example: A of 3 bytes during [0, 2), B of 4 during [1, 3), C of 3 during [2, 4), below 6. At
 * step 3 there is C; at step 2 B is below C or above it, and both are 7 high: nothing fits below 7.
 *
 * <p>This is a relaxation: gaps cut a buffer into pieces that need not be at one offset, extra
 * pairs and banks are left out, and of all alignments only what they have in common is kept. So it
 * proves that something does not fit, never that it does. The time grows with the number of pieces
 * alive at one step, at worst by its factorial, and is linear in the number of steps.
 */
final class OrderDpProof {
  private static final int TALLEST = 15;
  private static final int MOST_PILES = 250_000;

  /** A piece: steps, height, what is on it is {@code step} higher, and where it may be. */
  private record Piece(
      int start, int end, long height, long step, long lowest, long highest, long tail) {
    boolean isFree() {
      return lowest == 0 && tail == 0 && highest == Long.MAX_VALUE && step == height;
    }

    /** Whether another piece can replace this one in all steps before. */
    boolean equalsButForItsEnd(Piece other) {
      return start == other.start
          && height == other.height
          && step == other.step
          && lowest == other.lowest
          && highest == other.highest
          && tail == other.tail;
    }
  }

  /**
   * A pile.
   *
   * @param pieces from the bottom up
   * @param floor how far each must be above the floor
   * @param roof how far below the ceiling
   * @param apart how far the second must be above the first, for every two in this order
   */
  private record Pile(int[] pieces, long[] floor, long[] roof, long[][] apart) {
    boolean isAsLowAs(Pile other) {
      for (int i = 0; i < pieces.length; i++) {
        if (floor[i] > other.floor[i] || roof[i] > other.roof[i]) {
          return false;
        }
        for (int j = i + 1; j < pieces.length; j++) {
          if (apart[i][j] > other.apart[i][j]) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private final List<Piece> pieces = new ArrayList<>();
  private final int[] standIn;
  private final boolean turnable;
  private final long ceiling;
  private Map<List<Integer>, List<Pile>> piles = new HashMap<>();
  private int count;
  private long work;

  private OrderDpProof(List<Piece> pieces, long ceiling, long work) {
    this.pieces.addAll(pieces);
    this.standIn = new int[pieces.size()];
    this.ceiling = ceiling;
    this.work = work;
    this.turnable = pieces.stream().allMatch(Piece::isFree);
    for (int i = 0; i < standIn.length; i++) {
      int like = 0;
      while (!pieces.get(like).equalsButForItsEnd(pieces.get(i))) {
        like++;
      }
      standIn[i] = like;
    }
  }

  /**
   * Whether it is certain that the buffers do not fit.
   *
   * @param memory where they are; none may be elsewhere
   * @param steps what the buffers need at others is left out
   * @param work how many distances may be looked at
   * @return EXCLUDED where nothing fits, TOO_LONG otherwise
   */
  static DisjunctiveProof.Answer excludes(
      PackingProblem problem, int memory, int[] buffers, LiveRange steps, long ceiling, long work) {
    List<Piece> pieces = pieces(problem, memory, buffers, steps);
    long height = ceiling;
    if (pieces.stream().allMatch(Piece::isFree)) {
      height -= settleThroughout(pieces);
    }
    OrderDpProof proof = new OrderDpProof(pieces, height, work);
    return height < 0 || proof.nothingStands()
        ? DisjunctiveProof.Answer.EXCLUDED
        : DisjunctiveProof.Answer.TOO_LONG;
  }

  private static List<Piece> pieces(
      PackingProblem problem, int memory, int[] buffers, LiveRange steps) {
    long common = 0;
    boolean whole = true;
    for (int i : buffers) {
      common = Rounding.gcd(problem.alignment(i, memory), common);
      whole &= !problem.buffer(i).hasWindows();
    }
    List<Piece> pieces = new ArrayList<>();
    for (int i : buffers) {
      Buffer buffer = problem.buffer(i);
      for (Buffer.Span span : buffer.spans()) {
        int start = Math.max(span.start(), steps.start());
        int end = Math.min(span.end(), steps.end());
        if (start < end) {
          long height = span.high() - span.low();
          long rest = whole ? height % common : 0;
          long step = rest == 0 ? height : height - rest + common;
          long lowest = Math.max(0, buffer.fixedOffset()) + span.low();
          long highest = buffer.isFixed() ? lowest : Long.MAX_VALUE;
          long tail = buffer.size() - span.high();
          pieces.add(new Piece(start, end, height, step, lowest, highest, tail));
        }
      }
    }
    return pieces;
  }

  /**
   * Takes out pieces that meet all others and answers with their height: any of them can be moved
   * to the bottom, and what was below it up by its height.
   */
  private static long settleThroughout(List<Piece> pieces) {
    long settled = 0;
    boolean again = true;
    while (again) {
      int firstEnd = pieces.stream().mapToInt(Piece::end).min().orElse(0);
      int lastStart = pieces.stream().mapToInt(Piece::start).max().orElse(0);
      again = false;
      for (int k = pieces.size() - 1; k >= 0; k--) {
        if (pieces.get(k).start < firstEnd && pieces.get(k).end > lastStart) {
          settled += pieces.remove(k).height;
          again = true;
        }
      }
    }
    return settled;
  }

  private boolean nothingStands() {
    piles.put(List.of(), List.of(new Pile(new int[0], new long[0], new long[0], new long[0][])));
    int[] ends = pieces.stream().mapToInt(Piece::end).sorted().distinct().toArray();
    boolean turned = !turnable;
    for (int e = ends.length - 1; e >= 0; e--) {
      int end = ends[e];
      int before = e == 0 ? Integer.MIN_VALUE : ends[e - 1];
      int[] joining = joining(end);
      Map<List<Integer>, List<Pile>> old = piles;
      piles = new HashMap<>();
      count = 0;
      for (List<Pile> alike : old.values()) {
        for (Pile pile : alike) {
          // The first two pieces that meet may be in one order: turned over, it is the other.
          boolean half = !turned && pile.pieces.length == 0 && joining.length > 1;
          if (!lay(pile, joining, 0, -1, half, before)) {
            return false;
          }
        }
      }
      turned |= joining.length > 1 || old.keySet().stream().anyMatch(order -> !order.isEmpty());
      if (piles.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private int[] joining(int end) {
    Comparator<Integer> highest = Comparator.comparingLong(i -> -pieces.get(i).height);
    return IndexOrder.of(
        IntStream.range(0, pieces.size()).filter(i -> pieces.get(i).end == end),
        highest.thenComparingInt(i -> standIn[i]));
  }

  /** Lays the pieces from a place in the list on into a pile, everywhere; false when spent. */
  private boolean lay(Pile pile, int[] joining, int next, int above, boolean half, int before) {
    if (work < 0 || count > MOST_PILES || pile.pieces.length > TALLEST) {
      return false;
    }
    if (next == joining.length) {
      keep(pile, before);
      return true;
    }
    int piece = joining[next];
    boolean alike = next > 0 && standIn[joining[next - 1]] == standIn[piece];
    int lowest = alike ? above + 1 : half && next == 1 ? 1 : 0;
    for (int at = lowest; at <= pile.pieces.length; at++) {
      Pile taller = with(pile, piece, at);
      if (taller != null && !lay(taller, joining, next + 1, at, half, before)) {
        return false;
      }
    }
    return true;
  }

  /** The pile with a piece laid in above so many others; null where it is too high. */
  private Pile with(Pile pile, int which, int at) {
    int n = pile.pieces.length;
    Piece piece = pieces.get(which);
    long[] below = new long[at];
    long floor = piece.lowest;
    for (int i = 0; i < at; i++) {
      long own = i == at - 1 ? 0 : pile.apart[i][at - 1];
      below[i] = own + pieces.get(pile.pieces[at - 1]).step;
    }
    if (at > 0) {
      floor = Math.max(floor, pile.floor[at - 1] + pieces.get(pile.pieces[at - 1]).step);
    }
    long roof = piece.height + piece.tail;
    if (piece.highest != Long.MAX_VALUE) {
      roof = Math.max(roof, ceiling - piece.highest);
    }
    if (at < n) {
      roof = Math.max(roof, piece.step + pile.roof[at]);
    }
    work -= (long) (n + 2) * (n + 2);
    if (floor + roof > ceiling) {
      return null;
    }
    int[] order = new int[n + 1];
    long[] floors = new long[n + 1];
    long[] roofs = new long[n + 1];
    long[][] apart = new long[n + 1][n + 1];
    for (int i = 0; i <= n; i++) {
      int from = i > at ? i - 1 : i;
      order[i] = i == at ? which : pile.pieces[from];
      floors[i] = i == at ? floor : pile.floor[from];
      roofs[i] = i == at ? roof : pile.roof[from];
      for (int j = i + 1; j <= n; j++) {
        int to = j > at ? j - 1 : j;
        if (j == at) {
          apart[i][j] = below[i];
        } else if (i == at) {
          apart[i][j] = piece.step + (to == at ? 0 : pile.apart[at][to]);
        } else {
          apart[i][j] = pile.apart[from][to];
        }
      }
    }
    for (int i = 0; i < at; i++) {
      roofs[i] = Math.max(roofs[i], apart[i][at] + roof);
      for (int j = at + 1; j <= n; j++) {
        apart[i][j] = Math.max(apart[i][j], apart[i][at] + apart[at][j]);
      }
    }
    for (int j = at + 1; j <= n; j++) {
      floors[j] = Math.max(floors[j], floor + apart[at][j]);
    }
    return new Pile(order, floors, roofs, apart);
  }

  /** Keeps what of a pile is needed before a step, unless another pile is as low. */
  private void keep(Pile pile, int before) {
    int[] left =
        IntStream.range(0, pile.pieces.length)
            .filter(i -> pieces.get(pile.pieces[i]).start < before)
            .toArray();
    long[][] apart = new long[left.length][left.length];
    for (int i = 0; i < left.length; i++) {
      for (int j = i + 1; j < left.length; j++) {
        apart[i][j] = pile.apart[left[i]][left[j]];
      }
    }
    Pile smaller =
        new Pile(
            Arrays.stream(left).map(i -> standIn[pile.pieces[i]]).toArray(),
            Arrays.stream(left).mapToLong(i -> pile.floor[i]).toArray(),
            Arrays.stream(left).mapToLong(i -> pile.roof[i]).toArray(),
            apart);
    List<Integer> order = Arrays.stream(smaller.pieces).boxed().toList();
    List<Pile> alike = piles.computeIfAbsent(order, none -> new ArrayList<>());
    work -= alike.size() + left.length;
    for (Pile other : alike) {
      if (other.isAsLowAs(smaller)) {
        return;
      }
    }
    alike.removeIf(smaller::isAsLowAs);
    alike.add(smaller);
    count++;
  }
}

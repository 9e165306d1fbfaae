package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Generator that cuts one rectangle, all steps by the whole height, into pieces by straight cuts
 * from edge to edge. The pieces tile the rectangle, so at every step the live sizes add up to the
 * height: the max load is the height, and so is the optimum. Planners have to find the tiling
 * again.
 *
 * <p>Of three pieces drawn at random the largest is cut next; a cut falls across the longer side
 * (as a share of the whole) with twice the probability, and anywhere but at the edges. Guillotine
 * cuts are the classic way to instances of a known optimum (Hopper and Turton 2001, doi
 * 10.1016/S0377-2217(99)00357-4). O(n).
 */
final class GuillotineGenerator {
  private static final int COMPARED = 3;

  /** A piece: steps by units. */
  private record Piece(int start, int end, long low, long high) {
    boolean canBeCut() {
      return end - start > 1 || high - low > 1;
    }

    double area() {
      return (double) (end - start) * (high - low);
    }
  }

  private GuillotineGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 1, 10_000_000);
    int steps = values.count("steps", 1, Integer.MAX_VALUE);
    long unit = values.whole("unit", 1, 1L << 40);
    long most = PackingProblem.LARGEST_SUM / 2;
    long units = values.multiple("height", "the unit " + unit, unit, unit, most) / unit;
    if ((double) steps * units < count) {
      throw values.contradiction("buffers", "at most steps times height / unit");
    }
    Draws draws = values.draws();
    List<Piece> done = new ArrayList<>();
    List<Piece> open = new ArrayList<>();
    sort(new Piece(0, steps, 0, units), open, done);
    while (open.size() + done.size() < count) {
      int chosen = draws.below(open.size());
      for (int k = 1; k < COMPARED; k++) {
        int other = draws.below(open.size());
        chosen = open.get(other).area() > open.get(chosen).area() ? other : chosen;
      }
      Piece piece = open.get(chosen);
      open.set(chosen, open.get(open.size() - 1));
      open.remove(open.size() - 1);
      cut(piece, steps, units, draws, open, done);
    }
    done.addAll(open);
    draws.shuffle(done);
    List<Buffer> buffers = new ArrayList<>(done.size());
    for (Piece piece : done) {
      buffers.add(
          new Buffer(
              String.valueOf(buffers.size()),
              (piece.high - piece.low) * unit,
              piece.start,
              piece.end));
    }
    return PackingProblem.of("guillotine", buffers);
  }

  private static void cut(
      Piece piece, int steps, long units, Draws draws, List<Piece> open, List<Piece> done) {
    int length = piece.end - piece.start;
    long height = piece.high - piece.low;
    boolean longer = (double) length / steps > (double) height / units;
    boolean inTime = height == 1 || (length > 1 && draws.happens(longer ? 2 / 3.0 : 1 / 3.0));
    if (inTime) {
      int at = piece.start + 1 + draws.below(length - 1);
      sort(new Piece(piece.start, at, piece.low, piece.high), open, done);
      sort(new Piece(at, piece.end, piece.low, piece.high), open, done);
    } else {
      long at = piece.low + draws.uniform(1, height - 1);
      sort(new Piece(piece.start, piece.end, piece.low, at), open, done);
      sort(new Piece(piece.start, piece.end, at, piece.high), open, done);
    }
  }

  private static void sort(Piece piece, List<Piece> open, List<Piece> done) {
    (piece.canBeCut() ? open : done).add(piece);
  }
}

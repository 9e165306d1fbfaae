package stowage.rewrite;

/**
 * Where an op of a rewritten network comes from.
 *
 * @param op index of an op of the given network: the op itself; for a slice or a pad the op that
 *     reads it, or whose result it crops; for a concatenation the op whose result it assembles
 * @param run index of the run it belongs to, -1 for none
 * @param piece number of the piece from 0, in the order of addresses (rows, then columns); -1 for
 *     what belongs to no piece
 * @param pieces how many pieces the run has, 1 outside of runs
 * @param copy 1 for the first computation of a value, 2 for the second, ...
 */
public record OpOrigin(int op, Kind kind, int run, int piece, int pieces, int copy) {

  /** What an op of a rewritten network is. */
  public enum Kind {
    /** An op as it was given. */
    GIVEN,
    /** A piece of a given op. */
    PIECE,
    /** Takes a part of a tensor. */
    SLICE,
    /** Adds the padding of a piece. */
    PAD,
    /** Puts pieces together. */
    CONCAT,
    /** A given op, computed again. */
    COPY
  }

  /** Another op at the same place of a run. */
  OpOrigin as(Kind other) {
    return new OpOrigin(op, other, run, piece, pieces, copy);
  }

  /** An op that is as it was given. */
  public static OpOrigin given(int op) {
    return new OpOrigin(op, Kind.GIVEN, -1, -1, 1, 1);
  }
}

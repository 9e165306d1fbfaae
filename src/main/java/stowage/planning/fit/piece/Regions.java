package stowage.planning.fit.piece;

import stowage.rewrite.RunProgram;

/** Geometry of regions of tensors: where one is cut from another, and how its bytes lie there. */
final class Regions {
  private static final int NONE = -1;

  private Regions() {}

  /** The one dimension along which a region is less than another; -1 for none or several. */
  static int cut(RunProgram.Value part, long[] begin, long[] end) {
    int found = NONE;
    for (int d = 0; d < begin.length; d++) {
      if (part.begin()[d] != begin[d] || part.end()[d] != end[d]) {
        if (found >= 0) {
          return NONE;
        }
        found = d;
      }
    }
    return found;
  }

  /** The first dimension along which a region is less than another, which it is. */
  static int first(RunProgram.Value part, RunProgram.Value whole) {
    int dim = 0;
    while (dim + 1 < part.begin().length
        && part.begin()[dim] == whole.begin()[dim]
        && part.end()[dim] == whole.end()[dim]) {
      dim++;
    }
    return dim;
  }

  /** Whether parts of a region along a dimension are one stretch of its bytes each. */
  static boolean isStretch(RunProgram.Value whole, int dim) {
    for (int d = 0; d < dim; d++) {
      if (whole.end()[d] - whole.begin()[d] != 1) {
        return false;
      }
    }
    return whole.bytes() % (whole.end()[dim] - whole.begin()[dim]) == 0;
  }

  /** Whether the operands of a step follow one another in its result. */
  static boolean isStack(RunProgram program, RunProgram.Step step) {
    RunProgram.Value whole = program.values().get(step.writes()[0]);
    int dim = NONE;
    for (int v : step.reads()) {
      for (int d = 0; v >= 0 && d < whole.begin().length; d++) {
        RunProgram.Value part = program.values().get(v);
        dim = part.shape()[d] == whole.shape()[d] ? dim : d;
      }
      if (v < 0 || dim < 0) {
        return false;
      }
    }
    return isStretch(whole, dim);
  }

  /** The first index of a piece of an extent that is cut evenly. */
  static long bound(long extent, int count, int piece) {
    return piece * (extent / count) + Math.min(piece, extent % count);
  }
}

package stowage.planning.fit;

import java.util.Locale;

/** A means of lowering the peak, in the order in which a run tries them. */
public enum Lever {
  /** Another order of the ops. */
  ORDER,
  /** Tensors that share a buffer: views, and ops in place. */
  SHARING,
  /** Runs of ops executed piece by piece. */
  SPLIT,
  /** Ops computed again instead of kept. */
  RECOMPUTE;

  /** The name on the command line and in answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

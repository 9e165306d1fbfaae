package stowage.kernel;

import stowage.kernel.model.KernelFigures;

/** What a kernel's plan is to have little of. */
public enum KernelGoal {
  /** The peak of all buffers between ALLOC and FREE; needs no addresses. */
  RESIDENCY,
  /** Units moved by spills; ties are broken by cycles. */
  TRAFFIC,
  /** Cycles until the last node ends; ties are broken by traffic. */
  TIME;

  public long figure(KernelFigures figures) {
    return switch (this) {
      case RESIDENCY -> figures.residency();
      case TRAFFIC -> figures.traffic();
      case TIME -> figures.cycles();
    };
  }

  /** Whether figures are better than others. */
  public boolean isBetter(KernelFigures figures, KernelFigures others) {
    if (figure(figures) != figure(others)) {
      return figure(figures) < figure(others);
    }
    return switch (this) {
      case RESIDENCY -> false;
      case TRAFFIC -> figures.cycles() < others.cycles();
      case TIME -> figures.traffic() < others.traffic();
    };
  }
}

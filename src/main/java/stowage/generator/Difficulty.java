package stowage.generator;

import stowage.packing.PackingProblem;

/** How hard an instance is, for a search of hard ones. */
interface Difficulty {
  /** A difficulty of at least this means that the instance is what was looked for. */
  double REACHED = 1;

  /** The difficulty; more is harder. */
  double of(PackingProblem problem);
}

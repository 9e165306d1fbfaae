package stowage;

/** How much a run is worth. Limits of time and work hold whatever the effort. */
public enum Effort {
  /**
   * Bounds that need no search and the quick heuristics: a thousand buffers take about ten
   * milliseconds in a process that is warm. The run ends by itself.
   */
  FAST,

  /** The engines join; a run without a limit of its own ends once going on promises little. */
  NORMAL,

  /** The run continues until the optimum is proven: up to an hour where no limit is given. */
  PROOF
}

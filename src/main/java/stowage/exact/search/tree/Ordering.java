package stowage.exact.search.tree;

/**
 * In which order buffers of equal offset are tried. T is the largest total of a section the buffer
 * is live in (counting the unplaced ones), W its width in sections, A its area; larger goes first.
 * The order decides more than any prune, and which one suits cannot be known beforehand.
 */
public enum Ordering {
  /** Total, then width, then area: the best single one. */
  TWA,
  /** Width, then area, then total. */
  WAT,
  /** Total, then area, then width. */
  TAW
}

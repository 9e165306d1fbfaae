package stowage.exact.search.model;

import stowage.packing.RunControl;

/**
 * Receiver of a search's progress. Calls come from the searching threads, one at a time; they
 * should return quickly and must not call back into the search except through its {@link
 * RunControl}.
 */
public interface SearchListener {
  /** Ignores everything. */
  SearchListener SILENT =
      new SearchListener() {
        @Override
        public void placement(long[] offsets, long peak, String source) {}

        @Override
        public void bound(long bound, String source) {}
      };

  /** A placement better than all before, its peak, and who found it; the offsets may be kept. */
  void placement(long[] offsets, long peak, String source);

  /** A bound higher than all before: no placement has a lower peak, as the source has proven. */
  void bound(long bound, String source);

  /**
   * The lowest peak known outside, in the problem's unit, {@link Long#MAX_VALUE} for none; only
   * lower ones are of interest. Asked often, from all searching threads at once.
   */
  default long knownPeak() {
    return Long.MAX_VALUE;
  }

  /** A long phase has started; {@code what} names it in a few words. */
  default void began(String what) {}

  /** The last {@code tries} large placements hardly lowered the peak: going on promises little. */
  default void flattened(int tries) {}
}

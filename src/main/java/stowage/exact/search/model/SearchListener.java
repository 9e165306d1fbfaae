package stowage.exact.search.model;

import stowage.packing.RunControl;

/**
 * Is notified of progress as it is made. Calls come from the searching threads, one at a time; they
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

  /**
   * A placement better than all before.
   *
   * @param offsets its offsets, the listener's to keep
   * @param peak its peak
   * @param source who found it
   */
  void placement(long[] offsets, long peak, String source);

  /**
   * A bound higher than all before: no placement has a lower peak.
   *
   * @param source who proved it
   */
  void bound(long bound, String source);

  /**
   * The lowest peak known outside the search; only lower ones are of interest. Asked often, from
   * all searching threads at once.
   *
   * @return the peak in the problem's unit, {@link Long#MAX_VALUE} while there is none
   */
  default long knownPeak() {
    return Long.MAX_VALUE;
  }

  /**
   * A long phase has started.
   *
   * @param what it is, in a few words
   */
  default void began(String what) {}

  /**
   * Large placements have been tried in several ways in turn, and the peak has hardly fallen: to go
   * on promises little.
   *
   * @param tries how many ways they were
   */
  default void flattened(int tries) {}
}

package stowage.kernel.bound;

import java.util.BitSet;
import java.util.function.Supplier;

/**
 * Price of the steps of a {@link MilestoneSearch}: how much is live at least, or spilled, while a
 * milestone runs and exactly some others have run.
 */
public interface StepPrice {

  /** What a price knows of a set of milestones. */
  interface Rest {
    /** Whether running an op next is known to cost nothing, whatever else has run. */
    default boolean isFree(int op) {
      return false;
    }
  }

  /** The cut on which the search pins the set, and the milestone that runs. */
  LiveCut cut();

  long cuts();

  /**
   * What is known of the set that is pinned.
   *
   * @param ran gives its milestones and all ops before them
   */
  Rest rest(Supplier<BitSet> ran);

  /**
   * The price of the step that is pinned.
   *
   * @param worth a price of no more is as good as this
   * @param most a price of at least this need not be exact
   */
  long step(long worth, long most);

  /**
   * What is known of the set with one more milestone, where no order loses by running it next;
   * otherwise null. No milestone is pinned as running.
   */
  Rest after(Rest before, int op);

  /** Whether a step that symmetry maps to one judged before is left out. */
  default boolean asksImagesOnce() {
    return false;
  }
}

package stowage.kernel.bound;

/**
 * Price of the steps of a {@link MilestoneSearch}: how much is live at least, or spilled, while a
 * milestone runs and exactly some others have run.
 */
public interface StepPrice {

  /** The cut on which the search pins the set, and the milestone that runs. */
  LiveCut cut();

  /**
   * The price of the step that is pinned.
   *
   * @param worth a price of no more is as good as this
   * @param most a price of at least this need not be exact
   */
  long step(long worth, long most);

  /**
   * The least price once exactly the set that is pinned has run, where a step that does not raise
   * it may be committed to; negative where no step may. Then steps that symmetry maps to one judged
   * before are left out instead.
   */
  default long rest() {
    return -1;
  }
}

package stowage.onchip.schedule;

import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;

/**
 * A group with its slices as it runs, except for its addresses, and what stays in LMEM throughout.
 */
public record GroupRun(SlicedGroup sliced, TimeTable table, Staying staying) {
  /** Its buffers in LMEM: see {@link LmemBuilder#built}. */
  public LmemProblem problem() {
    return LmemBuilder.built(this, null).problem();
  }

  /** The same with other things staying. */
  public GroupRun with(Staying others) {
    return new GroupRun(sliced, table, others);
  }

  GroupRun with(TimeTable other) {
    return new GroupRun(sliced, other, staying);
  }
}

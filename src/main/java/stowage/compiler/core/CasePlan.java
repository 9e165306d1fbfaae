package stowage.compiler.core;

import stowage.packing.Placement;

/**
 * What a real system's planner made of a case.
 *
 * @param placement an offset for every buffer of the case's problem
 * @param objects the number of objects, pools or allocations that it reused; 1 for one arena
 * @param cutShort whether it was stopped before its own end, so that the system itself, which has
 *     no such limit, may give something else
 * @param remark what there is to say of it besides, such as another way of counting its bytes;
 *     empty where there is nothing
 */
public record CasePlan(Placement placement, int objects, boolean cutShort, String remark) {
  /** What to describe a plan that was cut short. */
  public static final String CUT_SHORT =
      "cut short by the limit, the system itself may give another plan";

  /** A plan that came to its own end. */
  public CasePlan(Placement placement, int objects) {
    this(placement, objects, false);
  }

  /** A plan with nothing else to say of it. */
  public CasePlan(Placement placement, int objects, boolean cutShort) {
    this(placement, objects, cutShort, "");
  }

  public CasePlan withRemark(String other) {
    return new CasePlan(placement, objects, cutShort, other);
  }

  public static CasePlan arena(Placement placement) {
    return new CasePlan(placement, 1);
  }

  /** A plan in one arena by a search that may have been stopped. */
  public static CasePlan searched(Placement placement, boolean cutShort) {
    return new CasePlan(placement, 1, cutShort);
  }
}

package stowage.report;

import java.util.List;
import java.util.Map;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Incumbent;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;

/** Small runs whose every figure is known by hand. */
public final class SampleRuns {
  private SampleRuns() {}

  /**
   * Three buffers at their optimum of 12: a (8 bytes, [0, 5)), b (4 bytes, [3, 9)), c (8 bytes, [6,
   * 9)). The load is 8, 12, 4 and 12.
   */
  public static PackingProblem three() {
    return PackingProblem.of(
        "three",
        List.of(new Buffer("a", 8, 0, 5), new Buffer("b", 4, 3, 9), new Buffer("c", 8, 6, 9)));
  }

  /** The optimal plan of {@link #three}: b is above a and c. */
  public static Plan threeOptimal() {
    return plan(three(), Placement.of(new long[] {0, 8, 0}));
  }

  /** Ids that break careless writers: markup, quotes, a script's end, control characters. */
  public static PackingProblem nasty() {
    return PackingProblem.of(
        "<i>\"nasty\" & 'odd'</i>",
        List.of(
            new Buffer("</script><script>alert(1)</script>", 8, 0, 5),
            new Buffer("a\"b'c&d<e>]]>", 4, 3, 9),
            new Buffer("tab\tline\nnul\u0001é漢😀\u2028", 8, 6, 9)));
  }

  /** Two memories, gaps and windows, an alignment, banks and an extra conflict. */
  public static PackingProblem rich() {
    Memory sram = new Memory("sram", 64, 1, 0, 0);
    Memory dram = new Memory("dram", Memory.UNBOUNDED, 16, 0, 64);
    Buffer gapped =
        new Buffer(
            "gapped",
            32,
            new LiveRange(0, 20),
            16,
            Buffer.NONE,
            Buffer.NONE,
            List.of(Gap.empty(4, 8), new Gap(new LiveRange(10, 14), 8, 24)),
            List.of("dram"),
            true);
    Buffer quick = new Buffer("quick", 48, 2, 9).withMemories(List.of("sram"));
    Buffer either = new Buffer("either", 16, 5, 12);
    Buffer late = new Buffer("late", 32, 12, 20).withMemories(List.of("dram"));
    Buffer never = new Buffer("never", 16, 6, 6);
    return new PackingProblem(
        "rich",
        List.of(gapped, quick, either, late, never),
        List.of(sram, dram),
        ConflictPairs.of(5, List.of(new int[] {0, 3})));
  }

  /** A valid plan of {@link #rich}. */
  public static Plan richPlan() {
    return plan(rich(), Placement.of(new long[] {0, 0, 48, 32, 0}, new int[] {1, 0, 0, 1, 1}));
  }

  /** A plan through an incumbent, with the given bounds. */
  public static Plan plan(PackingProblem problem, Placement placement, Bound... bounds) {
    Incumbent incumbent = new Incumbent(problem);
    for (Bound bound : bounds) {
      incumbent.offer(bound, bound.kind());
    }
    if (placement != null && !incumbent.offer(placement, "by-hand")) {
      throw new AssertionError("not valid: " + incumbent.rejection());
    }
    return Plan.of(incumbent);
  }

  /** An solver claim. */
  public static Certificate word(String kind) {
    return Certificate.SolverClaim.of(kind, kind + " 1.0", Map.of("nodes", 42L));
  }

  /** A problem with its capacity one byte under the max load of 12, proven infeasible. */
  public static Plan infeasible() {
    PackingProblem tight = three().withCapacity(0, 11);
    Incumbent incumbent = new Incumbent(tight);
    Certificate why = new Certificate.MaxLoad(0, 3, 0, new int[] {0, 1});
    incumbent.offer(Bound.of(12, why), "max-load");
    incumbent.provenInfeasible(why, "max-load");
    return Plan.of(incumbent);
  }
}

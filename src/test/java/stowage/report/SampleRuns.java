package stowage.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import stowage.exact.engine.EngineReport;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Baseline;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Incumbent;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.SolverClaim;
import stowage.planning.LoadedProblem;
import stowage.report.compare.PlansHtml;

/** Small runs whose every figure is known by hand. */
public final class SampleRuns {
  private SampleRuns() {}

  /**
   * Three buffers at their optimum of 12: a (8 bytes, [0, 5)), b (4 bytes, [3, 9)), c (8 bytes, [6,
   * 9)). The load is 8, 12, 4 and 12.
   */
  public static PackingProblem three() {
    return PackingProblem.of("three", Buffers.of("a:8[0,5) b:4[3,9) c:8[6,9)"));
  }

  /** The optimal plan of {@link #three}: b is above a and c. */
  public static Plan threeOptimal() {
    return threeAt(8);
  }

  /** A plan of {@link #three} that has a and c at 0 and b at an offset, with some bounds. */
  public static Plan threeAt(long offset, Bound... bounds) {
    return plan(three(), Placement.of(new long[] {0, offset, 0}), bounds);
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

  /** The plan of {@link #nasty} with the offsets 0, 8 and 0. */
  public static Plan nastyPlan() {
    return plan(nasty(), Placement.of(new long[] {0, 8, 0}));
  }

  /** Two memories, gaps and windows, an alignment, banks and an extra conflict. */
  public static PackingProblem rich() {
    Memory sram = new Memory("sram", 64, 1, 0, 0);
    Memory dram = new Memory("dram", Memory.UNBOUNDED, 16, 0, 64);
    Buffer gapped =
        new Buffer("gapped", 32, 0, 20)
            .withAlignment(16)
            .withGaps(List.of(Gap.empty(4, 8), new Gap(new LiveRange(10, 14), 8, 24)))
            .withMemories(List.of("dram"))
            .withinBank(true);
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

  /** A report of a plan whose buffers carry tensors of a network without ops. */
  public static RunReport carrying(Plan plan, List<List<String>> tensors) {
    Network network =
        new Network("net", "test", List.of(), List.of(), List.of(), List.of(), List.of());
    return report(plan, network, tensors, null, RunFacts.NONE);
  }

  /** A report of the plan of a network with a weight of 100 bytes. */
  static RunReport report(
      Plan plan, Network network, List<List<String>> tensors, Baseline baseline, RunFacts facts) {
    List<PlanningCase.BufferContents> contents = new ArrayList<>();
    for (List<String> names : tensors) {
      contents.add(
          new PlanningCase.BufferContents(
              names.stream().map(name -> new PlanningCase.Part(name, 0)).toList()));
    }
    PlanningCase planned =
        new PlanningCase(
            network,
            network.executionOrder(),
            plan.problem(),
            contents,
            List.of(new PlanningCase.WeightPlace("w0", 4096, 100)),
            8192,
            LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.NONE));
    LoadedProblem input = new LoadedProblem(plan.problem(), planned, baseline, null, Set.of());
    RunSettings settings = new RunSettings(List.of("cpsat"), 7, 2, true, FigureSize.USUAL);
    return RunReport.of(plan, input, settings, facts, null);
  }

  /** A report of all there may be to say of a network whose buffers are those of {@link #three}. */
  public static RunReport ofNetwork(Incumbent incumbent) {
    Network network =
        Graphs.of("x:8; weight w0:100; y:8 = Relu x; z:8 = Relu y; w:8 = Relu z; -> w").network();
    Map<String, Long> offsets = Map.of("x", 0L, "y", 8L, "z", 16L, "w", 24L);
    List<List<String>> carried = List.of(List.of("x", "y"), List.of("z"), List.of("w"));
    EngineReport engine =
        new EngineReport(
            "cpsat", 0.5, "CP-SAT 9.15", new TreeMap<>(Map.of("branches", 10L)), 12, "");
    RunFacts facts =
        new RunFacts(List.of(engine), incumbent.trace(), List.of(), null, null, null, null, null);
    Baseline baseline = new Baseline("tpu-mlir", offsets, -1, 1, false);
    return report(Plan.of(incumbent), network, carried, baseline, facts);
  }

  /** A solver claim. */
  public static Certificate word(String kind) {
    return SolverClaim.of(kind, kind + " 1.0", Map.of("nodes", 42L));
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

  /** A page of two plans, of which the second is proven. */
  public static String twoPlans() {
    List<PlansHtml.Entry> plans =
        List.of(
            new PlansHtml.Entry("high", Placement.of(new long[] {0, 20, 0}), 0.5),
            new PlansHtml.Entry("low", Placement.of(new long[] {0, 8, 0}), Double.NaN));
    return PlansHtml.of(three(), 12, plans, FigureSize.USUAL);
  }
}

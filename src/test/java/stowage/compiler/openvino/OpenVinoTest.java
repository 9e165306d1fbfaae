package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.Refusals;
import stowage.compiler.core.CasePlan;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class OpenVinoTest {
  private static CasePlan plan(PlanningCase given) {
    CasePlan plan = new OpenVino().plan(given, RunControl.unlimited());
    assertEquals(List.of(), Verifier.violations(given.problem(), plan.placement()));
    assertTrue(Verifier.isValid(new OpenVino().rules(given).problem(), plan.placement()));
    return plan;
  }

  private static GpuAllocation allocation(PlanningCase given, GpuDevice device) {
    return GpuAllocation.of(given, device, GpuUse.ofStreams(1));
  }

  @Test
  void aChainNeedsTwoRecordsAndItsOutput() {
    PlanningCase given =
        Graphs.of("x:4; a:8 = Conv x; b:6 = Conv a; c:5 = Conv b; -> c").planningCase();
    GpuAllocation allocation = allocation(given, GpuDevice.unlimited());
    // By size: a makes 8, b is kept from a and makes 6, c is an output and goes past the pool, x is
    // kept from a alone: the smallest that suffices is b's.
    assertEquals(List.of(8L, 6L, 5L), allocation.objects());
    assertEquals(
        List.of(
            "GPU_Debug: Allocate 8 bytes of usm_device allocation type (current=8; max=8)",
            "GPU_Debug: Allocate 6 bytes of usm_device allocation type (current=14; max=14)",
            "GPU_Debug: Allocate 5 bytes of usm_host allocation type (current=5; max=5)"),
        allocation.history().lines());
    assertEquals(19, plan(given).placement().peak(given.problem(), 0));
    assertEquals(3, plan(given).objects());
  }

  @Test
  void twoResultsOfANodeNeverShare() {
    PlanningCase given =
        Graphs.of("x:8; p:4 q:4 = TopK x; r:2 = Conv p; s:3 = Conv r; -> s").planningCase();
    // x makes 8. p is kept from x: 4. q is of p's own node, and kept from x: 4 more, though no one
    // reads it. r is kept from p's node, not from x: the smallest record that is left is x's. s is
    // an output: 3.
    GpuAllocation allocation = allocation(given, GpuDevice.unlimited());
    assertEquals(List.of(8L, 4L, 4L, 3L), allocation.objects());
    assertEquals(allocation.object(buffer(given, "x")), allocation.object(buffer(given, "r")));
    assertEquals(4, plan(given).objects());
  }

  @Test
  void constantsAreMadeOnTheHostAndMoved() {
    PlanningCase given =
        Graphs.of("x:4; weight w:10; weight unused:3; y:4 = Conv x w; -> y").planningCase();
    GpuAllocation allocation = GpuAllocation.of(given, GpuDevice.unlimited(), GpuUse.ofStreams(2));
    assertEquals(
        List.of(
            "GPU_Debug: Allocate 10 bytes of usm_host allocation type (current=10; max=10)",
            "GPU_Debug: Allocate 3 bytes of usm_host allocation type (current=13; max=13)",
            "GPU_Debug: Allocate 10 bytes of usm_device allocation type (current=10; max=10)",
            // Each stream has its input and its output; x comes first of equal sizes.
            "GPU_Debug: Allocate 4 bytes of usm_device allocation type (current=14; max=14)",
            "GPU_Debug: Allocate 4 bytes of usm_host allocation type (current=7; max=13)",
            "GPU_Debug: Allocate 4 bytes of usm_device allocation type (current=18; max=18)",
            "GPU_Debug: Allocate 4 bytes of usm_host allocation type (current=11; max=13)"),
        allocation.history().lines());
    assertEquals(18, allocation.history().largest(AllocationType.USM_DEVICE));
    assertEquals(11, allocation.history().current(AllocationType.USM_HOST));
  }

  private static GpuDevice device(
      boolean shared, long bytes, long largest, GpuDevice.Passes passes) {
    GpuDevice.KernelSum sum = GpuDevice.KernelSum.INPUTS_AND_OUTPUTS;
    return new GpuDevice(shared, bytes, largest, sum, passes, AllocationType.USM_HOST);
  }

  private static GpuDevice device(boolean shared, long bytes, long largest) {
    return device(shared, bytes, largest, GpuDevice.Passes.ALL);
  }

  /** x → l1 → l2, x → r, l2 and r → s: r may take l1's memory in order, never out of order. */
  @Test
  void thePassOfTheQueueAloneKeepsLessApart() {
    PlanningCase given =
        Graphs.of("x:4; l1:8 = Conv x; l2:4 = Conv l1; r:8 = Conv x; s:4 = Add l2 r; -> s")
            .planningCase();
    int l1 = buffer(given, "l1");
    int r = buffer(given, "r");
    for (GpuDevice.Passes passes : GpuDevice.Passes.values()) {
      GpuDevice device = device(true, Long.MAX_VALUE, Long.MAX_VALUE, passes);
      GpuAllocation allocation = allocation(given, device);
      assertEquals(
          passes == GpuDevice.Passes.IN_ORDER,
          allocation.object(l1) == allocation.object(r),
          passes.toString());
    }
  }

  @Test
  void bothLimitsOfADeviceHold() {
    PlanningCase given =
        Graphs.of("x:40 z:40; a:40 = Add x z +12; y:4 = Conv a; -> y").planningCase();
    // a's inputs together exceed 60 bytes: a goes to the host; its scratch finds no room.
    GpuAllocation small = allocation(given, device(true, 60, 100));
    assertEquals(AllocationType.USM_HOST, small.type(buffer(given, "a")));
    assertEquals(AllocationType.USM_HOST, small.type(buffer(given, "a#scratch")));
    GpuAllocation large = allocation(given, device(true, 140, 100));
    assertEquals(AllocationType.USM_DEVICE, large.type(buffer(given, "a")));
    assertEquals(AllocationType.USM_DEVICE, large.type(buffer(given, "a#scratch")));
    GpuAllocation without = allocation(given, device(false, 140, 100));
    assertEquals(AllocationType.CL_MEM, without.type(buffer(given, "a")));
    Refusals.says(
        NotPlannableException.class, () -> allocation(given, device(true, 1000, 39)), "40 bytes");
  }

  private static int buffer(PlanningCase given, String id) {
    return given.problem().buffers().stream().map(Buffer::id).toList().indexOf(id);
  }

  @Test
  void whatLiesInAConcatGoesPastThePool() {
    String branches = "x:6; a:3 = Conv x; b:3 = Conv x; c:6 = Concat a b; d:6 = Conv c; ";
    PlanningCase given = Graphs.of(branches + "e:6 = Conv d; -> e").planningCase();
    // In place: the concat's 6 bytes are an object that no one else gets; x makes one that d may
    // take, for x is over when d is made; the output is the third.
    assertEquals(18, plan(given).placement().peak(given.problem(), 0));
    assertEquals(3, plan(given).objects());
  }

  @Test
  void recordsBeginAtMultiplesOfTheAlignmentAlsoWhereSizesAreNone() {
    PlanningCase given =
        Graphs.of("x:4; a:8 = Conv x; b:6 = Conv a; c:5 = Conv b; -> c").planningCase();
    PackingProblem free = given.problem();
    Memory memory = new Memory("m", Memory.UNBOUNDED, 4, 0, 0, List.of());
    PackingProblem aligned =
        new PackingProblem(
            "p", free.buffers(), List.of(memory), free.conflicts(), free.relations());
    assertEquals(21, plan(given.withProblem(aligned)).placement().peak(aligned, 0));
  }

  @Test
  void parallelBranchesDoNotShareThoughInOrderTheyCould() {
    PlanningCase given =
        Graphs.of(
                "x:1; a:1 = Conv x; l:50 = Conv a; m:1 = Conv l; r:50 = Conv a; "
                    + "s:1 = Add m r; -> s")
            .planningCase();
    // l is over before r is made, but they do not lead to each other.
    assertTrue(plan(given).placement().peak(given.problem(), 0) >= 100);
    // Besides, s is an output, and past the pool no one shares with any other.
    ConflictPairs apart = new OpenVino().rules(given).problem().conflicts();
    List<String> pairs = new ArrayList<>();
    for (String one : List.of("x", "a", "l", "m", "r", "s")) {
      for (int other : apart.of(buffer(given, one))) {
        pairs.add(one + given.problem().buffer(other).id());
      }
    }
    assertEquals(List.of("xs", "as", "lr", "ls", "rl", "sx", "sa", "sl"), pairs);
  }

  @Test
  void aListOfBuffersIsRefusedForWantOfAGraph() {
    PlanningCase list =
        PlanningCase.ofBuffers(PackingProblem.of("list", List.of(new Buffer("a", 4, 0, 2))));
    Refusals.says(
        NotPlannableException.class,
        () -> new OpenVino().plan(list, RunControl.unlimited()),
        "graph");
  }
}

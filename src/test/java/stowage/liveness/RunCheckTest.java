package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stowage.Thorough;
import stowage.heuristic.HeuristicPlanners;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Order;
import stowage.liveness.LivenessOptions.Sharing;
import stowage.liveness.RunCheck.Clash;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReuseCost;
import stowage.packing.RunControl;

/** What the check of runs says of random programs, against every run of them. */
class RunCheckTest {
  private static final List<InPlace> ALL_IN_PLACE = List.of(InPlace.values());

  /**
   * How ops run, what is in place by the case's number, and what becomes of buffers side by side.
   */
  enum Rules {
    IN_ORDER,
    OUT_OF_ORDER,
    BRANCHES,
    PRICED,
    BANDS;

    PlanningCase of(RandomProgram program, long seed) {
      LivenessOptions options =
          LivenessOptions.defaults()
              .withAlignments(1, 1)
              .withInPlace(ALL_IN_PLACE.get((int) (seed % ALL_IN_PLACE.size())));
      Network network = program.network();
      LivenessOptions open = options.withOrder(Order.OUT_OF_ORDER);
      return switch (this) {
        case IN_ORDER -> Liveness.of(network, options);
        case OUT_OF_ORDER -> Liveness.of(network, open);
        case BRANCHES -> Liveness.of(network, options.withOrder(Order.BRANCHES));
        case PRICED -> Liveness.of(network, open.withSharing(Sharing.PRICED));
        case BANDS -> {
          LivenessOptions optimal = options.withInPlace(InPlace.OPTIMAL);
          yield Liveness.inBands(network, network.executionOrder(), optimal);
        }
      };
    }

    boolean sideBySide() {
      return this == OUT_OF_ORDER || this == PRICED;
    }

    /** The runs, in which what is paid for is waited for; null where there are too many. */
    EveryRun runs(RandomProgram program, PlanningCase given, Placement placement) {
      Set<List<Integer>> waits = new HashSet<>();
      EveryRun.Memory memory = new EveryRun.Memory(given, placement);
      for (Relations.Reuse pair : ReuseCost.paid(given.problem(), placement)) {
        boolean asNamed =
            given.problem().buffer(pair.first()).live().start()
                <= given.problem().buffer(pair.second()).live().start();
        int earlier = asNamed ? pair.first() : pair.second();
        for (int from : touching(given, memory, earlier, true)) {
          for (int to : touching(given, memory, pair.first() + pair.second() - earlier, false)) {
            if (from < to) {
              waits.add(List.of(from, to));
            }
          }
        }
      }
      return EveryRun.of(program, sideBySide(), waits);
    }

    private static Set<Integer> touching(
        PlanningCase given, EveryRun.Memory memory, int buffer, boolean reads) {
      Set<Integer> found = new HashSet<>();
      for (int op = 0; op < given.network().ops().size(); op++) {
        for (PlanningCase.Part part : given.contents().get(buffer).parts()) {
          if (memory.touches(op, part.tensor(), false)
              || reads && memory.touches(op, part.tensor(), true)) {
            found.add(op);
          }
        }
        String scratch = given.network().ops().get(op).name() + "#scratch";
        if (given.problem().buffer(buffer).id().equals(scratch)) {
          found.add(op);
        }
      }
      return found;
    }
  }

  private static Set<Set<String>> said(PlanningCase given, Placement placement) {
    Set<Set<String>> pairs = new HashSet<>();
    for (Clash clash : RunCheck.of(given, placement)) {
      pairs.add(
          Set.of(
              given.problem().buffer(clash.buffers().get(0)).id(),
              given.problem().buffer(clash.buffers().get(1)).id()));
      assertEquals(2, clash.paths().size());
      assertTrue(clash.low() < clash.high());
    }
    return pairs;
  }

  @ParameterizedTest
  @EnumSource(names = {"IN_ORDER", "OUT_OF_ORDER", "PRICED", "BANDS"})
  void itFindsWhatTheRunsFindAndNothingElse(Rules rules) {
    int clashing = 0;
    int holding = 0;
    int large = 0;
    int turned = 0;
    int programs = Thorough.of(100, 2000);
    for (long seed = 0; seed < programs; seed++) {
      RandomProgram program = new RandomProgram(seed);
      PlanningCase given = rules.of(program, seed);
      Random random = new Random(seed);
      for (int k = 0; k < 3; k++) {
        int arena = 2 + random.nextInt(24);
        int buffers = given.problem().size();
        long[] offsets =
            IntStream.range(0, buffers).mapToLong(b -> random.nextInt(arena)).toArray();
        Placement placement = Placement.of(offsets);
        EveryRun runs = rules.runs(program, given, placement);
        if (runs == null) {
          large++;
          continue;
        }
        Set<Set<String>> found = EveryRun.clobbered(runs, new EveryRun.Memory(given, placement));
        Set<Set<String>> said = said(given, placement);
        if (rules.sideBySide()) {
          // A run here does one op after the other, and none while another has scratch memory.
          said.removeIf(pair -> pair.toString().contains("#scratch"));
          found.removeIf(pair -> pair.toString().contains("#scratch"));
        }
        String what = "seed " + seed + " " + given.options() + "\n" + program.text();
        assertEquals(text(found), text(said), what);
        clashing += found.isEmpty() ? 0 : 1;
        holding += found.isEmpty() ? 1 : 0;
        turned += program.loops() > 0 ? 1 : 0;
      }
    }
    assertTrue(clashing > programs / 2, "clashes in " + clashing);
    assertTrue(holding > programs * 6 / 100, "none in " + holding);
    assertTrue(turned > programs / 2, "loops in " + turned);
    assertTrue(large < programs * 3 / 10, "too large " + large);
  }

  private static Set<String> text(Set<Set<String>> pairs) {
    Set<String> text = new TreeSet<>();
    pairs.forEach(pair -> text.add(new TreeSet<>(pair).toString()));
    return text;
  }

  /** Planning keeps the rule: whatever it places holds in every run. */
  @ParameterizedTest
  @EnumSource
  void whatIsPlannedHoldsInEveryRun(Rules rules) {
    int alternatives = 0;
    int programs = Thorough.of(300, 1600);
    for (long seed = 0; seed < programs; seed++) {
      RandomProgram program = new RandomProgram(seed);
      PlanningCase given = rules.of(program, seed);
      Placement placement =
          HeuristicPlanners.simple()
              .get((int) (seed / 8 % HeuristicPlanners.simple().size()))
              .plan(given.problem(), RunControl.unlimited());
      List<String> texts = RunCheck.of(given, placement).stream().map(Clash::text).toList();
      assertEquals(List.of(), texts, "seed " + seed + "\n" + program.text());
      EveryRun runs = rules.runs(program, given, placement);
      if (runs != null && rules != Rules.BRANCHES) {
        assertEquals(
            Set.of(),
            EveryRun.clobbered(runs, new EveryRun.Memory(given, placement)),
            "seed " + seed + " " + given.options() + "\n" + program.text());
      }
      alternatives += resultsOfTwoPartsMeet(given, placement) ? 1 : 0;
    }
    assertTrue(alternatives > programs / 200, "results of two parts on one place: " + alternatives);
  }

  /** Here from byte 6 to byte 10: what a slice does not read may be written over while it runs. */
  @Test
  void aSliceReadsFromItsFirstToItsLastElement() {
    String ops = "x:5x3; a:5x3 = Neg x; b:2x2 = Slice a starts=[2,-3] axes=[0,1]; -> b";
    Network network = Graphs.of(ops).network();
    LivenessOptions options = LivenessOptions.defaults().withAlignments(1, 1);
    PlanningCase given = Liveness.of(network, options);
    for (int offset = 0; offset < 15; offset++) {
      boolean holds = offset + 4 <= 6 || offset >= 11;
      assertEquals(
          holds, said(given, Placement.of(new long[] {15, 0, offset})).isEmpty(), "" + offset);
    }
  }

  /** Whether two of the values that a branch's op reads of its parts share bytes. */
  private static boolean resultsOfTwoPartsMeet(PlanningCase given, Placement placement) {
    for (Op op : given.network().ops()) {
      for (String a : op.type().equals("IF") ? op.inputs() : List.<String>of()) {
        for (String b : op.inputs()) {
          if (bufferOf(given, a) != bufferOf(given, b)
              && placement.offset(bufferOf(given, a)) == placement.offset(bufferOf(given, b))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static int bufferOf(PlanningCase given, String tensor) {
    for (int b = 0; b < given.contents().size(); b++) {
      if (given.contents().get(b).parts().stream().anyMatch(p -> p.tensor().equals(tensor))) {
        return b;
      }
    }
    throw new IllegalArgumentException(tensor);
  }
}

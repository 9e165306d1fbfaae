package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.WorkedCases;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.network.Graphs;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.InvalidProblemException;
import stowage.packing.LoadProfile;

/** How long tensors live, where weights are, and which sizes and orders are refused. */
class LivenessTest {
  private static final LivenessOptions EXACT =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.NONE);

  private static Graphs chain() {
    return Graphs.of("x:10; y:20 = Conv x; z:30 = Conv y; -> z");
  }

  @Test
  void sizesAreRoundedUpAndOffsetsAligned() {
    PlanningCase planning = Liveness.of(chain().network(), EXACT.withAlignments(16, 64));
    assertEquals(
        List.of(16L, 32L, 32L), planning.problem().buffers().stream().map(Buffer::size).toList());
    assertTrue(planning.problem().buffers().stream().allMatch(buffer -> buffer.alignment() == 16));
  }

  @Test
  void weightsLieOneAfterTheOtherBefore() {
    Network network = Graphs.of("x:1; weight w:5 v:64 u:1; y:1 = Conv x w v u; -> y").network();
    PlanningCase planning = Liveness.of(network, EXACT.withAlignments(1, 64));
    assertEquals(
        List.of(
            new PlanningCase.WeightPlace("w", 0, 5),
            new PlanningCase.WeightPlace("v", 64, 64),
            new PlanningCase.WeightPlace("u", 128, 1)),
        planning.weights());
    assertEquals(192, planning.weightBytes());
  }

  /** x, which is kept, is what joining it alone gives; code that copies says only_merge=false. */
  @Test
  void aConcatOfOneOperandIsThatOperand() {
    Graphs joined = Graphs.of("x:8; a:8 = Concat x axis=0; y:4 = Conv a; -> x y");
    Graphs copied = Graphs.of("x:8; a:8 = Concat x axis=0 only_merge=false; y:4 = Conv a; -> x y");
    for (InPlace sharing : List.of(InPlace.VIEWS, InPlace.OPTIMAL, InPlace.BANDS)) {
      LivenessOptions options = EXACT.withInPlace(sharing);
      assertEquals(
          List.of("x@0+a@0 [0, 2) 8", "y@0 [1, 2) 4"), joined.buffers(options), sharing.name());
      assertEquals(3, copied.buffers(options).size(), sharing.name());
    }
    assertEquals(3, joined.buffers(EXACT.withInPlace(InPlace.ONNXRUNTIME)).size());
  }

  @Test
  void anotherOrderMustBeOne() {
    Network network = chain().network();
    for (int[] order : new int[][] {{1, 0}, {0}, {0, 0}}) {
      assertThrows(InvalidNetworkException.class, () -> Liveness.of(network, order, EXACT));
    }
  }

  @Test
  void sizesBeyondALongAreRefused() {
    Network network = chain().network();
    for (long alignment : new long[] {Long.MAX_VALUE / 2, Long.MAX_VALUE - 5}) {
      LivenessOptions huge = EXACT.withAlignments(alignment, 1);
      assertThrows(InvalidProblemException.class, () -> Liveness.of(network, huge));
    }
  }

  @Test
  void theLoadOfAChainIsWhatTwoNeighboursTake() {
    assertEquals(50, LoadProfile.of(Liveness.of(chain().network(), EXACT).problem()).maxLoad());
  }

  static Stream<Arguments> workedByHand() throws IOException {
    return WorkedCases.of("liveness/buffers.txt");
  }

  /** Lives, views of other tensors, and results over their operands. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("workedByHand")
  void buffersAreAsWorkedOut(String name, List<String> lines) {
    Graphs graph = null;
    int held = 0;
    for (String line : lines) {
      String[] sides = line.split(" \\| ");
      if (sides.length < 2) {
        graph = line.isEmpty() ? graph : Graphs.of(line);
        continue;
      }
      String[] rules = sides[0].toUpperCase(Locale.ROOT).split(" ");
      LivenessOptions options =
          LivenessOptions.defaults()
              .withAlignments(1, 1)
              .withInPlace(LivenessOptions.InPlace.valueOf(rules[0]))
              .withInputs(LivenessOptions.Inputs.valueOf(rules[1]));
      assertEquals(sides[1], String.join("; ", graph.buffers(options)), name + ": " + line);
      held++;
    }
    assertEquals(true, held > 0, name);
  }

  /**
   * Runs random networks on a real array of memory, laid out as a planning case allows: every byte
   * an op reads must be what was made for it, whoever runs beside it.
   */
  @Test
  void everyOperandIsWholeWhenItIsRead() {
    for (int seed = 0; seed < RandomNetworks.rounds(2000); seed++) {
      Random random = new Random(seed);
      Network network = RandomNetworks.network(random, 1 + random.nextInt(14));
      LivenessOptions options = RandomNetworks.options(random, network);
      try {
        PlanningCase planning = Liveness.of(network, options);
        checkContents(planning);
        for (int run = 0; run < 3; run++) {
          new SimulatedRun(planning, random).go();
        }
      } catch (RuntimeException | AssertionError wrong) {
        throw new AssertionError(
            "seed " + seed + ", " + options + ": " + wrong.getMessage(), wrong);
      }
    }
  }

  private static void checkContents(PlanningCase planning) {
    Set<String> named = new HashSet<>();
    for (int i = 0; i < planning.problem().size(); i++) {
      Buffer buffer = planning.problem().buffer(i);
      assertEquals(0, buffer.size() % planning.options().alignment());
      for (PlanningCase.Part part : planning.contents().get(i).parts()) {
        assertTrue(named.add(part.tensor()), part.tensor() + " is named twice");
        long bytes = planning.network().tensor(part.tensor()).bytes();
        assertTrue(
            buffer.size() == 0 || part.offset() + bytes <= buffer.size(), part + " in " + buffer);
      }
    }
    Set<String> wanted = new HashSet<>(planning.network().tensors().keySet());
    wanted.removeIf(name -> planning.network().tensor(name).isWeight());
    assertEquals(wanted, named);
  }
}

package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Baseline;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.Plan;
import stowage.packing.SolverClaim;
import stowage.planning.LoadedProblem;

/** The remark after a plan, on networks that gain by sharing, by pieces, or not at all. */
class FitHintTest {
  private static final Pattern BYTES = Pattern.compile("\\(([0-9,]+) bytes\\)");

  private static Optional<String> hint(String name, Long limit) throws Exception {
    return FitHint.of(input(name), plan(name), limit, name + ".json");
  }

  private static LoadedProblem input(String name) throws Exception {
    Network network = NetworkJson.read(Path.of("models/networks", name + ".json"));
    PlanningCase planned = Liveness.of(network, LivenessOptions.defaults());
    return new LoadedProblem(planned.problem(), planned, null, null, Set.of());
  }

  private static Plan plan(String name) throws Exception {
    LoadedProblem input = input(name);
    Incumbent found = new Incumbent(input.problem());
    found.offer(FitRunTest.greedy(input.problem()), "greedy");
    return Plan.of(found);
  }

  private static void savesATenth(String name, String begin) throws Exception {
    String said = hint(name, null).orElseThrow();
    assertTrue(said.startsWith(begin), said);
    String extra = said.contains("no more compute") ? "0" : "5%";
    assertTrue(said.endsWith(": stowage fit " + name + ".json --max-extra " + extra), said);
    Matcher bytes = BYTES.matcher(said);
    assertTrue(bytes.find(), said);
    assertTrue(Long.parseLong(bytes.group(1).replace(",", "")) <= 0.9 * plan(name).peak(), said);
    assertEquals(said, hint(name, null).orElseThrow(), "not the same twice");
  }

  @Test
  void saysWhatSavesATenth() throws Exception {
    savesATenth("resnet50", "with results at their operands' addresses the network needs ");
    savesATenth("mobilenet_v2", "in pieces the network needs ");
    savesATenth("densenet121", "in pieces the network needs ");
  }

  @Test
  void saysNothingWhereNoShortStretchSavesEnough() throws Exception {
    assertEquals(Optional.empty(), hint("randwire", null));
  }

  @Test
  void namesTheCommandWhereNoPlanIsWithinTheCapacity() throws Exception {
    LoadedProblem input = input("resnet50");
    Incumbent none = new Incumbent(input.problem());
    none.offer(Bound.of(9_633_792, SolverClaim.of("search", "test", Map.of())), "test");
    String said = FitHint.of(input, Plan.of(none), 8_000_000L, "resnet50.json").orElseThrow();
    assertTrue(said.startsWith("with results at their operands' addresses the network"), said);
    assertTrue(said.endsWith(": stowage fit resnet50.json --capacity 8000000"), said);
  }

  @Test
  void namesTheOptionByWhichThePlanInTheFileIsLower() throws Exception {
    Network network = Graphs.of("x:64; a:64 = Relu x; -> a").network();
    PlanningCase apart = Liveness.of(network, LivenessOptions.defaults());
    Baseline own = new Baseline("file", Map.of("x", 0L, "a", 0L), -1, 1, false);
    LoadedProblem input = new LoadedProblem(apart.problem(), apart, own, null, Set.of());
    Incumbent found = new Incumbent(apart.problem());
    found.offer(FitRunTest.greedy(apart.problem()), "greedy");
    String said = FitHint.of(input, Plan.of(found), 64L, "own.tflite").orElseThrow();
    assertTrue(said.startsWith("the plan in the file, whose results overlap"), said);
    assertTrue(said.endsWith(": stowage plan own.tflite --in-place bands"), said);
  }

  @Test
  void namesTheCommandWhereTheCapacityIsMissed() throws Exception {
    long capacity = plan("mobilenet_v2").peak() / 4;
    assertEquals(
        "see what makes it fit: stowage fit mobilenet_v2.json --capacity " + capacity,
        hint("mobilenet_v2", capacity).orElseThrow());
  }
}

package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import stowage.PublicData;
import stowage.Thorough;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Every planner on whole lists of buffers and networks: its plan passes the verifier, keeps what
 * the planner says its rules are, and is not below what is proven of them; or it refuses, by name.
 */
class WholeInstancesTest {
  /** Networks whose bounds under planners' rules take most of the time, for thorough runs. */
  private static final String LONG = ".*/train_(unet|resnet18).json";

  private static List<Path> files(Path folder, String... endings) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
          .filter(file -> !file.endsWith("manifest.json"))
          .sorted()
          .toList();
    }
  }

  private static void checkBuffers(Path folder, int most) throws IOException {
    int checked = 0;
    for (Path file : files(folder, ".csv", ".json")) {
      Input input = InputFormats.read(file, new InputFormat.Options(true, Map.of()));
      PackingProblem problem = ((Input.Packing) input).problem();
      if (problem.size() <= most) {
        checkAll(PlanningCase.ofBuffers(problem), file);
        checked++;
      }
    }
    assertTrue(checked > 0, "nothing to check in " + folder);
  }

  /** Enough for a planner of one pass over some ten thousand buffers on a busy machine. */
  private static void checkAll(PlanningCase given, Path file) {
    int planned = 0;
    for (SystemPlanner planner : CompilerPlanners.all()) {
      String what = file.getFileName().toString();
      try {
        RunControl control = RunControl.ofSeconds(given.problem().size() > 10_000 ? 60 : 5, 1, 1);
        RulesChecks.check(planner, given, control, what);
        planned++;
      } catch (NotPlannableException refused) {
        String why = refused.getMessage();
        assertTrue(why.startsWith(planner.name()) || why.startsWith("the run ended with"), why);
      }
    }
    boolean banked = given.problem().buffers().stream().anyMatch(Buffer::withinBank);
    assertEquals(banked, planned == 0, file + ": plans of " + planned + " planners");
  }

  @Test
  void instancesOfTheProject() throws IOException {
    checkBuffers(Path.of("models/packing"), Thorough.of(120, Integer.MAX_VALUE));
  }

  @Test
  void kernelPools() throws IOException {
    checkBuffers(PublicData.at("packing/pypto"), Integer.MAX_VALUE);
  }

  @Test
  void smallOnesAboveTheirMaxLoad() throws IOException {
    checkBuffers(PublicData.at("packing/small"), Integer.MAX_VALUE);
  }

  @Test
  @Tag("thorough")
  void miniMalloc() throws IOException {
    checkBuffers(PublicData.at("packing/minimalloc"), Integer.MAX_VALUE);
  }

  private static List<Path> networks() throws IOException {
    List<Path> networks = new ArrayList<>();
    for (String folder : List.of("onnx", "openvino", "tflite", "tpu-mlir")) {
      networks.addAll(PublicData.networks(folder));
    }
    return networks;
  }

  private static DynamicTest checkNetwork(Path file) {
    return DynamicTest.dynamicTest(
        file.getFileName().toString(),
        () -> {
          Network network = ImporterTest.network(file, PublicData.dimensions(file));
          checkAll(Liveness.of(network, LivenessOptions.defaults()), file);
        });
  }

  @TestFactory
  Stream<DynamicTest> everyTenthNetwork() throws IOException {
    List<Path> networks = networks();
    return IntStream.range(0, networks.size())
        .filter(k -> Thorough.on() || k % 10 == 5)
        .mapToObj(k -> checkNetwork(networks.get(k)));
  }

  /** Under several ways to look at liveness: in turn, or all of them for each network. */
  @Test
  void networksOfTheProject() throws IOException {
    LivenessOptions options = LivenessOptions.defaults();
    List<LivenessOptions> all =
        List.of(
            options,
            options.withInPlace(LivenessOptions.InPlace.NONE),
            options
                .withInPlace(LivenessOptions.InPlace.ELEMENTWISE)
                .withInputs(LivenessOptions.Inputs.KEEP));
    int turn = 0;
    for (Path file : files(Path.of("models/networks"), ".json")) {
      if (Thorough.on() || !file.toString().matches(LONG)) {
        int one = turn++ % all.size();
        for (LivenessOptions chosen : Thorough.on() ? all : all.subList(one, one + 1)) {
          PlanningCase given = Liveness.of(NetworkJson.read(file), chosen);
          for (SystemPlanner planner : CompilerPlanners.all()) {
            String what = file + " " + chosen.inPlace();
            RulesChecks.check(planner, given, RunControl.unlimited(), what);
          }
        }
      }
    }
  }

  @Test
  @Tag("thorough")
  void largeTraces() throws IOException {
    checkBuffers(PublicData.at("packing/somas"), Integer.MAX_VALUE);
    checkBuffers(PublicData.at("packing/iopddl"), Integer.MAX_VALUE);
  }
}

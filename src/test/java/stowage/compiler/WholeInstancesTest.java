package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
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

  private static void checkBuffers(Path folder, int most) throws IOException {
    int checked = 0;
    for (Path file : FolderTest.files(folder, "")) {
      if (!file.toString().matches(".*\\.(csv|json)") || file.endsWith("manifest.json")) {
        continue;
      }
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

  @ParameterizedTest
  @ValueSource(strings = {"pypto", "small"}) // pools of kernels, and those above their max load
  void publicInstances(String folder) throws IOException {
    checkBuffers(PublicData.at("packing/" + folder), Integer.MAX_VALUE);
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
    for (Path file : FolderTest.files(Path.of("models/networks"), ".json")) {
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

  @ParameterizedTest
  @ValueSource(strings = {"minimalloc", "somas", "iopddl"})
  @Tag("thorough")
  void largePublicInstances(String folder) throws IOException {
    checkBuffers(PublicData.at("packing/" + folder), Integer.MAX_VALUE);
  }
}

package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.SystemPlanner;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;

/** Every planner on every network of the project, under several ways to look at its liveness. */
class NetworksTest {
  /** Networks whose bounds under planners' rules take most of the time, for thorough runs. */
  private static final String LONG = ".*/train_(unet|resnet18).json";

  @Test
  void everyPlannerPlansEveryNetwork() throws IOException {
    int turn = 0;
    try (Stream<Path> files = Files.list(Path.of("models/networks"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        if (file.toString().matches(LONG) && !Thorough.on()) {
          continue;
        }
        Network network = NetworkJson.read(file);
        LivenessOptions options = LivenessOptions.defaults();
        List<LivenessOptions> all =
            List.of(
                options,
                options.withInPlace(LivenessOptions.InPlace.NONE),
                options
                    .withInPlace(LivenessOptions.InPlace.ELEMENTWISE)
                    .withInputs(LivenessOptions.Inputs.KEEP));
        // In turn, or all of them for each network.
        int one = turn++ % all.size();
        for (LivenessOptions chosen : Thorough.on() ? all : all.subList(one, one + 1)) {
          check(file + " " + chosen.inPlace(), Liveness.of(network, chosen));
        }
      }
    }
  }

  private static void check(String what, PlanningCase given) {
    long load = LoadProfile.of(given.problem()).maxLoad();
    for (SystemPlanner planner : CompilerPlanners.all()) {
      CasePlan plan = RulesChecks.check(planner, given, RunControl.unlimited(), what);
      assertTrue(plan.placement().peak(given.problem(), 0) >= load, planner.name() + " on " + what);
    }
  }
}

package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.heuristic.Planner;

class UserPlannersTest extends FolderTest {
  @Test
  void placesAreLookedInOneAfterTheOther() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("found.txt"), "here");
    ClassLoader loader = PlannerCatalogue.UserPlanners.loader(folder + File.pathSeparator + other);
    assertNotNull(loader.getResource("found.txt"));
    ClassLoader own = PlannerCatalogue.UserPlanners.class.getClassLoader();
    assertSame(own, PlannerCatalogue.UserPlanners.loader(" "));
    assertSame(own, PlannerCatalogue.UserPlanners.loader(null));
  }

  @Test
  void aPlaceThatIsMissingIsNamed() {
    Path absent = folder.resolve("absent.jar");
    Refusals.input(
        () -> PlannerCatalogue.UserPlanners.loader(absent.toString()),
        "absent.jar",
        PlannerCatalogue.PLUGINS_VARIABLE);
  }

  @Test
  void everyEngineSaysHowItWorks() {
    for (PlannerCatalogue.Known known : PlannerCatalogue.known()) {
      if (known.kind() == Planner.Kind.EXACT) {
        assertNotNull(known.summary(), known.name());
        assertTrue(known.summary().length() > 20, known.name() + ": " + known.summary());
      }
    }
  }
}

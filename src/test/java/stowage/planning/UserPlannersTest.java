package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.heuristic.Planner;
import stowage.importer.io.InputException;

class UserPlannersTest {
  @TempDir Path folder;

  @Test
  void placesAreLookedInOneAfterTheOther() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("found.txt"), "here");
    ClassLoader loader = UserPlanners.loader(folder + File.pathSeparator + other);
    assertNotNull(loader.getResource("found.txt"));
    assertSame(UserPlanners.class.getClassLoader(), UserPlanners.loader(" "));
    assertSame(UserPlanners.class.getClassLoader(), UserPlanners.loader(null));
  }

  @Test
  void aPlaceThatIsMissingIsNamed() {
    Path absent = folder.resolve("absent.jar");
    InputException wrong =
        assertThrows(InputException.class, () -> UserPlanners.loader(absent.toString()));
    assertTrue(wrong.getMessage().contains("absent.jar"), wrong.getMessage());
    assertTrue(wrong.getMessage().contains(PlannerCatalogue.PLUGINS_VARIABLE), wrong.getMessage());
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

package stowage.exact.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Refusals;

class SolverConfigsTest {

  @Test
  void everyNameHasAFileForEachEngineAndIsDocumented() throws IOException {
    String readme = Files.readString(Path.of("solver-configs", "README.md"));
    TreeSet<String> files = new TreeSet<>(FolderTest.names(Path.of("solver-configs")));
    assertTrue(files.remove("README.md"));
    for (String name : SolverConfigs.names()) {
      for (String ending : new String[] {"textproto", "json"}) {
        assertTrue(files.remove(name + "." + ending), name + "." + ending);
        assertFalse(SolverConfigs.read(name, ending).text().isBlank());
      }
      assertTrue(readme.contains("| `" + name + "` |"), name);
    }
    assertEquals(new TreeSet<>(), files, "files without a name");
  }

  @Test
  void aFileServesTheEngineOfItsEnding() {
    assertEquals(
        "solver-configs/default.json", SolverConfigs.read("some.textproto", "json").name());
  }

  @Test
  void unknownNamesAreRefusedWithThoseThatAreKnown() {
    Refusals.says(
        IllegalArgumentException.class,
        () -> SolverConfigs.read("fsat", "textproto"),
        "settings \"fsat\" are not known; known are default, fast, exhaustive");
  }
}

package stowage.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

class GeneratedInstancesTest extends FolderTest {
  private static final Path FOLDER = Path.of("models/packing");

  static Stream<GeneratedInstances.Entry> entries() {
    return GeneratedInstances.manifest(FOLDER).stream();
  }

  @ParameterizedTest
  @MethodSource("entries")
  void filesAreMadeAgainByteForByte(GeneratedInstances.Entry entry) throws IOException {
    InstanceFiles.write(entry, folder);
    assertEquals(
        Files.readString(FOLDER.resolve(entry.file())),
        Files.readString(folder.resolve(entry.file())));
    assertTrue(entry.parameters().containsKey("seed"), "a seed is always named");
  }

  @ParameterizedTest
  @MethodSource("entries")
  void knownOptimaHold(GeneratedInstances.Entry entry) {
    if (entry.optimum() == null) {
      return;
    }
    PackingProblem problem =
        ((Input.Packing) InputFormats.read(FOLDER.resolve(entry.file()))).problem();
    long load = LoadProfile.of(problem).maxLoad();
    if (!entry.generator().equals("hard")) {
      assertEquals(entry.optimum(), load);
      return;
    }
    assertTrue(entry.optimum() > load);
    Incumbent optimum = new Incumbent(problem);
    new SearchEngine().run(optimum, RunControl.ofWork(1_000_000, 1, 1), EngineOptions.defaults());
    assertTrue(optimum.isClosed());
    assertEquals(entry.optimum(), optimum.bound(0).value());
  }

  @Test
  void theManifestListsAllFiles() throws IOException {
    Set<String> listed = new TreeSet<>(Set.of(GeneratedInstances.MANIFEST, "README.md"));
    entries().forEach(entry -> listed.add(entry.file()));
    assertEquals(listed, new TreeSet<>(names(FOLDER)));
  }

  @Test
  void aBrokenManifestIsNamed() throws IOException {
    Path file = folder.resolve(GeneratedInstances.MANIFEST);
    Files.writeString(file, "[\n{\"file\": 1,, }]");
    InputException failure = Refusals.input(() -> GeneratedInstances.manifest(folder));
    assertTrue(failure.getMessage().startsWith(file + ": line 2: "), failure.getMessage());
  }
}

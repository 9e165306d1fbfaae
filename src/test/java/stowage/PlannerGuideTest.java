package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.generator.Generators;
import stowage.heuristic.Planner;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanFile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/** Keeps the guide to a planner of one's own true, and the links of all pages. */
class PlannerGuideTest {
  private static final Path GUIDE = Path.of("docs", "your-planner.md");

  @Test
  void itsClassCompilesAndPlansAnythingGenerated(@TempDir Path folder) throws Exception {
    try (URLClassLoader loader = DocumentExample.compiled(GUIDE, "LongestFirst", folder)) {
      Planner planner =
          (Planner) loader.loadClass("mine.LongestFirst").getConstructor().newInstance();
      for (String generator : List.of("near-capacity", "banked", "network-like")) {
        PackingProblem problem = Generators.generate(generator, Map.of("buffers", 60, "seed", 7));
        assertEquals(
            List.of(),
            Verifier.violations(problem, planner.plan(problem, RunControl.unlimited())),
            generator);
      }
    }
  }

  @Test
  void itsClassIsComparedWithoutBeingNamed(@TempDir Path folder) throws Exception {
    DocumentExample.compiled(GUIDE, "LongestFirst", folder).close();
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(Planner.class.getName()), "mine.LongestFirst");
    // Without the tests' own planners, some of which end the process.
    String classes =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(place -> !place.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    String hard = "models/packing/hard-";
    for (String[] inputs : new String[][] {{hard + "1.csv"}, {hard + "1.csv", hard + "2.csv"}}) {
      List<String> words =
          new ArrayList<>(List.of(Programs.JAVA, "-cp", classes, "stowage.cli.Main", "compare"));
      words.addAll(List.of(inputs));
      words.addAll(List.of("--time-limit", "1"));
      ProcessBuilder run = new ProcessBuilder(words);
      run.environment().put("STOWAGE_PLANNERS", folder.toString());
      String said = Programs.output(run);
      assertTrue(said.contains("longest-first"), said);
    }
  }

  @Test
  void itsProgramWritesAPlanThatHolds(@TempDir Path folder) throws Exception {
    assumeTrue(Programs.isThere("python3"), "python3 is not installed");
    Path script =
        Files.writeString(folder.resolve("mine.py"), DocumentExample.block(GUIDE, "python"));
    Path input = Path.of("models", "packing", "near-capacity-60.csv");
    Path output = folder.resolve("plan.csv");
    Programs.output("python3", script.toString(), input.toString(), output.toString());
    PackingProblem problem = PackingCsv.read(input);
    PlanFile.read(output).validPlacement(problem);
  }
}

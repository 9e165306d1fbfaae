package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.experiment.generator.Generators;
import stowage.heuristic.Planner;
import stowage.importer.PackingCsv;
import stowage.importer.PlanFile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/** Keeps the guide to a planner of one's own true, and the links of all pages. */
class PlannerGuideTest {
  private static final Path GUIDE = Path.of("docs", "your-planner.md");

  @Test
  void itsClassCompilesAndPlansAnythingGenerated(@TempDir Path folder) throws Exception {
    Path source = Files.writeString(folder.resolve("LongestFirst.java"), block("java"));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString());
    assertEquals(0, compiled);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
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
  void itsProgramWritesAPlanThatHolds(@TempDir Path folder) throws Exception {
    if (!Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, "python3")))) {
      return; // nothing here runs it
    }
    Path script = Files.writeString(folder.resolve("mine.py"), block("python"));
    Path input = Path.of("models", "packing", "near-capacity-60.csv");
    Path output = folder.resolve("plan.csv");
    Process python =
        new ProcessBuilder("python3", script.toString(), input.toString(), output.toString())
            .inheritIO()
            .start();
    assertEquals(0, python.waitFor());
    PackingProblem problem = PackingCsv.read(input);
    PlanFile.read(output).validPlacement(problem);
  }

  private static String block(String language) throws IOException {
    Matcher block =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(GUIDE));
    assertTrue(block.find(), "the guide should hold an example in " + language);
    return block.group(1);
  }

  @Test
  void everyPageLinksToFilesThatAreThere() throws IOException {
    try (Stream<Path> pages = Files.list(Path.of("docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        Matcher link = Pattern.compile("\\]\\(((?!https?:)[^)#]+)").matcher(Files.readString(page));
        while (link.find()) {
          assertTrue(Files.exists(page.resolveSibling(link.group(1))), page + ": " + link.group(1));
        }
      }
    }
  }
}

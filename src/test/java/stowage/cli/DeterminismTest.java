package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.experiment.generator.Generators;
import stowage.importer.own.PackingCsv;

/** With {@code --deterministic} a plan depends on input, seed and work limit alone. */
class DeterminismTest {
  @TempDir Path folder;

  /** Sizes at which the portfolio is made up differently: Choco joins, CP-SAT joins, neither. */
  @ParameterizedTest
  @CsvSource({
    "hard, 12, 0.05",
    "near-capacity, 90, 0.02",
    "near-capacity, 300, 0.01",
    "near-capacity, 900, 0.01",
    "log-uniform-large, 3000, 0.05"
  })
  void runsAgreeByteForByteOnAnyNumberOfThreads(String generator, long buffers, double work)
      throws IOException {
    Path input = folder.resolve("input.csv");
    Map<String, Object> parameters =
        generator.startsWith("log")
            ? Map.of("seed", 3L, "buffers", buffers, "live", 300L)
            : Map.of("seed", 3L, "buffers", buffers);
    PackingCsv.write(input, Generators.generate(generator, parameters));
    byte[] first = null;
    String status = null;
    for (int threads : new int[] {1, 2, 16, 1}) {
      Path out = folder.resolve("out");
      Stowage run =
          Stowage.run(
              "plan", input, "--threads", threads, "--det-limit", work, "--out", out, "--json");
      assertEquals(0, run.code(), run.err());
      assertTrue(run.json().get("deterministic").asBoolean());
      byte[] plan = Files.readAllBytes(out.resolve("plan.csv"));
      if (first == null) {
        first = plan;
        status = run.json().get("status").asText();
      }
      assertArrayEquals(first, plan, "on " + threads + " threads");
      assertEquals(status, run.json().get("status").asText(), "on " + threads + " threads");
    }
  }
}

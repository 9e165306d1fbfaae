package stowage.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.Refusals;
import stowage.packing.Buffer;
import stowage.packing.LiveRange;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;

class GeneratorsTest {
  /** Parameters that keep a generator's work small. */
  private static Map<String, Object> small(Generator<PackingProblem> generator, long seed) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("seed", seed);
    parameters.put("buffers", 20L);
    if (generator.name().equals("hard")) {
      parameters.put("rounds", 50L);
    }
    return parameters;
  }

  static Stream<Generator<PackingProblem>> generators() {
    return Generators.all().stream();
  }

  @ParameterizedTest
  @MethodSource("generators")
  void seedsDecideEverything(Generator<PackingProblem> generator) {
    PackingProblem first = generator.generate(small(generator, 7));
    assertEquals(first.buffers(), generator.generate(small(generator, 7)).buffers());
    assertNotEquals(first.buffers(), generator.generate(small(generator, 8)).buffers());
    assertEquals(generator.name() + "-n" + first.size() + "-s7", first.name());
    assertTrue(first.size() > 0 && first.size() <= 25, "buffers: " + first.size());
  }

  @ParameterizedTest
  @MethodSource("generators")
  void parametersAreCheckedAndDocumented(Generator<PackingProblem> generator) {
    refused(generator.name(), Map.of("sede", 1), "\"sede\" is not known; did you mean \"seed\"");
    refused(generator.name(), Map.of("seed", "x"), "seed is x; it should be a whole number");
    refused(generator.name(), Map.of("buffers", -5), "buffers is -5; it should be ");
    assertTrue(generator.parameters().contains(Parameter.SEED));
    assertTrue(generator.parameters().stream().noneMatch(p -> p.meaning().isBlank()));
    assertTrue(generator.summary().endsWith("."));
  }

  @ParameterizedTest
  @MethodSource("generators")
  void theDocumentationGivesEveryParameter(Generator<PackingProblem> generator) throws IOException {
    String page = Files.readString(Path.of("docs/generators.md"));
    int start = page.indexOf("## " + generator.name() + "\n");
    assertTrue(start >= 0, generator.name() + " has a section");
    int end = page.indexOf("\n## ", start);
    String section = page.substring(start, end < 0 ? page.length() : end).replaceAll("\\s+", " ");
    for (Parameter parameter : generator.parameters()) {
      String expected = "`" + parameter.name() + "` " + parameter.standard();
      assertTrue(section.contains(expected), generator.name() + " should say: " + expected);
    }
  }

  @Test
  void valuesComeAsJsonOrTheCommandLineGivesThem() {
    PackingProblem numbers =
        Generators.generate("near-capacity", Map.of("seed", 3, "buffers", 9.0, "fill", 0.5f));
    PackingProblem texts = generated("near-capacity seed=3 buffers=9 fill=0.5");
    assertEquals(numbers.buffers(), texts.buffers());
    refused("near-capacity", Map.of("fill", "NaN"), "fill is NaN; it should be a number");
    refused("near-capacity", Map.of("fill", 1.5), "fill is 1.5; it should be between 0.0 and 1.0");
    refused("near-capacity", Map.of("capacity", 1500, "unit", 1000), "a multiple of the unit 1000");
    refused("network-like", Map.of("parallel", "yes"), "should be true or false");
    refused("network-like", Map.of("shape", "ring"), "should be one of chain, residual, dense,");
    refused("guillotine", Map.of("steps", 2, "height", 2048), "at most steps times height / unit");
    refused("hard", Map.of("target", "none"), "above-max-load or the name of a planner");
    refused("guilotine", Map.of(), "did you mean \"guillotine\"");
  }

  private static void refused(String generator, Map<String, ?> parameters, String expected) {
    Executable generate = () -> Generators.generate(generator, parameters);
    String message =
        Refusals.says(InvalidParameterException.class, generate, expected).getMessage();
    assertTrue(message.startsWith("generator " + generator + ": "), message);
  }

  /** A problem of a generator's name and values as the command line gives them. */
  private static PackingProblem generated(String words) {
    Map<String, Object> values = new HashMap<>();
    for (String word : words.split(" ")) {
      values.put(word.replaceFirst("=.*", ""), word.replaceFirst(".*=", ""));
    }
    String name = words.split(" ")[0];
    values.remove(name);
    return Generators.generate(name, values);
  }

  @Test
  void guillotinePiecesFillEveryStep() {
    for (long seed = 1; seed <= 20; seed++) {
      PackingProblem problem =
          generated("guillotine buffers=57 steps=30 height=700 unit=7 seed=" + seed);
      assertEquals(57, problem.size());
      LoadProfile profile = LoadProfile.of(problem);
      assertEquals(2, profile.segments(), "seed " + seed);
      assertEquals(700, profile.loadAt(0));
      assertEquals(700, profile.loadAt(29));
      assertTrue(problem.buffers().stream().allMatch(buffer -> buffer.size() % 7 == 0));
    }
  }

  @Test
  void guillotineCanCutEverythingApart() {
    PackingProblem problem = generated("guillotine buffers=12 steps=3 height=4 unit=1");
    assertTrue(problem.buffers().stream().allMatch(b -> b.size() == 1 && b.live().length() == 1));
  }

  @Test
  void randomIntervalsStayInTheirRanges() {
    for (String law : List.of("uniform", "exponential", "log-uniform")) {
      String ranges = " buffers=2000 minLife=3 maxLife=50 minSize=2 maxSize=9 unit=10";
      PackingProblem problem =
          generated("random-intervals lifeLaw=%s sizeLaw=%1$s".formatted(law) + ranges);
      for (Buffer buffer : problem.buffers()) {
        LiveRange live = buffer.live();
        assertTrue(live.start() >= 0 && live.end() <= 200 && live.length() <= 50, law);
        assertTrue(live.length() >= 3 || live.end() == 200, law);
        assertTrue(buffer.size() >= 20 && buffer.size() <= 90 && buffer.size() % 10 == 0, law);
      }
      long largest = problem.buffers().stream().filter(b -> b.size() == 90).count();
      assertTrue(largest > 0 && largest < 2000, law + " reaches its largest size");
    }
  }

  @Test
  void nearCapacityFillsTheCapacityAndNoMore() {
    for (long seed = 1; seed <= 10; seed++) {
      PackingProblem problem =
          generated("near-capacity buffers=80 steps=50 capacity=102400 unit=512 seed=" + seed);
      LoadProfile profile = LoadProfile.of(problem);
      assertEquals(102_400, profile.maxLoad(), "seed " + seed);
      double area = 0;
      for (Buffer buffer : problem.buffers()) {
        area += (double) buffer.size() * buffer.live().length();
      }
      assertTrue(area / 50 / 102_400 > 0.9, "seed " + seed + " fills " + area / 50 / 102_400);
    }
  }

  @Test
  void exchangesKeepTheMemoryFull() {
    for (long seed = 1; seed <= 10; seed++) {
      PackingProblem problem = generated("exchange buffers=60 capacity=4096 unit=64 seed=" + seed);
      LoadProfile profile = LoadProfile.of(problem);
      for (int k = 0; k + 1 < profile.segments(); k++) {
        assertEquals(4096, profile.load(k), "seed " + seed + " from " + profile.start(k));
      }
    }
  }

  @Test
  void networksHaveTheLivesOfTheirShape() {
    assertLives("chain", 4, "[0, 2) [1, 3) [2, 4) [3, 4)");
    assertLives("residual", 6, "[0, 4) [1, 3) [2, 4) [3, 6) [4, 6) [5, 6)");
    assertLives("dense", 6, "[0, 4) [1, 4) [2, 4) [3, 6) [4, 6) [5, 6)");
    assertLives("encoder-decoder", 5, "[0, 5) [1, 4) [2, 4) [3, 5) [4, 5)");
    // Fork 0; branches 1-3 and 4-6; join and next fork 7.
    assertLives("branches", 8, "[0, 5) [1, 3) [2, 4) [3, 8) [4, 6) [5, 7) [6, 8) [7, 8)");
  }

  private static void assertLives(String shape, int count, String expected) {
    PackingProblem problem =
        generated("network-like block=3 branches=2 shape=%s buffers=%s".formatted(shape, count));
    assertEquals(
        expected,
        String.join(" ", problem.buffers().stream().map(b -> b.live().toString()).toList()));
  }

  @Test
  void parallelBranchesConflict() {
    PackingProblem problem =
        generated("network-like shape=branches buffers=8 block=3 branches=2 parallel=true");
    assertEquals(9, problem.conflicts().count());
    assertTrue(problem.conflicts().contains(1, 6) && problem.conflicts().contains(3, 4));
  }

  @Test
  void bankedBuffersFitIntoBanksAndTheFill() {
    PackingProblem problem = generated("banked buffers=300 bounded=true fill=0.5");
    assertEquals(16 * 16_384, problem.memories().get(0).capacity());
    assertTrue(LoadProfile.of(problem).maxLoad() <= 8 * 16_384);
    long bound = problem.buffers().stream().filter(Buffer::withinBank).count();
    assertTrue(bound > problem.size() / 3 && bound < problem.size() * 9 / 10, "bound " + bound);
  }

  @Test
  void largeInstancesHaveASteadyLoad() {
    PackingProblem problem = generated("log-uniform-large buffers=50000 live=500");
    assertEquals(50_000, problem.size());
    LoadProfile profile = LoadProfile.of(problem);
    long middle = profile.loadAt(50_000 * 32);
    assertTrue(middle > profile.maxLoad() / 2, middle + " of " + profile.maxLoad());
    assertTrue(problem.buffers().stream().allMatch(b -> b.size() % 512 == 0 && b.size() > 0));
  }
}

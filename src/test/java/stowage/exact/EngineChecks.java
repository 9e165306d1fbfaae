package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import stowage.Refusals;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.heuristic.Planner;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Score;
import stowage.packing.Status;

/** What every engine must show on small random problems. */
public final class EngineChecks {
  /** The most buffers of a problem. */
  private static final int LARGEST = 8;

  /** Offsets that brute force may try for one problem: some tenths of a second. */
  private static final long MOST_TRIES = 3_000_000;

  /** The same where time does not matter: half a minute. */
  private static final long MOST_TRIES_THOROUGH = 300_000_000;

  /** A question to brute force. */
  private record Asked(long seed, long mostTries) {}

  /** Its answers: engines under many settings are asked of the same problems. */
  private static final Map<Asked, Optional<BruteForce.Answer>> ANSWERS = new HashMap<>();

  private EngineChecks() {}

  /** The engine closes the problems of some seeds as brute force does; most seeds are compared. */
  public static void agreesWithBruteForce(
      Engine engine, EngineOptions options, long firstSeed, long seeds) {
    compare(engine, options, firstSeed, seeds, MOST_TRIES, 1 + seeds / 50, problem -> true);
  }

  /** As {@link #agreesWithBruteForce}, and hardly a seed is too much to try. */
  public static void agreesWithBruteForceThroughout(
      Engine engine, EngineOptions options, long firstSeed, long seeds) {
    compare(engine, options, firstSeed, seeds, MOST_TRIES_THOROUGH, seeds / 500, problem -> true);
  }

  /** The same where buffers choose their memory; how many sets the engine refused to one. */
  public static long agreesWhereMemoriesAreChosen(Engine engine, long firstSeed, long seeds) {
    Predicate<PackingProblem> chosen =
        problem ->
            IntStream.range(0, problem.size())
                .anyMatch(i -> Long.bitCount(problem.allowedMask(i)) > 1);
    EngineOptions options = EngineOptions.defaults();
    return compare(engine, options, firstSeed, seeds, MOST_TRIES, 1 + seeds / 50, chosen);
  }

  /** The engine finds a lower plan of a row of buffers than all of them one above the other. */
  public static void beatsItsHint(Engine engine, int buffers, RunControl control) {
    PackingProblem problem = HardProblems.row(buffers, 3);
    long[] offsets = new long[problem.size()];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + problem.buffer(i - 1).size();
    }
    Placement stacked = Placement.of(offsets);
    Incumbent incumbent = new Incumbent(problem);
    EngineOptions hinted = EngineOptions.defaults().withHints(List.of(stacked));
    engine.run(incumbent, control, hinted);
    assertEquals(engine.name(), incumbent.finder());
    assertTrue(incumbent.score().figure(0) < stacked.peak(problem, 0));
  }

  /** Runs of so much work take the same course on one thread and on two. */
  public static void takesTheSameCourse(Engine engine, long work, EngineOptions options) {
    PackingProblem problem = HardProblems.cut(100, 1);
    List<Placement> found = new ArrayList<>();
    List<EngineReport> reports = new ArrayList<>();
    for (int threads : new int[] {1, 2}) {
      Incumbent incumbent = new Incumbent(problem);
      reports.add(engine.run(incumbent, RunControl.ofWork(work, threads, 7), options));
      found.add(incumbent.placement());
    }
    assertEquals(found.get(0), found.get(1));
    assertEquals(reports.get(0).statistics(), reports.get(1).statistics());
  }

  /** The engine refuses settings with a message that says something. */
  public static void refuses(Engine engine, String config, String says) {
    PackingProblem problem = HardProblems.row(10, 1);
    EngineOptions options = EngineOptions.defaults().withConfig(config);
    Refusals.says(
        IllegalArgumentException.class,
        () -> engine.run(new Incumbent(problem), RunControl.unlimited(), options),
        says);
  }

  /** The report of a short run with settings, whose parameters have all of some words. */
  public static EngineReport echoes(Engine engine, String config, String... words) {
    PackingProblem problem = HardProblems.row(20, 5);
    EngineOptions options = EngineOptions.defaults().withConfig(config);
    RunControl control = RunControl.ofSeconds(10, 1, 1);
    EngineReport report = engine.run(new Incumbent(problem), control, options);
    String parameters =
        report.log().lines().filter(line -> line.startsWith("Parameters:")).findFirst().orElse("");
    List.of(words).forEach(word -> assertTrue(parameters.contains(word), report.log()));
    return report;
  }

  /** Runs a portfolio and gives what it knows at the end. */
  public static Incumbent portfolio(
      Incumbent incumbent, RunControl control, List<Planner> planners, Engine... engines) {
    Portfolio.run(
        incumbent,
        control,
        new Portfolio.Setup(planners, List.of(engines), EngineOptions.defaults()));
    return incumbent;
  }

  private static long compare(
      Engine engine,
      EngineOptions options,
      long firstSeed,
      long seeds,
      long mostTries,
      long mostSkipped,
      Predicate<PackingProblem> wanted) {
    long skipped = 0;
    long refused = 0;
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      PackingProblem problem = RandomProblems.of(seed, LARGEST);
      if (!wanted.test(problem)) {
        continue;
      }
      Optional<BruteForce.Answer> answer =
          ANSWERS.computeIfAbsent(
              new Asked(seed, mostTries), asked -> BruteForce.peaks(problem, mostTries));
      if (answer.isEmpty()) {
        skipped++;
        continue;
      }
      long[] expected = answer.get().peaks();
      Incumbent incumbent = new Incumbent(problem);
      EngineReport report = engine.run(incumbent, RunControl.unlimited(), options);
      refused += report.statistics().getOrDefault("refusals", 0L);
      String which = "seed " + seed + ", expected " + Arrays.toString(expected);
      assertEquals(List.of(), incumbent.rejection(), which);
      if (expected != null && options.firstFit()) {
        assertTrue(incumbent.placement() != null, which);
      } else {
        holds(expected, incumbent, which);
      }
    }
    assertTrue(skipped <= mostSkipped, skipped + " of " + seeds + " were too much to try");
    return refused;
  }

  public static long[] figures(Score score) {
    return IntStream.range(0, score.size()).mapToLong(score::figure).toArray();
  }

  /** An incumbent has proven what trying everything came to; null where nothing fits. */
  public static void holds(long[] expected, Incumbent incumbent, String which) {
    Status status = expected == null ? Status.INFEASIBLE : Status.OPTIMAL;
    assertEquals(status, incumbent.status(), which + " found " + incumbent.score());
    if (expected != null) {
      assertArrayEquals(expected, figures(incumbent.score()), which);
    }
  }

  /** What an engine makes of a problem by itself. */
  public static Incumbent alone(
      Engine engine, PackingProblem problem, RunControl control, EngineOptions options) {
    Incumbent incumbent = new Incumbent(problem);
    engine.run(incumbent, control, options);
    return incumbent;
  }
}

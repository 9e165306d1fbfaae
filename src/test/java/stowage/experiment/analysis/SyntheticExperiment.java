package stowage.experiment.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import stowage.experiment.run.Features;
import stowage.experiment.run.Machine;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.RunRecord;
import stowage.experiment.suite.ExperimentJson;
import stowage.experiment.suite.RunSpec;
import stowage.experiment.suite.Suite;
import stowage.experiment.suite.SuiteJson;

/** An experiment whose answers are drawn instead of computed: as many runs as a test wants. */
public final class SyntheticExperiment {
  private static final String FAMILIES =
      """
      {"name": "drawn & <tested>", "description": "",
       "instances": [
         {"generator": "guillotine", "parameters": {"buffers": [10, 20, 40, 80], "seed": SEEDS}},
         {"generator": "random-intervals", "parameters": {"buffers": [15, 30], "seed": SEEDS}}],
       "planners": ["greedy-size", {"name": "greedy-area", "label": "area_100% & more"},
         "annealing", "search"],
       "seeds": [1, 2]}
      """;

  private final Random random;
  private final Map<String, String> versions =
      Map.of("stowage", "1", "commit", "c0ffee", "java", "17");
  private final Machine machine = new Machine("host", "Linux", "processor", 2, 1L << 30);

  private SyntheticExperiment(long seed) {
    this.random = new Random(seed);
  }

  /**
   * Writes an experiment to measure reports with: {@code SyntheticExperiment FOLDER SEEDS}; 105
   * seeds come to 5,040 runs.
   */
  public static void main(String[] arguments) throws IOException {
    System.out.println(
        write(Path.of(arguments[0]), Integer.parseInt(arguments[1]), 1).path() + " is written");
  }

  /**
   * Writes an experiment with all its runs done.
   *
   * @param seeds instances of each size and family; 48 runs come of one
   */
  public static RunFolder write(Path folder, int seeds, long seed) throws IOException {
    String all = IntStream.rangeClosed(1, seeds).boxed().toList().toString();
    Files.createDirectories(folder);
    Path file = Files.writeString(folder.resolve("drawn.json"), FAMILIES.replace("SEEDS", all));
    Suite suite = SuiteJson.read(file, null);
    List<RunSpec> runs = suite.runs();
    RunFolder experiment = new RunFolder(folder.resolve("out"));
    experiment.plan(suite, runs, "stowage experiment run drawn.json --out out");
    SyntheticExperiment drawn = new SyntheticExperiment(seed);
    long[] figures = null;
    String last = "";
    for (RunSpec run : runs) {
      if (!run.instance().digest().equals(last)) {
        last = run.instance().digest();
        figures = drawn.instance();
      }
      Files.write(
          experiment.path().resolve("runs").resolve(run.id() + ".json"),
          ExperimentJson.MAPPER.writeValueAsBytes(drawn.record(run, figures[0], figures[1])));
    }
    return experiment;
  }

  /** A bound, and an optimum that is above it now and then. */
  private long[] instance() {
    long bound = 1_000_000 + random.nextInt(1_000_000);
    return new long[] {bound, random.nextInt(5) == 0 ? bound + random.nextInt(50_000) : bound};
  }

  private RunRecord record(RunSpec run, long bound, long optimum) {
    int buffers = ((Number) run.instance().parameters().get("buffers")).intValue();
    boolean exact = run.planner().label().equals("search");
    int fate = random.nextInt(25);
    RunRecord.Outcome outcome =
        switch (fate) {
          case 0 -> RunRecord.Outcome.CRASHED;
          case 1 -> RunRecord.Outcome.TIMEOUT;
          case 2 -> RunRecord.Outcome.REFUSED;
          default -> RunRecord.Outcome.DONE;
        };
    if (outcome != RunRecord.Outcome.DONE) {
      return record(run, outcome, null, null, null, List.of(), buffers);
    }
    boolean best = random.nextInt(exact ? 5 : 3) != 0 == exact;
    long peak = best ? optimum : optimum + 1 + random.nextInt(400_000);
    boolean prover = exact || run.planner().label().equals("annealing");
    boolean proven = prover && best && optimum == bound;
    double seconds = Math.pow(buffers, exact ? 1.8 : 1.1) * 1e-4 * (0.5 + random.nextDouble());
    List<RunRecord.TracePoint> trace = new ArrayList<>();
    if (random.nextBoolean()) {
      trace.add(new RunRecord.TracePoint(seconds / 10, peak + 50_000, null));
      trace.add(new RunRecord.TracePoint(seconds / 3, peak + 20_000, bound));
    }
    trace.add(new RunRecord.TracePoint(seconds / 2, peak, bound));
    RunRecord.Times times =
        new RunRecord.Times(
            seconds, trace.get(0).seconds(), seconds / 2, proven ? seconds : null, 0.01, 1.0);
    return record(run, outcome, peak, proven ? peak : bound, times, trace, buffers);
  }

  private RunRecord record(
      RunSpec run,
      RunRecord.Outcome outcome,
      Long peak,
      Long bound,
      RunRecord.Times times,
      List<RunRecord.TracePoint> trace,
      int buffers) {
    boolean proven = peak != null && peak.equals(bound);
    Features.Spread spread = new Features.Spread(1, 2, 3, 4, 0.5);
    return new RunRecord(
        run,
        outcome,
        outcome == RunRecord.Outcome.DONE ? null : "why",
        peak == null ? "UNKNOWN" : proven ? "OPTIMAL" : "FEASIBLE",
        peak,
        bound,
        bound == null ? null : "max-load",
        bound != null,
        run.planner().label(),
        times == null ? new RunRecord.Times(null, null, null, null, null, null) : times,
        null,
        null,
        1L << 20,
        new Features(buffers, 100, 0, 1, 1000, 500, 0.5, 7, 3.5, spread, spread, 1),
        trace,
        machine,
        versions,
        null);
  }
}

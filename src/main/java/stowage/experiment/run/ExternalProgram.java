package stowage.experiment.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import stowage.experiment.suite.RunSpec;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.importer.io.InputException;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanFile;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Planner of the user's that runs as a program: a command that reads the problem as CSV and writes
 * the CSV with offsets, or a plan in JSON. What it writes is verified like any plan of ours.
 *
 * <p>In each of the command's words are filled in:
 *
 * <ul>
 *   <li>{@code {in}}, {@code {out}}: the problem's file and the one to be written, {@code .csv};
 *   <li>{@code {capacity}}: the memory's bytes; where it is unbounded, the peak that first fit in
 *       the order of sizes needs, so that a program that insists on a capacity can meet it;
 *   <li>{@code {seconds}}, rounded up, {@code {seed}}, {@code {threads}}: of the run.
 * </ul>
 *
 * <p>The time counts from the program's start to its end.
 */
record ExternalProgram(RunSpec run, Path scratch) {
  private static final int MESSAGE_CHARACTERS = 300;

  /** How it ended, and why it was no success. */
  record End(RunRecord.Outcome outcome, String message) {}

  /** Runs the program and offers its plan to the incumbent, where it is verified. */
  End solve(Incumbent incumbent) throws IOException, InterruptedException {
    PackingProblem problem = incumbent.problem();
    List<String> lost = PackingCsv.omissions(problem);
    lost.removeIf(what -> what.startsWith("the capacity") || what.startsWith("the name"));
    if (!lost.isEmpty()) {
      return new End(RunRecord.Outcome.REFUSED, "CSV cannot hold " + String.join(", ", lost));
    }
    Path in = scratch.resolve("in.csv");
    Path out = scratch.resolve("out.csv");
    Path log = scratch.resolve("external.log");
    PackingCsv.write(in, problem);
    Process process;
    try {
      process =
          new ProcessBuilder(command(problem, in, out))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException notStarted) {
      return new End(RunRecord.Outcome.FAILED, notStarted.getMessage());
    }
    process.getOutputStream().close();
    if (!process.waitFor((long) (run.limits().seconds() * 1000), TimeUnit.MILLISECONDS)) {
      destroy(process.toHandle());
      return new End(
          RunRecord.Outcome.TIMEOUT,
          "did not end within " + run.limits().seconds() + " s and was killed");
    }
    if (process.exitValue() != 0) {
      return new End(RunRecord.Outcome.FAILED, "ended with " + process.exitValue() + lastLine(log));
    }
    if (!Files.exists(out) || Files.size(out) == 0) {
      return new End(RunRecord.Outcome.NO_OUTPUT, "ended well but wrote nothing" + lastLine(log));
    }
    try {
      incumbent.offer(PlanFile.read(out).placement(problem), run.planner().label());
      return new End(RunRecord.Outcome.DONE, null);
    } catch (InputException malformed) {
      return new End(RunRecord.Outcome.INVALID, malformed.getMessage().replace(scratch + "/", ""));
    }
  }

  /** Kills a process and all that it has started. */
  static void destroy(ProcessHandle process) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process);
    all.forEach(ProcessHandle::destroyForcibly);
  }

  private List<String> command(PackingProblem problem, Path in, Path out) {
    List<String> words = new ArrayList<>();
    for (String word : run.planner().external()) {
      String filled =
          word.replace("{in}", in.toString())
              .replace("{out}", out.toString())
              .replace("{seconds}", Long.toString((long) Math.ceil(run.limits().seconds())))
              .replace("{seed}", Long.toString(run.seed()))
              .replace("{threads}", Integer.toString(run.threads()));
      words.add(
          filled.contains("{capacity}")
              ? filled.replace("{capacity}", Long.toString(capacity(problem)))
              : filled);
    }
    return words;
  }

  private static long capacity(PackingProblem problem) {
    Memory memory = problem.memories().get(problem.memories().size() - 1);
    return memory.isBounded()
        ? memory.capacity()
        : new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST)
            .plan(problem, RunControl.unlimited())
            .peak(problem, problem.memories().size() - 1);
  }

  private static String lastLine(Path log) throws IOException {
    String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip();
    return quoted(text.substring(text.lastIndexOf('\n') + 1).strip());
  }

  /** A line that a program wrote, to follow a message: short, without control characters. */
  static String quoted(String line) {
    return line.isEmpty()
        ? ""
        : ": "
            + line.substring(0, Math.min(line.length(), MESSAGE_CHARACTERS))
                .replaceAll("\\p{Cntrl}", " ");
  }
}

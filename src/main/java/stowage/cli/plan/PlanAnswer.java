package stowage.cli.plan;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import stowage.cli.input.OutputOptions;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.OutputException;
import stowage.importer.io.AtomicFiles;
import stowage.packing.Incumbent;
import stowage.packing.Status;
import stowage.packing.Violation;
import stowage.planning.PlanRun;
import stowage.report.RunReport;
import stowage.report.format.Terminal;
import stowage.report.plan.PlanJson;
import stowage.report.plan.PlanSummary;
import stowage.report.plan.RenderedPlan;

/** Answer of a plan: its files, what is printed, and the exit code. */
record PlanAnswer(OutputOptions output, PrintWriter out, PrintWriter err) {
  /**
   * Writes the folder, with parts made before or null, and prints the answer, which is printed even
   * where the folder is full: the run may have taken hours. {@code parts} have their own folders.
   */
  void write(RunReport report, PlanRun run, RenderedPlan made, String log, Runnable parts) {
    boolean complete = false;
    try {
      if (output.out != null) {
        boolean ready = made != null && report.tellsSamePlan(made.report());
        RenderedPlan files = ready ? made : RenderedPlan.streamed(report);
        List<Path> renamed = PlanFolder.write(output.out, report, files, log);
        parts.run();
        AnswerFolder.say(err, renamed);
      }
      complete = true;
    } finally {
      print(report, run, complete);
    }
  }

  private void print(RunReport report, PlanRun run, boolean complete) {
    if (output.json) {
      out.println(PlanJson.summary(report));
    } else {
      String said = complete ? "\n" + PlanFolder.said(output.out, report) + "\n" : "";
      out.print(Terminal.dressed(PlanSummary.of(report) + said));
    }
    List<Violation> faults = run.incumbent().rejection();
    if (run.refusal() != null) {
      err.println("stowage: " + run.refusal());
    } else if (run.incumbent().status() == Status.UNKNOWN && !faults.isEmpty()) {
      err.println("stowage: " + faults.get(0).text());
    }
    out.flush();
  }

  /** Writes a model with the plan in it, by a plan.json that is kept as long as that takes. */
  static void writeModel(RunReport report, Consumer<Path> writer, Path model) {
    try {
      Path folder = Files.createTempDirectory("stowage");
      Path made = folder.resolve("plan.json");
      try {
        AtomicFiles.write(made, stream -> PlanJson.write(report, stream));
        writer.accept(made);
      } finally {
        Files.deleteIfExists(made);
        Files.delete(folder);
      }
    } catch (IOException failure) {
      throw new OutputException(model, failure);
    }
  }

  static int exitCode(Incumbent incumbent) {
    if (incumbent.status() == Status.INFEASIBLE) {
      return ExitCode.INFEASIBLE;
    }
    if (incumbent.placement() != null) {
      return ExitCode.OK;
    }
    List<Violation> faults = incumbent.rejection();
    boolean tooHigh = faults.stream().anyMatch(fault -> fault.kind() == Violation.Kind.CAPACITY);
    return faults.isEmpty() || tooHigh ? ExitCode.NO_PLAN : ExitCode.INVALID_PLAN;
  }
}

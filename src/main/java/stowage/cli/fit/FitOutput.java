package stowage.cli.fit;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import stowage.cli.input.InputOptions;
import stowage.cli.input.OutputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.RunOptions;
import stowage.cli.plan.PlanFolder;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.OrderExport;
import stowage.importer.onnx.OnnxRewriting;
import stowage.importer.own.NetworkJson;
import stowage.importer.tflite.TfliteRewriting;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.planning.LoadedProblem;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitPlan;
import stowage.planning.fit.FitRequest;
import stowage.planning.fit.Lever;
import stowage.report.FigureSize;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.fit.FitJson;
import stowage.report.fit.FitPage;
import stowage.report.fit.FitText;
import stowage.report.format.Table;
import stowage.report.format.Terminal;
import stowage.report.plan.RenderedPlan;
import stowage.rewrite.OpOrigin;
import stowage.text.ShellText;

/**
 * Files and terminal text of what a run of {@code stowage fit} found.
 *
 * @param remarks sentences of the answer, which grow
 */
record FitOutput(
    InputOptions input,
    RunOptions run,
    OutputOptions output,
    Path write,
    CommandLine commandLine,
    List<String> remarks) {
  private static final List<String> CURVE = List.of("curve.csv", "curve.svg");
  private static final List<String> FILES =
      List.of(
          ("network.json order.csv fit.html plan.csv plan.json plan.svg plan.html curve.csv"
                  + " curve.svg")
              .split(" "));

  /** Looks whether the model is to be written in a format for its changes. */
  void checkTarget(FitRequest request) {
    Set<Lever> levers = request.levers();
    if (write == null) {
      return;
    }
    String own = extension(input.input);
    if (!List.of("json", own).contains(extension(write))) {
      boolean file = !input.input.equals(InputOptions.STDIN) && !own.equals("json");
      String like = file ? " or in ." + own + " like the model" : "";
      throw new UsageException("--write " + write + " should end in .json" + like);
    }
    UsageException.when(
        !List.of("json", "tflite", "onnx").contains(extension(write))
            && (levers.contains(Lever.SPLIT) || levers.contains(Lever.RECOMPUTE)),
        "--write "
            + write
            + " should end in .json: a fitted network is written as .json, .tflite or .onnx, in"
            + " other formats only another order of its ops (--levers order,sharing)");
    if (extension(write).equals("tflite")) {
      TfliteRewriting.checkTypes(input.input, request.network());
    }
  }

  /** Writes all files and prints the answer. */
  void write(FitAnswer answer, ProblemLoader.Unordered read) {
    FitPlan plan = answer.plan();
    RunReport report = plan == null ? null : report(plan, read);
    if (answer.idle() > 0) {
      remarks.add(
          "The search ended before its limit, since nothing better came for "
              + (run.isDeterministic()
                  ? "%.1f work units.".formatted(answer.idle())
                  : ByteText.seconds(answer.idle()) + "."));
    }
    long alignment = read.liveness().alignment();
    if (plan != null && ProblemLoader.rounding(read.network(), alignment, input).isEmpty()) {
      ProblemLoader.rounding(plan.rewriting().network(), alignment, input)
          .ifPresent(what -> remarks.add("In the rewritten network " + what + "."));
    }
    try {
      if (write != null && plan != null && answer.status() != Status.INFEASIBLE) {
        writeModel(plan, read.network());
        WrittenFile.say(commandLine.getCommandSpec(), write, List.of(), false);
      }
    } finally {
      if (output.out != null) {
        writeFolder(answer, report);
      }
      PrintWriter out = commandLine.getOut();
      out.print(
          output.json
              ? FitJson.of(answer, report, remarks)
              : Terminal.dressed(FitText.of(answer, remarks)));
      if (!output.json && output.out == null && write == null && plan != null) {
        out.println("\nPictures and files: add --out DIR; the model: add --write FILE");
      }
      out.flush();
    }
  }

  private RunReport report(FitPlan plan, ProblemLoader.Unordered read) {
    LoadedProblem planned = read.planned(plan.placement().problem(), plan.planned());
    RunSettings settings = run.settings(List.of(), FigureSize.USUAL);
    RunFacts facts = RunFacts.of(plan.placement().trace());
    return RunReport.of(plan.plan(), planned, settings, facts, null);
  }

  /** Writes the model that fits: its ops, and where the format has room for it the plan. */
  private void writeModel(FitPlan plan, Network given) {
    try {
      String extension = extension(write);
      Map<String, Long> offsets = plan.planned().offsets(plan.plan().placement());
      if (extension.equals("json")) {
        NetworkJson.write(plan.rewriting().network(), write);
      } else if (extension.equals("tflite") && extension(input.input).equals("tflite")) {
        TfliteRewriting.write(input.input, plan.rewriting(), offsets, write);
        String head = ByteText.both(plan.peak());
        boolean scratch = given.ops().stream().anyMatch(op -> !op.scratch().isEmpty());
        String without = scratch ? "." : "; scratch memory is not included (--scratch LOG).";
        remarks.add(write + " holds the plan: TensorFlow Lite Micro's head is " + head + without);
      } else if (extension.equals("onnx") && extension(input.input).equals("onnx")) {
        String lacking =
            OnnxRewriting.write(input.input, plan.rewriting(), offsets, plan.peak(), write);
        remarks.add(
            write
                + " holds the plan in its metadata_props. ONNX Runtime keeps the pieces unless it"
                + " optimises: make the session with ORT_DISABLE_ALL and execution_order = ExecutionOrder.PRIORITY_BASED."
                + lacking);
      } else {
        int[] order = plan.rewriting().ops().stream().mapToInt(OpOrigin::op).toArray();
        remarks.add(OrderExport.write(input.input, given, order, write));
      }
    } catch (IOException failure) {
      throw new OutputException(write, failure);
    }
    remarkSharing(plan, write, "");
  }

  /** Says by which options a file that was written has the plan's peak, where some are needed. */
  private void remarkSharing(FitPlan plan, Path file, String schedule) {
    LivenessOptions used = plan.planned().options();
    LivenessOptions usual = LivenessOptions.defaultsOf(plan.rewriting().network().format());
    String needed =
        named("in-place", used.inPlace(), usual.inPlace())
            + named("inputs", used.inputs(), usual.inputs())
            + named("variables", used.variables(), usual.variables())
            + named("alignment", used.alignment(), usual.alignment());
    if (!needed.isEmpty()) {
      String command = "stowage plan " + ShellText.quoted(file.toString()) + schedule;
      remarks.add("%s has this peak with%s: %s%s".formatted(file, needed, command, needed));
    }
  }

  private static String named(String option, Object used, Object usual) {
    String word = used.toString().toLowerCase(Locale.ROOT);
    return used.equals(usual) ? "" : " --" + option + " " + word;
  }

  private static String extension(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private void writeFolder(FitAnswer answer, RunReport report) {
    FitPlan plan = answer.plan();
    AnswerFolder folder = new AnswerFolder(output.out);
    List<Path> renamed = new ArrayList<>();
    if (plan == null || answer.status() == Status.INFEASIBLE) {
      renamed.addAll(folder.setAside(FILES));
    } else {
      String schedule =
          " --schedule " + ShellText.quoted(output.out.resolve("order.csv").toString());
      remarkSharing(plan, output.out.resolve("network.json"), schedule);
      renamed.addAll(PlanFolder.write(output.out, report, RenderedPlan.streamed(report), ""));
      folder.writeString("network.json", NetworkJson.text(plan.rewriting().network()));
      folder.writeString("order.csv", order(plan, answer.request().network()));
      folder.writeString("fit.html", FitPage.of(answer, remarks));
      List<String> said =
          new ArrayList<>(
              List.of("fit.html", "plan.html", "network.json", "order.csv", "plan.json"));
      if (answer.curve().isEmpty()) {
        renamed.addAll(folder.setAside(CURVE));
      } else {
        folder.writeString("curve.csv", FitPage.curveCsv(answer));
        folder.writeString("curve.svg", FitPage.curveSvg(answer));
        said.addAll(CURVE);
      }
      WrittenFile.sayFolder(commandLine.getCommandSpec(), output.out, said);
    }
    AnswerFolder.say(commandLine.getErr(), renamed);
  }

  /** The order: for each position the op of the given network, and its name in network.json. */
  private static String order(FitPlan plan, Network given) {
    Table table = new Table().figures("position").texts("op", "name");
    int position = 0;
    for (int op : plan.planned().order()) {
      String origin = given.ops().get(plan.rewriting().ops().get(op).op()).name();
      table.row(position++, origin, plan.rewriting().network().ops().get(op).name());
    }
    return table.csv();
  }
}

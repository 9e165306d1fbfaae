package stowage.cli.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Member;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.plan.PlanCommand;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.compiler.tflite.TfliteMicro;
import stowage.experiment.run.RunFolder;
import stowage.importer.InputFormats;
import stowage.importer.dsa.DsaFormat;
import stowage.importer.dsa.DsaSolution;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.io.PackingBaseline;
import stowage.importer.own.CHeader;
import stowage.importer.own.PlanFile;
import stowage.liveness.BaselineCheck;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.planning.LoadedProblem;
import stowage.planning.RulesOfPlan;
import stowage.report.OpFacts;
import stowage.report.plan.PlanTrace;

/** {@code stowage export}: a plan written into the model's own file, for its runtime to use. */
@Command(
    name = "export",
    description =
        "Writes a plan into a copy of the model, where its runtime looks for it: TFLite's"
            + " OfflineMemoryAllocation, the addresses of a TPU-MLIR file, the allocation_info of"
            + " an ExecuTorch program, or the metadata_props of an ONNX file's values; as the"
            + " solution of a dsa-solver document; or as a C header or a trace.")
public final class ExportCommand extends BaseCommand {
  @Mixin InputOptions input;

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      description =
          "A plan.json or plan.csv of this model (default: the model is planned first). A plan.json"
              + " contains the options that it was made with; a plan.csv needs them here again.")
  Path plan;

  @Writes
  @Option(
      names = {"--out", "-o", "--write"},
      paramLabel = "FILE",
      required = true,
      description = "The model to write, - for stdout.")
  Path out;

  @Option(
      names = "--json",
      description = "Print one JSON object on stdout that says what was written, and nothing else.")
  boolean json;

  @Option(
      names = "--format",
      paramLabel = "model|c|perfetto",
      description =
          "model: a copy of the model with the plan in it, or the solution of a dsa-solver document"
              + " (default). For any input: c, a C header with the offsets and sizes of all"
              + " tensors, and the bytes of the arena (default for a name that ends in .h);"
              + " perfetto, a trace for Perfetto's viewer and chrome://tracing.")
  Format format;

  /** What to write. */
  enum Format {
    MODEL,
    C,
    PERFETTO
  }

  private LoadedProblem planned;
  private Placement placement;

  /** Writes a plan.json into a copy of its model, with messages to a command's streams. */
  public static void write(InputOptions input, Path plan, Path copy, CommandSpec command) {
    ExportCommand export = new ExportCommand();
    export.input = input;
    export.plan = plan;
    export.out = copy;
    export.spec = command;
    export.call();
  }

  private List<String> optionsOfPlan() {
    List<String> options = new ArrayList<>(List.of(input.input.toString()));
    CommandLine.ParseResult given = spec.commandLine().getParseResult();
    for (OptionSpec option : given.matchedOptions()) {
      boolean own =
          option.userObject() instanceof Member member
              && member.getDeclaringClass() == ExportCommand.class;
      for (String value : own ? List.<String>of() : option.originalStringValues()) {
        options.add(option.longestName() + "=" + value);
      }
    }
    return options;
  }

  /** Plans the model, and writes that plan; else gives the exit code of {@code plan}. */
  private int planned() {
    try {
      Path folder = Files.createTempDirectory("stowage");
      plan = folder.resolve("plan.json");
      try {
        StringWriter answer = new StringWriter();
        CommandLine planning = new CommandLine(new PlanCommand());
        planning.setCaseInsensitiveEnumValuesAllowed(true);
        planning.setOut(new PrintWriter(answer)).setErr(err());
        List<String> words = optionsOfPlan();
        words.addAll(List.of("--quiet", "--out", folder.toString()));
        planning.parseArgs(words.toArray(String[]::new));
        int code = ((PlanCommand) planning.getCommand()).call();
        if (code != ExitCode.OK) {
          err().print(answer);
          return code;
        }
        return call();
      } finally {
        RunFolder.delete(folder);
      }
    } catch (IOException failure) {
      throw new OutputException(out, failure);
    }
  }

  @Override
  public Integer call() {
    UsageException.when(
        input.input.equals(InputOptions.STDIN),
        "export copies the model's file, which - is not; name the file");
    if (format == null) {
      format = out.toString().endsWith(".h") ? Format.C : Format.MODEL;
    }
    if (format == Format.MODEL) {
      InputFormats.checkCopy(input.input, out);
    }
    if (plan == null) {
      return planned();
    }
    input.planned = plan;
    planned = new ProblemLoader(input).load();
    placement = PlanFile.read(plan).validPlacement(planned.problem());
    List<String> facts = new ArrayList<>();
    ObjectNode answer = new ObjectMapper().createObjectNode();
    boolean alone = RulesOfPlan.read(plan).run() == null;
    if (planned.isForTfliteMicro() && alone) {
      checkHead(facts, answer);
    }
    UsageException.when(
        json && WrittenFile.isStdout(out),
        "--out - and --json both write to stdout; give --out a file");
    AtomicFiles.Content text;
    try {
      text = text();
      if (text == null) {
        write(facts);
      } else if (!WrittenFile.isStdout(out)) {
        AtomicFiles.write(out, text);
      }
    } catch (IOException failure) {
      throw new OutputException(out, failure);
    }
    if (text != null && WrittenFile.isStdout(out)) {
      WrittenFile.write(spec, out, text, List.of(), false);
    }
    say(facts, answer);
    return ExitCode.OK;
  }

  private AtomicFiles.Content text() throws IOException {
    if (format == Format.PERFETTO) {
      return this::writeTrace;
    }
    boolean solution = !planned.planningCase().hasNetwork() && DsaFormat.isDocument(input.input);
    if (format == Format.MODEL && !solution) {
      return null;
    }
    String text =
        format == Format.C ? header() : DsaSolution.of(input.input, planned.problem(), placement);
    return stream -> stream.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private void say(List<String> facts, ObjectNode answer) {
    if (!json) {
      facts.forEach(fact -> say(fact));
      if (!WrittenFile.isStdout(out)) {
        WrittenFile.say(spec, out, List.of(), false);
      }
      return;
    }
    answer.put("schemaVersion", 1).put("written", out.toString());
    print(answer.toPrettyString() + "\n");
  }

  /**
   * Says what TFLite Micro will take with the plan and without; it is a fault when that is more,
   * unless the plan keeps the inputs, which TFLite Micro does not.
   */
  private void checkHead(List<String> facts, ObjectNode answer) {
    TfliteMicro runtime = new TfliteMicro(planned.planningCase(), planned.placedByRuntime());
    long head = runtime.settled(placement).peak(planned.problem(), 0);
    long own =
        TfliteMicro.of(planned.planningCase().network(), planned.placedByRuntime()).ownHead();
    boolean keeps = planned.planningCase().options().inputs() == LivenessOptions.Inputs.KEEP;
    if (head > own && format == Format.MODEL && !keeps) {
      String what =
          "would make TFLite Micro take %s; its own planner takes %s, so the model is better off"
              + " without a plan";
      throw new InputException(plan, "", what, ByteText.both(head), ByteText.both(own));
    }
    boolean scratch =
        planned.planningCase().network().ops().stream().anyMatch(op -> op.scratchBytes() > 0);
    facts.add(
        "TFLite Micro's arena head: %s with this plan, %s by its own planner%s"
            .formatted(
                ByteText.both(head),
                ByteText.both(own),
                scratch ? "" : "; scratch memory is not included (--scratch LOG)"));
    answer.put("head", head).put("ownHead", own).put("scratchIncluded", scratch);
  }

  private Map<String, Long> offsets() {
    Map<String, Long> offsets = planned.planningCase().offsets(placement);
    offsets.keySet().removeAll(planned.placedByRuntime());
    for (int i = 0; !planned.planningCase().hasNetwork() && i < planned.problem().size(); i++) {
      offsets.put(planned.problem().buffer(i).id(), placement.offset(i));
    }
    return offsets;
  }

  /** By buffer its memory's id in the plan's order; empty where those are the program's own. */
  private Map<String, Integer> memoryIds() {
    PackingProblem problem = planned.problem();
    Map<String, Integer> ids = new LinkedHashMap<>();
    boolean own = problem.memories().stream().allMatch(m -> m.name().matches("(.*:)?id\\d+"));
    for (int i = 0; i < problem.size() && !own && problem.memories().size() > 1; i++) {
      ids.put(problem.buffer(i).id(), placement.memory(i) + 1);
    }
    return ids;
  }

  private void writeTrace(OutputStream stream) throws IOException {
    PlanningCase planningCase = planned.planningCase();
    PlanTrace.write(
        planned.problem(), placement, planningCase.tensors(), OpFacts.of(planningCase), stream);
  }

  private String header() {
    PackingProblem problem = planned.problem();
    Map<String, CHeader.Extent> extents = new LinkedHashMap<>();
    long alignment = 1;
    for (int i = 0; i < problem.size(); i++) {
      alignment = Math.max(alignment, problem.alignment(i, placement.memory(i)));
      List<PlanningCase.Part> parts = planned.planningCase().parts(i);
      long offset = placement.offset(i);
      int memory = placement.memory(i);
      for (PlanningCase.Part part : parts) {
        long bytes = planned.planningCase().network().tensor(part.tensor()).bytes();
        extents.put(part.tensor(), new CHeader.Extent(offset + part.offset(), bytes, memory));
      }
      if (parts.isEmpty()) {
        Buffer buffer = problem.buffer(i);
        extents.put(buffer.id(), new CHeader.Extent(offset, buffer.size(), memory));
      }
    }
    List<CHeader.Arena> arenas = new ArrayList<>();
    for (int m = 0; m < problem.memories().size(); m++) {
      String name = problem.memories().get(m).name();
      arenas.add(new CHeader.Arena(name, placement.peak(problem, m)));
    }
    return CHeader.of(problem.name(), arenas, alignment, extents);
  }

  /** Checks a program that was written by what is read from it. */
  private void checkWritten(Input.Packing written) {
    PackingProblem problem = written.problem();
    PackingBaseline found = written.baseline().orElseThrow();
    String status = found.status(problem);
    boolean renumbered = !memoryIds().isEmpty();
    for (int m = 0; m < problem.memories().size() && status.equals(PackingBaseline.VALID); m++) {
      String name = problem.memories().get(m).name();
      int own = renumbered ? Integer.parseInt(name.substring(2)) - 1 : m;
      if (found.bytes().get(m) != placement.peak(planned.problem(), own)) {
        status = "memory " + problem.memories().get(m).name() + " has " + found.bytes().get(m);
      }
    }
    if (!status.equals(PackingBaseline.VALID)) {
      throw new InputException(plan, "", "would be wrong in the program: " + status);
    }
  }

  /**
   * Writes the model next to its place, reads it back, and puts it there only when the plan in it
   * is right: a plan made for another order of the ops, or for other alignments, would not be.
   */
  private void write(List<String> facts) throws IOException {
    Path model = input.input;
    String name = String.valueOf(model.getFileName());
    int dot = Math.max(0, name.lastIndexOf('.'));
    boolean stdout = WrittenFile.isStdout(out);
    Path folder =
        stdout
            ? Files.createTempDirectory("stowage")
            : Files.createTempDirectory(out.toAbsolutePath().getParent(), ".stowage");
    Path written = folder.resolve("model" + name.substring(dot));
    try {
      long peak = placement.peak(planned.problem(), 0);
      Network network = planned.planningCase().network();
      List<String> left =
          InputFormats.formatOf(model)
              .writePlan(
                  model,
                  new InputFormat.Planned(network, input.module, offsets(), memoryIds(), peak),
                  written);
      if (!left.isEmpty()) {
        facts.add(
            ("%s tensors are no values of the file, so that it has no place for their offsets,"
                    + " \"%s\" is one")
                .formatted(left.size(), left.get(0)));
      }
      Input again =
          InputFormats.read(
              written, new InputFormat.Options(false, input.dimensions, null, "", input.module));
      if (again instanceof Input.Packing packing) {
        checkWritten(packing);
      } else if (again instanceof Input.Graph graph && graph.baseline().isPresent()) {
        Set<String> elsewhere = new HashSet<>(graph.network().tensors().keySet());
        elsewhere.removeAll(offsets().keySet());
        elsewhere.addAll(left);
        BaselineCheck check =
            BaselineCheck.of(
                graph.network(),
                graph.baseline().get(),
                planned.planningCase().options().inPlace(),
                elsewhere);
        if (!check.valid()) {
          String what =
              "would be wrong in the model, in the order of the file's ops and with sizes rounded"
                  + " up to %s: %s";
          long alignment = graph.baseline().get().alignment();
          throw new InputException(plan, "", what, alignment, check.status());
        }
      }
      if (stdout) {
        Files.copy(written, System.out);
      } else {
        Files.move(
            written, out, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        String lacking = InputFormats.formatOf(model).lacking(model, out);
        if (!lacking.isEmpty()) {
          say(lacking);
        }
      }
    } finally {
      Files.deleteIfExists(written);
      Files.delete(folder);
    }
  }
}

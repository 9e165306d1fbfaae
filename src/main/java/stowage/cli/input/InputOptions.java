package stowage.cli.input;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.UsageException;
import stowage.importer.InputFormats;
import stowage.importer.io.InputFormat;
import stowage.importer.io.Suggestion;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.text.ShellText;

/** What is to be planned: the file, and how it is read. Shared by all commands that read one. */
@HelpGroup(HelpGroup.INPUT)
public class InputOptions {
  private static final List<String> OF_NETWORKS =
      List.of(
          "--alias --in-place --variables --scratch --inputs --concurrency --schedule".split(" "));

  private static final List<String> OF_BUFFERS =
      List.of("--ignore-offsets", "--bank-size", "--no-cross");

  /** The name that is stdin. */
  public static final Path STDIN = Path.of("-");

  /** Which memory of a chip buffers are for. */
  enum ChipMemory {
    GMEM,
    /** One lane's local memory. */
    LMEM,
    /** The memory that all lanes share first, then GMEM. */
    L2
  }

  @Parameters(
      paramLabel = "INPUT",
      descriptionKey = "input", // help/inputs.properties has what some commands read
      description =
          "A list of buffers (.csv, .json), a network (.json, .onnx, .tflite, OpenVINO .xml,"
              + " TPU-MLIR .mlir, PyTorch Inductor's graph or output_code.py) or a dump (XLA's .pb,"
              + " ExecuTorch's .pte, PyTorch's .pickle; docs/dumps.md); - reads stdin, with"
              + " --format.")
  public Path input;

  /** The extension to read it by, as it was given; null for the file's own. */
  public String format;

  @Option(names = "--ignore-offsets", description = "Do not take offsets in a CSV as fixed.")
  boolean ignoreOffsets;

  @HelpGroup(HelpGroup.MEMORY)
  @Option(
      names = "--alignment",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Every offset is a multiple of it; a network's activation sizes are rounded up to it"
              + " (default: the chip's or that of --memories, else 16 for .tflite and 4096 for"
              + " other networks).")
  Long alignment;

  @HelpGroup(HelpGroup.MEMORY)
  @Option(
      names = "--chip",
      paramLabel = "NAME|FILE",
      description = "The chip: see `stowage list chips`.")
  public String chip;

  @HelpGroup(HelpGroup.MEMORY)
  @Option(
      names = "--memory",
      paramLabel = "MEMORY",
      description =
          "With --chip: gmem (default); l2, the chip's shared SRAM first and gmem for the rest; or,"
              + " for a list of buffers, lmem, one lane's.")
  ChipMemory chipMemory;

  @HelpGroup(HelpGroup.MEMORY)
  @Option(
      names = "--bank-size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The memory has banks of this size.")
  Long bankSize;

  @HelpGroup(HelpGroup.MEMORY)
  @Option(names = "--no-cross", description = "No buffer may cross a border between banks.")
  boolean noCross;

  @Option(
      names = "--in-place",
      paramLabel = "none|views|elementwise|optimal|bands|SYSTEM",
      description =
          "Which tensors of a network share one buffer (default: views; for .tflite: none; with"
              + " fit: all that can). SYSTEM is onnxruntime, ggml, xnnpack or onnxsim: what it does"
              + " in place.")
  public LivenessOptions.InPlace inPlace;

  @Option(
      names = "--variables",
      paramLabel = "arena|outside",
      description =
          "Where state that survives between runs is kept: in the planned memory (default), or in"
              + " memory of the run-time's own (default for .tflite).")
  public LivenessOptions.Variables variables;

  @Option(
      names = "--scratch",
      paramLabel = "LOG",
      description =
          "Scratch memory of a .tflite model's ops, which the file does not contain: a log of"
              + " TFLite Micro's allocator (docs/real-systems.md), or a plan.json made with one.")
  public Path scratch;

  @Option(
      names = "--inputs",
      paramLabel = "free|keep|caller",
      description =
          "Graph inputs live to their last use (free, the default) or to the end (keep); or they"
              + " and the outputs are in the caller's memory (caller).")
  public LivenessOptions.Inputs inputs;

  @Option(
      names = {"--concurrency", "--order"},
      paramLabel = "ORDER",
      description =
          "How ops may run: in-order (default), out-of-order, branches, or streams=FILE, or"
              + " streams=N, which spreads them over N; `compare` also accepts all.")
  public String order = "in-order";

  @Option(
      names = "--schedule",
      paramLabel = "SCHEDULE",
      description =
          "Order in which a network's ops run: given (default), optimal, PyTorch Inductor's lpmf,"
              + " bfs or dfs, another system's as `stowage schedule` lists them, or a file: an op's"
              + " name per line, or the order.csv of `stowage schedule`.")
  String schedule = "given";

  /** What becomes of buffers of ops side by side; commands set it. */
  public LivenessOptions.Sharing sharing = LivenessOptions.Sharing.FORBIDDEN;

  /** How long the search for the optimal order may take, in seconds. */
  public double orderSeconds = 20;

  @Option(
      names = "--alias",
      paramLabel = "PAST=PRESENT",
      description =
          "Graph input PAST and graph output PRESENT are one place, held throughout, as a cache"
              + " that a run takes and gives back; * matches the same text in both, as in"
              + " past_key_values.*=present.*; may be repeated.")
  public List<String> aliases = List.of();

  @Option(
      names = "--module",
      paramLabel = "NAME",
      description =
          "Of a dump with several modules, read this one (default: the one with the most in it; see"
              + " `stowage show`).")
  public String module = "";

  @Option(
      names = "--dim",
      paramLabel = "NAME=VALUE",
      description = "Binds a free dimension of an ONNX or OpenVINO model; may be repeated.")
  public Map<String, Long> dimensions = new LinkedHashMap<>();

  /** Whether it is one of several inputs, of which not each has every dimension given. */
  public boolean several;

  /** A plan of the input, whose rules hold where these options say nothing; null for none. */
  public Path planned;

  /** What other options of the command change in a network before it is laid out. */
  public UnaryOperator<Network> completion = UnaryOperator.identity();

  /** The command these options belong to; null where a command makes them itself. */
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  /** Takes the order of ops from a file. */
  public void orderAs(Path file) {
    schedule = file.toString();
  }

  /** Sets the alignment, unless one or a chip was given. */
  public void alignUnlessGiven(long bytes) {
    alignment = alignment == null && chip == null ? Long.valueOf(bytes) : alignment;
  }

  /** How the file is read. */
  public InputFormat.Options reading() {
    return new InputFormat.Options(
        ignoreOffsets, dimensions, scratch, extension(input, format), module);
  }

  /** The input as a shell's line names it, with the dimensions bound here. */
  public String named() {
    StringBuilder named = new StringBuilder(ShellText.quoted(input.toString()));
    dimensions.forEach(
        (name, value) -> named.append(" --dim ").append(ShellText.quoted(name + "=" + value)));
    return named.toString();
  }

  /** The extension that says the format, with the dot; empty where the file's own does. */
  public static String extension(Path input, String format) {
    if (format == null) {
      UsageException.when(
          input != null && input.equals(STDIN),
          "- as INPUT needs --format (compare: --input-format), such as --format json; one of "
              + knownFormats());
      return "";
    }
    String extension = (format.startsWith(".") ? "" : ".") + format.toLowerCase(Locale.ROOT);
    UsageException.when(
        !InputFormats.extensions().contains(extension),
        "--format %s should be one of %s%s"
            .formatted(
                format, knownFormats(), Suggestion.hint(extension.substring(1), knownFormats())));
    return extension;
  }

  private static List<String> knownFormats() {
    return InputFormats.extensions().stream().map(extension -> extension.substring(1)).toList();
  }

  void warnOfNetworkOptions() {
    warn(OF_NETWORKS, "is about a network's ops; " + input + " is a list of buffers");
  }

  /** Says which options do nothing where a network is written as it is. */
  public void warnOfLayoutOptions() {
    List<String> layout = new ArrayList<>(OF_NETWORKS);
    layout.remove("--scratch");
    layout.add("--alignment");
    warn(layout, "is about a network's buffers; --to buffers writes those");
  }

  void warnOfBufferOptions() {
    warn(OF_BUFFERS, "is about a list of buffers; " + input + " is a network");
  }

  /**
   * Leaves out of a command's help what is about lists of buffers: it reads none.
   *
   * @param more names of other options that it has no use for
   */
  public static void hideOptionsOfBuffers(CommandSpec command, Set<String> more) {
    for (OptionSpec option : List.copyOf(command.options())) {
      String name = option.longestName();
      boolean hidden = option.hidden() || OF_BUFFERS.contains(name) || more.contains(name);
      command.remove(option); // all of them, so that their order stays
      command.addOption(option.toBuilder().hidden(hidden).build());
    }
  }

  private void warn(List<String> options, String why) {
    ParseResult given = command == null ? null : command.commandLine().getParseResult();
    for (String option : options) {
      if (given != null && given.hasMatchedOption(option)) {
        warn(option + " does nothing: it " + why);
      }
    }
  }

  /** Says one line on stderr; nothing where a command makes these options itself. */
  public void warn(String remark) {
    if (command != null) {
      command.commandLine().getErr().println("stowage: " + remark);
    }
  }
}

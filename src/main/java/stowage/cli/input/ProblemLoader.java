package stowage.cli.input;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import stowage.cli.terminal.UsageException;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;
import stowage.importer.io.Suggestion;
import stowage.importer.own.Chips;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.liveness.StatePairs;
import stowage.liveness.StreamSpread;
import stowage.network.Chip;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.planning.LoadedProblem;
import stowage.planning.RulesOfPlan;

/** Loader of what is to be planned, from a file and the options of the command line. */
public final class ProblemLoader {
  private static final String STREAMS = "streams=";
  private static final String SHARED_MEMORY = "l2";

  /** More than any memory has; sums of more such alignments than buffers fit do not overflow. */
  private static final long MOST_ALIGNMENT = 1L << 40;

  /** Ratio of rounded to own sizes of tensors above which a warning is printed. */
  private static final double MUCH_ROUNDING = 1.25;

  private final InputOptions options;
  private final RulesOfPlan rules;

  private Input read;

  /** The file and how to read it. */
  public ProblemLoader(InputOptions options) {
    this.options = options;
    this.rules = RulesOfPlan.read(options.planned);
  }

  /** Reads the input. */
  public LoadedProblem load() {
    UsageException.whenOutside(1, MOST_ALIGNMENT, "--alignment", options.alignment);
    UsageException.whenBelow(1, "--bank-size", options.bankSize);
    Chip chip = options.chip == null ? null : Chips.load(options.chip);
    liveness("", chip); // wrong options are reported before any reading
    Input input = read();
    if (input instanceof Input.Packing packing) {
      options.warnOfNetworkOptions();
      packing.remarks().forEach(remark -> options.warn(options.input + ": " + remark));
      boolean shared = options.chipMemory == InputOptions.ChipMemory.L2;
      PackingProblem given = shared ? packing.problem() : inMemoriesOfPlan(packing.problem());
      return LoadedProblem.of(
          withSharedMemory(withMemory(given, chip), chip),
          shared || given != packing.problem() ? null : packing.baseline().orElse(null));
    }
    Input.Graph graph = (Input.Graph) input;
    warnOfNetwork(graph.network());
    LivenessOptions liveness = liveness(graph.network().format(), chip);
    warnOfRounding(graph.network(), liveness.alignment());
    try {
      StatePairs.of(graph.network(), liveness.aliases());
    } catch (InvalidNetworkException wrong) {
      throw new UsageException("--alias: " + wrong.getMessage());
    }
    int[] order = order(graph.network(), liveness);
    if (streamCount() > 0) {
      liveness = liveness.withStreams(StreamSpread.over(graph.network(), order, streamCount()));
    }
    PlanningCase planningCase = Liveness.of(graph.network(), order, liveness);
    PackingProblem problem =
        options.chipMemory == InputOptions.ChipMemory.L2
            ? withSharedMemory(planningCase.problem(), chip)
            : inMemoriesOfPlan(planningCase.problem());
    return new Unordered(graph, liveness).planned(problem, planningCase.withProblem(problem));
  }

  private int[] order(Network network, LivenessOptions liveness) {
    int[] planned = options.schedule.equals(Schedules.GIVEN) ? rules.order(network) : null;
    if (planned != null) {
      return planned;
    }
    RunControl control =
        RunControl.ofSeconds(options.orderSeconds, Runtime.getRuntime().availableProcessors(), 1);
    return Schedules.order(network, options.schedule, liveness, control);
  }

  /** Indices of a network's ops in the order of a file. */
  public static int[] order(Network network, Path file) {
    return Schedules.order(network, file.toString(), null, null);
  }

  private void warnOfNetwork(Network network) {
    options.warnOfBufferOptions();
    network.notes().stream()
        .filter(note -> note.startsWith(Network.TOO_LOW))
        .forEach(note -> options.warn(options.input + ": " + note));
    UsageException.when(
        options.chipMemory == InputOptions.ChipMemory.LMEM,
        "--memory lmem plans a list of buffers; for a network's on-chip memory use: stowage group");
  }

  /** Warns where the default alignment adds much to the sizes of a network's buffers. */
  private void warnOfRounding(Network network, long alignment) {
    if (rules.alignment() == null) {
      rounding(network, alignment, options)
          .ifPresent(what -> options.warn("%s: %s".formatted(options.input, what)));
    }
  }

  /** What an alignment that is not asked for adds to sizes of a network where that is much. */
  public static Optional<String> rounding(Network network, long alignment, InputOptions options) {
    double own = 0;
    double rounded = 0;
    for (Tensor tensor : network.tensors().values()) {
      if (tensor.kind() == Tensor.Kind.ACTIVATION) {
        own += tensor.bytes();
        rounded += Math.ceil((double) tensor.bytes() / alignment) * alignment;
      }
    }
    String what =
        "sizes are rounded up to multiples of %s, %s in all for tensors of %s;"
            + " --alignment BYTES sets another";
    boolean asked = options.alignment != null || options.chip != null;
    return asked || rounded <= MUCH_ROUNDING * own
        ? Optional.empty()
        : Optional.of(
            what.formatted(
                ByteText.human(alignment),
                ByteText.human((long) rounded),
                ByteText.human((long) own)));
  }

  /** Reads a network whose ops are to be put in order, and the rules it is planned by. */
  public Unordered loadUnordered() {
    UsageException.whenOutside(1, MOST_ALIGNMENT, "--alignment", options.alignment);
    Chip chip = options.chip == null ? null : Chips.load(options.chip);
    UsageException.when(
        liveness("", chip).order() != LivenessOptions.Order.IN_ORDER,
        "--concurrency "
            + options.order
            + " leaves the order open; schedule and fit run ops one by one");
    UsageException.when(
        !options.schedule.equals(Schedules.GIVEN),
        "--schedule %s: schedule and fit begin with the file's order; leave it out"
            .formatted(options.schedule));
    UsageException.when(
        options.chipMemory == InputOptions.ChipMemory.L2,
        "--memory l2: schedule and fit plan one memory; leave it out");
    if (!(read() instanceof Input.Graph graph)) {
      throw new UsageException(
          options.input + " is a list of buffers; schedule orders the ops of a network");
    }
    warnOfNetwork(graph.network());
    LivenessOptions liveness = liveness(graph.network().format(), chip);
    warnOfRounding(graph.network(), liveness.alignment());
    return new Unordered(graph, liveness);
  }

  /** A network before its ops are put in order. */
  public record Unordered(Input.Graph graph, LivenessOptions liveness) {
    public Network network() {
      return graph.network();
    }

    /** The problem of the network in some order. */
    public LoadedProblem planned(PackingProblem problem, PlanningCase planningCase) {
      return new LoadedProblem(
          problem, planningCase, graph.baseline().orElse(null), null, graph.placedByRuntime());
    }
  }

  /** Reads the file alone, once. */
  public Input read() {
    if (read == null) {
      InputFormat.Options reading = options.reading();
      boolean model = String.valueOf(options.input.getFileName()).endsWith(".tflite");
      if (model && options.scratch == null && RulesOfPlan.hasScratch(options.planned)) {
        reading = reading.withScratch(options.planned);
      }
      read = read(reading);
      if (read instanceof Input.Graph graph) {
        Network completed = options.completion.apply(graph.network());
        read = new Input.Graph(completed, graph.baseline(), graph.placedByRuntime());
      }
    }
    return read;
  }

  /** Reads the file; where it is one of several, without the dimensions that it does not have. */
  private Input read(InputFormat.Options reading) {
    try {
      return InputFormats.read(options.input, reading);
    } catch (InputException wrong) {
      Map<String, Long> others = new LinkedHashMap<>(reading.dimensions());
      others.entrySet().removeIf(dim -> dim.getValue() >= 0 && wrong.isAbout("--dim " + dim));
      if (!options.several || others.size() == reading.dimensions().size()) {
        throw wrong;
      }
      options.warn(wrong.getMessage());
      return read(reading.withDimensions(others));
    }
  }

  /** The liveness options asked for, else the chip's, else those of the format's run-time. */
  public LivenessOptions liveness(String format, Chip chip) {
    LivenessOptions chosen = LivenessOptions.defaultsOf(format);
    if (chip != null) {
      chosen = chosen.withAlignments(chip.activationAlignment(), chip.weightAlignment());
    }
    Long alignment = chip == null ? or(options.alignment, rules.alignment()) : options.alignment;
    if (alignment != null) {
      chosen = chosen.withAlignments(alignment, alignment);
    }
    chosen =
        chosen
            .withInPlace(or(or(options.inPlace, rules.inPlace()), chosen.inPlace()))
            .withInputs(or(or(options.inputs, rules.inputs()), chosen.inputs()))
            .withVariables(or(or(options.variables, rules.variables()), chosen.variables()))
            .withAliases(options.aliases.isEmpty() ? rules.aliases() : options.aliases)
            .withSharing(or(rules.sharing(), options.sharing));
    if (streamCount() > 0) {
      return chosen.withOrder(LivenessOptions.Order.STREAMS);
    }
    if (options.order.startsWith(STREAMS)) {
      Path streams = Path.of(options.order.substring(STREAMS.length()));
      return chosen.withStreams(streamsOf(streams));
    }
    if (rules.order() != null && options.order.equals("in-order")) {
      return rules.streams().isEmpty()
          ? chosen.withOrder(rules.order())
          : chosen.withStreams(rules.streams());
    }
    String name = options.order.toUpperCase(Locale.ROOT).replace('-', '_');
    for (LivenessOptions.Order order : LivenessOptions.Order.values()) {
      if (order.name().equals(name) && order != LivenessOptions.Order.STREAMS) {
        return chosen.withOrder(order);
      }
    }
    String hint = Suggestion.hint(options.order, List.of("in-order", "out-of-order", "branches"));
    throw new UsageException(
        "--concurrency %s should be in-order, out-of-order, branches, streams=FILE or streams=N%s"
            .formatted(options.order, hint));
  }

  /** The first of two that is there. */
  private static <T> T or(T first, T second) {
    return first == null ? second : first;
  }

  /** The number of streams that ops are to be spread over; 0 where a file says their streams. */
  private int streamCount() {
    String streams =
        options.order.startsWith(STREAMS) ? options.order.substring(STREAMS.length()) : "";
    return streams.matches("[1-9][0-9]{0,3}") && !Files.exists(Path.of(streams))
        ? Integer.parseInt(streams)
        : 0;
  }

  /** The problem with the chip's shared memory before its own, where that was asked for. */
  private PackingProblem withSharedMemory(PackingProblem problem, Chip chip) {
    if (options.chipMemory != InputOptions.ChipMemory.L2) {
      return problem;
    }
    UsageException.when(chip == null, "--memory needs --chip NAME: see stowage list chips");
    UsageException.when(
        chip.sharedMemoryBytes() == 0,
        "--memory l2: chip \"" + chip.name() + "\" has no memory that its lanes share");
    UsageException.when(
        problem.memories().size() > 1,
        "--memory l2: the input says itself which memories there are");
    Memory main = problem.memories().get(0);
    Memory shared = new Memory(SHARED_MEMORY, chip.sharedMemoryBytes(), main.alignment(), 0, 0);
    return problem.withMemories(List.of(shared, main));
  }

  /** The problem in the several memories of the plan that is read with it, if it has one itself. */
  private PackingProblem inMemoriesOfPlan(PackingProblem problem) {
    List<Memory> memories = rules.memories();
    long alignment = problem.memories().get(0).alignment();
    return problem.memories().size() > 1 || memories.size() < 2
        ? problem
        : problem.withMemories(memories.stream().map(m -> m.withAlignment(alignment)).toList());
  }

  private PackingProblem withMemory(PackingProblem problem, Chip chip) {
    List<Memory> memories =
        problem.memories().stream().map(memory -> changed(memory, chip)).toList();
    PackingProblem changed = problem.withMemories(memories);
    if (!options.noCross) {
      return changed;
    }
    UsageException.when(
        memories.stream().noneMatch(memory -> memory.bankSize() > 0),
        "--no-cross needs banks: give --bank-size, or --chip NAME --memory lmem");
    return changed.withBuffers(
        problem.buffers().stream().map(buffer -> buffer.withinBank(true)).toList());
  }

  private Memory changed(Memory memory, Chip chip) {
    Memory changed = memory;
    if (chip != null && options.chipMemory == InputOptions.ChipMemory.LMEM) {
      changed =
          changed
              .withCapacity(Math.min(memory.capacity(), chip.laneBytes()))
              .withAlignment(chip.vectorBytes())
              .withBankSize(chip.bankBytes());
    } else if (chip != null) {
      changed = changed.withAlignment(chip.activationAlignment());
    } else if (options.chipMemory != null) {
      throw new UsageException("--memory needs --chip NAME: see stowage list chips");
    }
    if (options.alignment != null) {
      changed = changed.withAlignment(options.alignment);
    }
    return options.bankSize == null ? changed : changed.withBankSize(options.bankSize);
  }

  /** Reads which op runs on which stream: a line an op, its name, a comma or tab, the stream. */
  private static Map<String, String> streamsOf(Path file) {
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    Map<String, String> streams = new LinkedHashMap<>();
    int line = 0;
    for (String row : text.replaceFirst("^\uFEFF", "").split("\r?\n")) {
      line++;
      if (row.isBlank() || row.startsWith("#")) {
        continue;
      }
      int cut = Math.max(row.lastIndexOf(','), row.lastIndexOf('\t'));
      String op = row.substring(0, Math.max(cut, 0)).trim();
      String stream = row.substring(cut + 1).trim();
      if (op.isEmpty() || stream.isEmpty()) {
        throw new InputException(
            file, "line " + line, "\"" + row + "\" should be an op's name, a comma and a stream");
      }
      if (streams.put(op, stream) != null) {
        throw new InputException(file, "line " + line, "op \"" + op + "\" has a stream already");
      }
    }
    return streams;
  }
}

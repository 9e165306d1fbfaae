package stowage.cli.input;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.PlannerSettings;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.compiler.Ggml;
import stowage.compiler.openvino.AllocationType;
import stowage.compiler.openvino.GpuAllocation;
import stowage.compiler.openvino.GpuDevice;
import stowage.compiler.openvino.GpuUse;
import stowage.compiler.openvino.KernelScratch;
import stowage.compiler.openvino.OpenVino;
import stowage.importer.io.Suggestion;
import stowage.importer.openvino.PoolDumpCsv;
import stowage.network.Network;
import stowage.network.Op;
import stowage.planning.PlannerCatalogue;

/** Options of single planners, most of openvino: the device, streams, and its own records. */
@HelpGroup(HelpGroup.SETTINGS)
public final class OpenVinoOptions {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @HelpGroup(HelpGroup.LIMITS)
  @Option(
      names = PlannerSettings.SET,
      paramLabel = "KEY=VALUE",
      parameterConsumer = PlannerSettings.Consumer.class,
      description = "An option of the planner's own: see `stowage list planners NAME`.")
  List<String> settings;

  private static final String STDOUT = "-";
  private static final String LARGEST = "--largest-allocation";

  @Option(
      names = "--streams",
      hidden = true,
      paramLabel = "N",
      description = "Plan N networks, each with a pool of its own, over one set of constants.")
  int streams = 1;

  @Option(
      names = "--device-memory",
      hidden = true,
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Memory of the device; the result of a kernel whose operands and results exceed it is"
              + " allocated on the host.")
  Long deviceMemory = Long.MAX_VALUE;

  @Option(
      names = LARGEST,
      hidden = true,
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "The most bytes that one allocation may have; with ggml: of its backend's greatest"
              + " buffer, by which it cuts its pool into chunks.")
  Long largestAllocation;

  @Option(
      names = "--kernel-sum",
      hidden = true,
      paramLabel = "inputs_and_outputs|inputs",
      description =
          "What of a kernel must fit into the device's memory: operands and results, as documented"
              + " (default), or operands alone, as the plugin's code has it.")
  GpuDevice.KernelSum kernelSum = GpuDevice.KernelSum.INPUTS_AND_OUTPUTS;

  @Option(
      names = "--passes",
      hidden = true,
      paramLabel = "all|in_order|out_of_order",
      description =
          "Run all passes that keep nodes apart, as the plugin's code does (default), or only those"
              + " that a queue in or out of order needs, as its documentation has it.")
  GpuDevice.Passes passes = GpuDevice.Passes.ALL;

  @Option(
      names = "--no-usm",
      hidden = true,
      description = "The device has no unified shared memory; all is cl_mem.")
  boolean noSharedMemory;

  @Option(
      names = "--usm-shared",
      hidden = true,
      description =
          "The device reports usm_shared; what the host reads or writes too is there, not in"
              + " usm_host.")
  boolean sharedType;

  @Option(
      names = "--cpu-ops",
      hidden = true,
      paramLabel = "NAME",
      split = ",",
      description =
          "Ops, by name or type, that run on the CPU; what they make and read, constants among it,"
              + " stays on the host.")
  List<String> cpuOps = List.of();

  @Option(
      names = "--requests",
      hidden = true,
      paramLabel = "N",
      description =
          "N infer requests, each with host tensors of its own for all graph inputs and outputs.")
  int requests;

  @Option(
      names = "--host-tensors",
      hidden = true,
      paramLabel = "BYTES",
      split = ",",
      converter = ByteSize.class,
      description =
          "Tensors that the application has in host memory before it loads the network, which the"
              + " plugin's log counts.")
  List<Long> hostTensors = List.of();

  @Option(
      names = "--kernel-scratch",
      hidden = true,
      description =
          "Add the intermediate memory of DetectionOutput and NonMaxSuppression, which the model"
              + " does not contain.")
  boolean kernelScratch;

  @Writes
  @Option(
      names = "--history",
      hidden = true,
      paramLabel = "FILE",
      description = "Write every allocation in the plugin's own log form, to stdout with \"-\".")
  String history;

  @Writes
  @Option(
      names = "--pool-dump",
      hidden = true,
      paramLabel = "FILE",
      description =
          "Write the first stream's memory pool as the plugin dumps it; `stowage verify` reads it.")
  Path poolDump;

  /** The planners with the device and streams that were asked for. */
  public List<PlannerCatalogue.Choice> applyTo(
      List<PlannerCatalogue.Choice> choices, boolean json) {
    String given = firstGiven();
    UsageException.whenBelow(1, "--streams", streams);
    UsageException.whenBelow(0, "--requests", requests);
    UsageException.when(
        noSharedMemory && sharedType,
        "--usm-shared needs a device with shared memory; leave out --no-usm");
    List<PlannerCatalogue.Choice> changed = new ArrayList<>();
    boolean found = false;
    for (PlannerCatalogue.Choice choice : choices) {
      boolean openVino = isOpenVino(choice);
      boolean ggml =
          largestAllocation != null
              && choice instanceof PlannerCatalogue.Choice.OfCase system
              && system.planner() instanceof Ggml;
      found |= openVino || ggml && given.equals(LARGEST);
      changed.add(
          openVino
              ? new PlannerCatalogue.Choice.OfCase(planner())
              : ggml ? new PlannerCatalogue.Choice.OfCase(new Ggml(largestAllocation)) : choice);
    }
    if (given != null && !found) {
      String others = given.equals(LARGEST) ? " or ggml" : "";
      throw new UsageException(
          "%s %s belongs to --planner openvino%s"
              .formatted(PlannerSettings.SET, given.substring("--".length()), others));
    }
    UsageException.when(
        json && STDOUT.equals(history),
        "--set history=- and --json both write to stdout; give the history a file");
    return changed;
  }

  /** The same for a command that writes no records of the planner. */
  public List<PlannerCatalogue.Choice> applyTo(List<PlannerCatalogue.Choice> choices) {
    UsageException.when(
        history != null || poolDump != null,
        "%s %s writes a file of one plan: use stowage plan --planner openvino"
            .formatted(PlannerSettings.SET, history != null ? "history" : "pool-dump"));
    return applyTo(choices, false);
  }

  /**
   * The first of these options that the command line has, the one that ggml has too as the last.
   */
  private String firstGiven() {
    return PlannerSettings.of(command).stream()
        .map(OptionSpec::longestName)
        .filter(command.commandLine().getParseResult()::hasMatchedOption)
        .min(Comparator.comparing(LARGEST::equals))
        .orElse(null);
  }

  private static boolean isOpenVino(PlannerCatalogue.Choice choice) {
    return choice instanceof PlannerCatalogue.Choice.OfCase system
        && system.planner() instanceof OpenVino;
  }

  private OpenVino planner() {
    long largest = largestAllocation == null ? Long.MAX_VALUE : largestAllocation;
    AllocationType type = sharedType ? AllocationType.USM_SHARED : AllocationType.USM_HOST;
    GpuDevice device =
        new GpuDevice(!noSharedMemory, deviceMemory, largest, kernelSum, passes, type);
    return new OpenVino(device, new GpuUse(streams, requests, hostTensors, Set.copyOf(cpuOps)));
  }

  /** The network with what these options add to it. */
  public Network complete(Network network) {
    Set<String> known = new LinkedHashSet<>();
    for (Op op : network.ops()) {
      known.add(op.name());
      known.add(op.type());
    }
    for (String name : cpuOps) {
      UsageException.when(
          !known.contains(name),
          "--cpu-ops %s: the network has no op of that name or type%s"
              .formatted(name, Suggestion.advice(name, known)));
    }
    return kernelScratch ? KernelScratch.added(network) : network;
  }

  /** Writes the records that were asked for. */
  public void write(GpuAllocation allocation, PrintWriter out) {
    String lines = String.join("\n", allocation.history().lines());
    if (STDOUT.equals(history)) {
      out.println(lines);
    } else if (history != null) {
      WrittenFile.writeString(Path.of(history), lines.isEmpty() ? "" : lines + "\n");
    }
    if (poolDump != null) {
      WrittenFile.writeString(poolDump, PoolDumpCsv.text(allocation.dump()));
    }
  }
}

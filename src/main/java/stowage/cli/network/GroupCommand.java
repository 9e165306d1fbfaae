package stowage.cli.network;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.input.GroupSource;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.plan.PlanFolder;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.network.Chip;
import stowage.network.Network;
import stowage.onchip.FileGroup;
import stowage.onchip.GroupMethod;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Precision;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.search.GroupOptions;
import stowage.packing.ByteText;
import stowage.packing.RunControl;
import stowage.report.format.StatusLine;
import stowage.report.format.Terminal;
import stowage.report.group.GroupCsv;
import stowage.report.group.GroupHtml;
import stowage.report.group.GroupJson;
import stowage.report.group.GroupReport;
import stowage.report.group.GroupSvg;
import stowage.report.group.GroupText;
import stowage.report.group.GroupTrace;
import stowage.report.group.LmemSvg;
import stowage.report.group.SlicesSvg;

/** {@code stowage group}: divides a network into layer groups and plans the on-chip memory. */
@Writes({"groups.{json,svg,html}", "group-*/*"})
@Command(
    name = "group",
    description =
        "Divides a network into layer groups: slices, time steps and on-chip addresses of each.")
public final class GroupCommand extends JsonCommand {
  /** How the network is divided. */
  enum PartitionChoice {
    TAIL,
    DP,
    CP,
    FILE
  }

  enum Axes {
    ALL,
    NH
  }

  @Parameters(
      paramLabel = "NETWORK",
      description =
          "A network: .json, .onnx, .tflite, OpenVINO .xml, TPU-MLIR .mlir; - reads stdin, with"
              + " --format.")
  Path input;

  @Option(
      names = "--format",
      paramLabel = "EXTENSION",
      description = "Read NETWORK as a file of this extension, such as json or mlir.")
  String format;

  @Option(
      names = "--chip",
      paramLabel = "NAME|FILE",
      description = "The chip (default: the one a TPU-MLIR file was compiled for).")
  String chipName;

  @Option(
      names = "--partition",
      paramLabel = "tail|dp|cp|file",
      description =
          "Greedy from the tail, best of contiguous groups, best of convex groups, or as the file"
              + " has it (default: dp, or cp where it ends in time and its groups cost less; with"
              + " --lmem document or today and for lmem-peak dp).")
  PartitionChoice partition;

  @Option(
      names = "--slicing",
      paramLabel = "quick|exact",
      description = "The first slices that fit (default), or the cheapest of all.")
  GroupOptions.SlicingSearch slicing = GroupOptions.SlicingSearch.QUICK;

  @Option(
      names = "--lmem",
      paramLabel = "document|today|exact",
      description =
          "LMEM allocator: TPU-MLIR as documented, TPU-MLIR as implemented, or exact (default).")
  GroupOptions.Lmem lmem = GroupOptions.Lmem.EXACT;

  @Option(
      names = "--objective",
      paramLabel = "traffic|cycles|lmem-peak",
      description = "Metric to minimise: bytes moved (default), cycles, or LMEM in use.")
  String objective = "traffic";

  @Option(
      names = "--overlap-limit",
      paramLabel = "on|off",
      description =
          "A group may not read more than half of an input's rows twice (default: on with --lmem"
              + " document, else off).")
  String overlapLimit;

  @Option(
      names = "--axes",
      paramLabel = "all|nh",
      description =
          "Which axes may be cut: all that the chip allows (default), or the batch and the rows"
              + " alone, as TPU-MLIR's manual describes it.")
  Axes axes = Axes.ALL;

  @Option(
      names = "--precision",
      paramLabel = "f32|f16|bf16|int8|int4",
      description =
          "Plan a float network as the chip would run it; a file compiled for a chip has its types"
              + " already.")
  Precision precision;

  @Option(
      names = "--dim",
      paramLabel = "NAME=VALUE",
      description = "Binds a free dimension of an ONNX or OpenVINO model; may be repeated.")
  Map<String, Long> dimensions = new LinkedHashMap<>();

  @Writes
  @Option(
      names = {"--out", "-o"},
      paramLabel = "DIR",
      description = "Write groups.json, groups.html and a folder of tables per group.")
  Path out;

  @Writes
  @Option(
      names = {"--write", "--export"},
      paramLabel = "FILE",
      description =
          "Write a copy of the TPU-MLIR file with our groups: ops, slices, steps, addresses on the"
              + " chip and off it. It is read back and verified, and never has more clashes or"
              + " moves more bytes than the file.")
  Path export;

  @Writes
  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Write of each group its buffers with their numbers, live ranges and addresses, and what"
              + " each step computes, loads and stores; to stdout with \"-\".")
  String trace;

  @Mixin RunOptions run;
  @Mixin ProgressOptions progress;

  @Override
  public Integer call() {
    long begin = System.nanoTime();
    GroupOptions options = options();
    UsageException.when(
        json && "-".equals(trace),
        "--trace - and --json both write to stdout; give the trace a file");
    UsageException.when(
        spec.commandLine().getParseResult().hasMatchedOption("--config"),
        "--config is for plan: the engines that place a group's buffers have no settings; leave it"
            + " out");
    PlanFolder.prepare(out);
    GroupSource source = GroupSource.read(input, format, dimensions);
    Chip chip = source.chip(chipName);
    LayerGraph graph = LayerGraph.of(inPrecision(source), chip);
    RunControl control = run.control((System.nanoTime() - begin) / 1e9, 0).counting();
    Interruption interruption = Interruption.install(control::stop, () -> false);
    GroupMethod method = method(partition == null ? PartitionChoice.DP : partition);
    GroupMethod convex = method(PartitionChoice.CP);
    LmemEngine exact = new CpSatLmem();
    GroupPlanner planner = new GroupPlanner(graph, options, exact, GroupGmem.forGroups(control));
    Map<Integer, String> others = new TreeMap<>();
    Map<Integer, FileGroup> checked = source.groups(graph, others);
    List<FileGroup> files = List.copyOf(checked.values());
    others.forEach((number, why) -> say("group " + number + " of the file stays as it is: " + why));
    Grouping baseline;
    Grouping grouping;
    try (StatusLine shown =
        progress.during("dividing " + ByteText.count(graph.size(), "op"), control)) {
      baseline = files.isEmpty() ? null : planner.baseline(files);
      grouping =
          partition == PartitionChoice.FILE
              ? planner.plan(required(files))
              : partition == null && triesConvex(options)
                  ? planner.planCheaper(method.newPartitioner(), convex.newPartitioner())
                  : planner.plan(method.newPartitioner());
    }
    GroupExport exporting =
        export == null
            ? null
            : new GroupExport(
                input, export, source.file(), source.compiled(), graph, exact, this::say, checked);
    if (exporting != null && partition != PartitionChoice.FILE) {
      grouping = exporting.noWorse(grouping, baseline, () -> planner.plan(files), control);
    }
    progress.say(
        "planning the memory between " + ByteText.count(grouping.groups().size(), "group"));
    GroupReport.Gmem gmem = GroupGmem.planned(grouping, control);
    GroupReport.Gmem ofFile =
        files.isEmpty() ? null : GroupReport.Gmem.ofFile(source.graph(), chip);
    String word = lmem.name().toLowerCase(Locale.ROOT);
    double seconds = (System.nanoTime() - begin) / 1e9;
    GroupReport report = new GroupReport(grouping, baseline, word, gmem, ofFile, seconds);
    if (out != null) {
      write(report);
    }
    if (trace != null) {
      WrittenFile.writeOrPrint(spec, trace, GroupTrace.of(grouping));
    }
    if (exporting != null) {
      exporting.write(grouping, source.graph(), control);
      WrittenFile.say(spec, export, List.of(), false);
    }
    print(json ? GroupJson.of(report) : Terminal.dressed(GroupText.of(report)));
    if (out == null && !json) {
      print("\n" + WrittenFile.ADD_OUT + "\n");
    }
    return interruption.finished(ExitCode.OK);
  }

  private GroupOptions options() {
    GroupOptions.GroupObjective low;
    try {
      low = GroupOptions.GroupObjective.ofLabel(objective);
    } catch (IllegalArgumentException unknown) {
      throw new UsageException("--" + unknown.getMessage());
    }
    UsageException.when(
        overlapLimit != null && !overlapLimit.equals("on") && !overlapLimit.equals("off"),
        "--overlap-limit " + overlapLimit + " should be on or off");
    boolean limited = method(PartitionChoice.DP).options(low).overlapLimit();
    return new GroupOptions(lmem, slicing, low, limited, axes == Axes.NH);
  }

  /**
   * Whether convex groups are tried unasked: not where TPU-MLIR's rules are asked for, whose groups
   * are contiguous, nor for the peak, since groups that move fewer bytes may need more of it.
   */
  private static boolean triesConvex(GroupOptions options) {
    return options.isExact() && options.objective() != GroupOptions.GroupObjective.LMEM_PEAK;
  }

  /** How to group, as the options say it, with groups of some kind. */
  private GroupMethod method(PartitionChoice choice) {
    Boolean limited = overlapLimit == null ? null : (Boolean) overlapLimit.equals("on");
    GroupMethod.Division division = GroupMethod.Division.valueOf(choice.name());
    return new GroupMethod(division, lmem, slicing, limited);
  }

  private Network inPrecision(GroupSource source) {
    Network network = source.network();
    if (precision == null) {
      return network;
    }
    String fault =
        source.isForAChip()
            ? " is compiled for "
                + source.compiled().chip()
                + " and keeps the types it was compiled with"
            : Precision.isFloat(network) ? null : " has no float tensor to change";
    UsageException.when(
        fault != null,
        "--precision %s: %s%s; leave the option out"
            .formatted(precision.label(), input.getFileName(), fault));
    return precision.apply(network);
  }

  private List<FileGroup> required(List<FileGroup> files) {
    UsageException.when(
        files.isEmpty(),
        ("--partition file needs a TPU-MLIR file with layer groups, on the chip it was compiled"
                + " for; %s gives none")
            .formatted(input.getFileName()));
    return files;
  }

  private void write(GroupReport report) {
    AnswerFolder folder = new AnswerFolder(out);
    List<String> possible = possibleFiles();
    try {
      folder.writeString("groups.json", GroupJson.withDetails(report));
      Grouping grouping = report.grouping();
      for (int k = 0; k < grouping.groups().size(); k++) {
        PlannedGroup group = grouping.groups().get(k);
        if (group.isGrouped()) {
          String place = "group-" + k + "/";
          PlanFolder.prepare(out.resolve(place));
          folder.writeString(place + "lmem.csv", GroupCsv.lmem(group.plan()));
          folder.writeString(place + "steps.csv", GroupCsv.steps(group.plan()));
          folder.writeString(place + "slices.csv", GroupCsv.slices(group.plan()));
          folder.writeString(place + "lmem.svg", LmemSvg.of(group, k));
          String slices = SlicesSvg.of(group, k);
          if (slices != null) {
            folder.writeString(place + "slices.svg", slices);
          }
        }
      }
      folder.writeString("groups.svg", GroupSvg.overview(grouping));
      folder.writeString("groups.html", GroupHtml.of(report));
      WrittenFile.sayFolder(spec, out, List.of("groups.html", "groups.svg", "groups.json"));
    } finally {
      AnswerFolder.say(err(), folder.setAside(possible));
    }
  }

  /** The files that an earlier run may have left. */
  private List<String> possibleFiles() {
    List<String> names = new ArrayList<>(List.of("groups.json", "groups.svg", "groups.html"));
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(out, "group-[0-9]*")) {
      for (Path place : folders) {
        String folder = place.getFileName() + "/";
        for (String table : "lmem.csv steps.csv slices.csv lmem.svg slices.svg".split(" ")) {
          names.add(folder + table);
        }
      }
    } catch (IOException failure) {
      throw new OutputException(out, failure);
    }
    return names;
  }
}

package stowage.cli.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Seconds;
import stowage.cli.terminal.UsageException;
import stowage.experiment.groups.GroupBenchmark;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.own.Chips;
import stowage.network.Chip;
import stowage.network.Network;
import stowage.onchip.GroupMethod;
import stowage.onchip.layer.Precision;
import stowage.onchip.search.GroupOptions;
import stowage.packing.RunControl;
import stowage.report.group.GroupBenchmarkReport;

/** {@code stowage bench groups}: every way of grouping on several networks and chips. */
@Command(
    name = "groups",
    description = {
      "Groups networks for chips in every way.",
      "Ways are tail-to-head, dynamic programming and convex groups; the document's, today's and"
          + " exact addresses; quick and exact slices; and for each objective a run of its own."
          + " Each figure comes with its proven bound."
    })
final class BenchGroupsCommand extends BaseCommand {
  /** The networks of the table in the docs. */
  private static final List<String> NETWORKS =
      List.of("resnet50", "mobilenet_v2", "inception_v3", "unet", "yolo");

  @Option(
      names = "--network",
      paramLabel = "FILE",
      split = ",",
      description =
          "Networks, by file or by name of models/networks (default: resnet50, mobilenet_v2,"
              + " inception_v3, unet, yolo).")
  List<String> networks = NETWORKS;

  @Option(
      names = "--chip",
      paramLabel = "CHIP[:PRECISION]",
      split = ",",
      description =
          "Chips, by name or file, each with the precision in which it runs a float network: f32,"
              + " f16, bf16, int8 or int4 (default: ${DEFAULT-VALUE}).",
      defaultValue = "bm1684x:f16,bm1688:f16,cv181x:int8")
  List<String> chips;

  @Option(
      names = "--objective",
      paramLabel = "NAME",
      split = ",",
      description = "Objectives (default: ${DEFAULT-VALUE}).",
      defaultValue = "traffic,cycles")
  List<String> objectives;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description =
          "Run only the ways whose label, such as dp-exact-quick (division, addresses, slices), has"
              + " a match.")
  String only;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Seconds.class,
      description = "Of each run, such as 10s or 2m (default: ${DEFAULT-VALUE}s).",
      defaultValue = "60")
  double timeLimit;

  @Mixin BenchOptions options;

  @Override
  public Integer call() {
    List<GroupOptions.GroupObjective> low = objectives();
    Supplier<RunControl> controls = options.controls(timeLimit);
    Consumer<GroupBenchmarkReport.Section> shown = section -> print(section, low);
    GroupBenchmarkReport report =
        GroupBenchmark.run(pairs(), methods(), low, controls, System.err::println, shown);
    if (options.json) {
      print(report.json());
    }
    return ExitCode.OK;
  }

  /** Prints a table as soon as it is there, so that a long run that is stopped leaves its first. */
  private void print(GroupBenchmarkReport.Section section, List<GroupOptions.GroupObjective> low) {
    if (!options.json) {
      boolean markdown = options.markdown;
      print(
          markdown
              ? GroupBenchmarkReport.markdown(section, low)
              : GroupBenchmarkReport.text(section, low));
    }
  }

  private List<GroupBenchmark.Pair> pairs() {
    List<GroupBenchmark.Pair> pairs = new ArrayList<>();
    for (String name : networks) {
      Network network = network(name);
      for (String chip : chips) {
        int colon = chip.lastIndexOf(':');
        Precision precision = colon < 0 ? Precision.F32 : precision(chip.substring(colon + 1));
        Chip loaded = Chips.load(colon < 0 ? chip : chip.substring(0, colon));
        pairs.add(new GroupBenchmark.Pair(network, loaded, precision));
      }
    }
    return pairs;
  }

  private static Precision precision(String label) {
    for (Precision precision : Precision.values()) {
      if (precision.label().equals(label)) {
        return precision;
      }
    }
    throw new UsageException("--chip ...:" + label + " should end in f32, f16, bf16, int8 or int4");
  }

  private static Network network(String name) {
    Path file = Path.of(name);
    if (!name.contains("/") && !name.contains(".")) {
      Path home = Path.of(System.getProperty("stowage.home", ""));
      file = home.resolve("models").resolve("networks").resolve(name + ".json");
    }
    if (InputFormats.read(file, InputFormat.Options.DEFAULT) instanceof Input.Graph graph) {
      return graph.network();
    }
    throw new InputException(
        file, "", "holds buffers without a network; groups need a network's ops");
  }

  private List<GroupMethod> methods() {
    List<GroupMethod> all = GroupBenchmark.allMethods();
    Predicate<String> labelled = BenchOptions.matching(only);
    List<GroupMethod> chosen = all.stream().filter(m -> labelled.test(m.label())).toList();
    UsageException.when(chosen.isEmpty(), "--only " + only + " matches no way of grouping");
    return chosen;
  }

  private List<GroupOptions.GroupObjective> objectives() {
    try {
      return objectives.stream().map(GroupOptions.GroupObjective::ofLabel).toList();
    } catch (IllegalArgumentException unknown) {
      throw new UsageException("--" + unknown.getMessage());
    }
  }
}

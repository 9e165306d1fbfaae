package stowage.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.UsageException;
import stowage.experiment.run.RunFolder;
import stowage.experiment.suite.PlannerSpec;
import stowage.experiment.suite.RunSpec;
import stowage.experiment.suite.Suite;
import stowage.experiment.suite.SuiteJson;
import stowage.importer.io.InputException;
import stowage.importer.io.Suggestion;
import stowage.text.ShellText;

/** Which suite, on which data, with which planners of the user's own. */
final class SuiteOptions {
  @Parameters(paramLabel = "SUITE", description = "A suite, such as models/suites/quick.json.")
  Path suite;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The folder of public sets, for the suite's entries that look there.")
  Path data;

  @Option(
      names = "--external",
      paramLabel = "NAME=COMMAND",
      description =
          "One more planner: a command that reads the CSV {in} and writes the CSV with offsets"
              + " {out}; may be repeated.")
  List<String> externals = List.of();

  /** Reads the suite and adds the external planners. */
  Suite read() {
    List<PlannerSpec> more = new ArrayList<>();
    for (String external : externals) {
      int equals = external.indexOf('=');
      UsageException.when(
          equals <= 0,
          "--external %s should be NAME=COMMAND, such as \"mine=./mine {in} {out}\""
              .formatted(external));
      try {
        List<String> words = PlannerSpec.words(external.substring(equals + 1));
        more.add(PlannerSpec.external(external.substring(0, equals), words, null));
      } catch (IllegalArgumentException wrong) {
        throw new UsageException("--external " + external + ": " + wrong.getMessage());
      }
    }
    UsageException.when(
        data != null && !Files.isDirectory(data),
        "--data " + data + " should be a folder; there is none");
    if (!Files.exists(suite)) {
      throw new InputException(suite, "", "no such file" + advice());
    }
    Suite read = SuiteJson.read(suite, data).withPlanners(more);
    UsageException.when(
        read.planners().isEmpty(),
        suite + " names no planners; name some there, or give --external NAME=COMMAND");
    return read;
  }

  private String advice() {
    Path folder = suite.toAbsolutePath().getParent();
    boolean there = folder != null && Files.isDirectory(folder);
    try (Stream<Path> files = there ? Files.list(folder) : Stream.empty()) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      List<String> suites = names.stream().filter(name -> name.endsWith(".json")).toList();
      return suites.isEmpty()
          ? "; the suites that come with Stowage are in models/suites"
          : Suggestion.advice(suite.getFileName().toString(), suites);
    } catch (IOException unreadable) {
      return "";
    }
  }

  /** Writes the manifest into a folder, which with {@code resume} may hold an experiment. */
  RunFolder plan(Path out, boolean resume, int processes) {
    RunFolder folder = new RunFolder(out);
    try {
      UsageException.when(
          folder.exists() && !resume && !folder.recorded().isEmpty(),
          "%s holds %s runs already; go on with --resume, or give another --out"
              .formatted(folder.path(), folder.recorded().size()));
      Suite read = read();
      List<RunSpec> runs = read.runs();
      UsageException.when(
          !folder.plan(read, runs, commandLine(out, processes)),
          "another process is running the experiment in " + folder.path());
      return folder;
    } catch (IOException failure) {
      throw new OutputException(folder.path(), failure);
    }
  }

  private String commandLine(Path out, int processes) {
    List<String> words = new ArrayList<>(List.of("stowage", "experiment", "run"));
    words.add(suite.toString());
    if (data != null) {
      words.addAll(List.of("--data", data.toString()));
    }
    externals.forEach(external -> words.addAll(List.of("--external", external)));
    if (processes != 1) {
      words.addAll(List.of("--processes", Integer.toString(processes)));
    }
    words.addAll(List.of("--out", out.toString()));
    return ShellText.line(words);
  }
}

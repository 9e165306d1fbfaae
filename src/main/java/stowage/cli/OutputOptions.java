package stowage.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where answers and progress go. Shared by all commands that solve. */
final class OutputOptions {

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write plan.json, plan.csv, plan.svg and plan.html into this folder.")
  Path out;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show progress even when stderr is not a terminal.")
  boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no progress.")
  boolean quiet;
}

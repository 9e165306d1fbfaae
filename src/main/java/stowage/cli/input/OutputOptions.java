package stowage.cli.input;

import java.nio.file.Path;
import picocli.CommandLine.Option;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.Writes;

/** Where a plan goes. */
@HelpGroup(HelpGroup.OUTPUT)
public final class OutputOptions {
  @Writes
  @Option(
      names = {"--out", "-o"},
      paramLabel = "DIR",
      description = "Write plan.json, plan.csv, plan.svg and plan.html into this folder.")
  public Path out;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  public boolean json;
}

package stowage.cli.terminal;

import picocli.CommandLine.Option;

/** Command that can print its answer as one JSON object. */
public abstract class JsonCommand extends BaseCommand {
  @HelpGroup(HelpGroup.OUTPUT)
  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  protected boolean json;
}

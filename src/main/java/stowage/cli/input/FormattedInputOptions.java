package stowage.cli.input;

import picocli.CommandLine.Option;
import stowage.cli.terminal.HelpGroup;

/** The input of a command whose option {@code --format} is the input's. */
@HelpGroup(HelpGroup.INPUT)
public final class FormattedInputOptions extends InputOptions {
  @Option(
      names = "--format",
      paramLabel = "EXTENSION",
      description = "Read the input as a file of this extension, such as csv or json.")
  void format(String extension) {
    format = extension;
  }
}

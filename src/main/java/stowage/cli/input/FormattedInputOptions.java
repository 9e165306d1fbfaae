package stowage.cli.input;

import picocli.CommandLine.Option;

/** The input of a command whose option {@code --format} is the input's. */
public final class FormattedInputOptions extends InputOptions {
  @Option(
      names = "--format",
      paramLabel = "EXTENSION",
      description = "Read INPUT as a file of this extension, such as csv or json.")
  void format(String extension) {
    format = extension;
  }
}

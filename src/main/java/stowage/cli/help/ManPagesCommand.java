package stowage.cli.help;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.OutputException;
import stowage.importer.io.AtomicFiles;

/** {@code stowage man-pages}: writes a manual page a command; the release build runs it. */
@Command(
    name = "man-pages",
    description = "Writes manual pages, one a command, into a folder.",
    hidden = true)
public final class ManPagesCommand extends BaseCommand {
  @Parameters(paramLabel = "DIR", description = "The folder; it is made where it is missing.")
  Path folder;

  @Override
  public Integer call() {
    try {
      Files.createDirectories(folder);
      write(spec.root());
    } catch (IOException failure) {
      throw new OutputException(folder, failure);
    }
    return ExitCode.OK;
  }

  private void write(CommandSpec command) throws IOException {
    String version = command.root().version()[0].replace("stowage ", "");
    AtomicFiles.writeString(
        folder.resolve(ManPage.fileName(command)), ManPage.of(command, version));
    for (CommandLine child : command.subcommands().values()) {
      if (!ManPage.isHidden(child)) {
        write(child.getCommandSpec());
      }
    }
  }
}

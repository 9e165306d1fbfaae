package stowage.cli.plan;

import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import stowage.cli.input.InputOptions;

/** Writer of a plan into a copy of its model. */
public interface ModelWriter {
  /** Writes the copy of a model by a plan.json, with messages to a command's streams. */
  void write(InputOptions input, Path plan, Path copy, CommandSpec command);
}

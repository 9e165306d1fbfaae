package stowage.cli.plan;

import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import stowage.cli.input.InputOptions;

/** Writer of a plan into a copy of its model. */
public interface ModelWriter {
  /**
   * Writes the copy.
   *
   * @param input the model, and how it is read
   * @param plan a plan.json of it
   * @param copy the file to write
   * @param command whose streams messages go to
   */
  void write(InputOptions input, Path plan, Path copy, CommandSpec command);
}

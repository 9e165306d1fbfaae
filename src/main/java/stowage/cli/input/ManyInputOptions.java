package stowage.cli.input;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.HelpGroup;
import stowage.planning.LoadedProblem;

/** The inputs of a command that reads several files, one after the other, in the same way. */
@HelpGroup(HelpGroup.INPUT)
public final class ManyInputOptions extends InputOptions {
  @Parameters(index = "1..*", paramLabel = "INPUT", description = "More of them.")
  List<Path> more = List.of();

  /** All of them, in the order given. */
  public List<Path> all() {
    List<Path> all = new ArrayList<>(List.of(input));
    all.addAll(more);
    return all;
  }

  /** Reads one of them by these options, or where they say nothing by the rules of its plan. */
  public LoadedProblem load(Path file, Path plan) {
    input = file;
    planned = plan;
    several = !more.isEmpty();
    return new ProblemLoader(this).load();
  }
}

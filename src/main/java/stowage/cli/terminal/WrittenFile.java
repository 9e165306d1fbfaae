package stowage.cli.terminal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** A file that a command writes beside its input. */
public final class WrittenFile {
  private WrittenFile() {}

  /**
   * Says what was written: on stdout as JSON, or in a line on stderr.
   *
   * @param lost what the file's format could not hold, one phrase each
   */
  public static void say(CommandSpec command, Path file, List<String> lost, boolean json) {
    if (json) {
      ObjectNode answer = new ObjectMapper().createObjectNode();
      answer.put("schemaVersion", 1).put("written", file.toString());
      lost.forEach(answer.putArray("lost")::add);
      command.commandLine().getOut().println(answer.toPrettyString());
      command.commandLine().getOut().flush();
    } else {
      lost.forEach(
          phrase ->
              command
                  .commandLine()
                  .getErr()
                  .println("stowage: the format does not hold " + phrase));
      command.commandLine().getErr().println("stowage: wrote " + file);
    }
  }
}

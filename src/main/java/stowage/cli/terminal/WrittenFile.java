package stowage.cli.terminal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import stowage.importer.io.AtomicFiles;

/** A file that a command writes. */
public final class WrittenFile {
  /** What a command that wrote no folder says after its answer in text. */
  public static final String ADD_OUT = "Pictures and files: add --out DIR";

  private WrittenFile() {}

  private static final Path STDOUT = Path.of("-");

  /** Whether a name is stdout's. */
  public static boolean isStdout(Path file) {
    return file != null && file.equals(STDOUT);
  }

  /**
   * Writes a file, or stdout for {@code -} unless a JSON answer is for it too, and says so with
   * what the file's format could not hold, one phrase each.
   */
  public static void write(
      CommandSpec command,
      Path file,
      AtomicFiles.Content content,
      List<String> lost,
      boolean json) {
    UsageException.when(
        isStdout(file) && json, "--out - and --json both write to stdout; give --out a file");
    try {
      if (!isStdout(file)) {
        AtomicFiles.write(file, content);
        say(command, file, lost, json);
        return;
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      content.writeTo(bytes);
      lost.forEach(phrase -> sayLost(command, phrase));
      command.commandLine().getOut().print(bytes.toString(StandardCharsets.UTF_8));
      command.commandLine().getOut().flush();
    } catch (IOException failure) {
      throw new OutputException(file, failure);
    }
  }

  /** Writes a text into a file. */
  public static void writeString(Path file, String text) {
    try {
      AtomicFiles.writeString(file, text);
    } catch (IOException failure) {
      throw new OutputException(file, failure);
    }
  }

  /** Writes a text into a file, and says so on stderr; as {@link #writeString(Path, String)}. */
  public static void writeString(CommandSpec command, Path file, String text) {
    writeString(file, text);
    say(command, file, List.of(), false);
  }

  /** Says on stderr which files a command wrote into a folder, the page to open first. */
  public static void sayFolder(CommandSpec command, Path folder, List<String> names) {
    String first = names.get(0);
    command
        .commandLine()
        .getErr()
        .println(
            "stowage: wrote "
                + folder.resolve(first)
                + (first.endsWith(".html") ? " (open it)" : "")
                + names.stream().skip(1).map(name -> ", " + name).collect(Collectors.joining()));
  }

  /** Writes a text into a file, and says so on stderr, or prints it for {@code -}. */
  public static void writeOrPrint(CommandSpec command, String file, String text) {
    if (file.equals("-")) {
      command.commandLine().getOut().print(text);
    } else {
      writeString(command, Path.of(file), text);
    }
  }

  private static void sayLost(CommandSpec command, String phrase) {
    command.commandLine().getErr().println("stowage: the format does not hold " + phrase);
  }

  /** Says what was written: on stdout as JSON, or in a line on stderr. */
  public static void say(CommandSpec command, Path file, List<String> lost, boolean json) {
    if (json) {
      ObjectNode answer = new ObjectMapper().createObjectNode();
      answer.put("schemaVersion", 1).put("written", file.toString());
      lost.forEach(answer.putArray("lost")::add);
      command.commandLine().getOut().println(answer.toPrettyString());
      command.commandLine().getOut().flush();
    } else {
      lost.forEach(phrase -> sayLost(command, phrase));
      command.commandLine().getErr().println("stowage: wrote " + file);
    }
  }
}

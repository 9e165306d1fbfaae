package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import stowage.JsonChecks;
import stowage.Programs;

/**
 * One command line run within the test's own process.
 *
 * @param out what stood on stdout
 * @param err what stood on stderr
 */
public record Stowage(int code, String out, String err) {

  /** The commands that the program makes for some words, to look at rather than to run. */
  public static CommandLine commandLine(String... words) {
    return Main.commandLine(words);
  }

  /** Runs words with spaces between them; each {@code %s} stands for one of the values. */
  public static Stowage line(String line, Object... values) {
    String[] words = line.split(" ");
    for (int k = 0, next = 0; k < words.length; k++) {
      words[k] = words[k].equals("%s") ? String.valueOf(values[next++]) : words[k];
    }
    return run((Object[]) words);
  }

  /** Runs words; a list or an array stands for its elements. */
  public static Stowage run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] words = Shortcuts.expanded(words(List.of(arguments)).toArray(String[]::new));
    CommandLine commandLine = Main.commandLine(words);
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    int code = commandLine.execute(words);
    return new Stowage(code, out.toString(), err.toString());
  }

  private static Stream<String> words(Object argument) {
    if (argument instanceof Object[] array) {
      return words(List.of(array));
    }
    return argument instanceof Collection<?> list
        ? list.stream().flatMap(Stowage::words)
        : Stream.of(argument.toString());
  }

  /**
   * The words that start the program in a process of its own, which compiles in haste.
   *
   * @param options further ones of the JVM
   */
  public static List<String> process(String... options) {
    List<String> words = new ArrayList<>();
    words.add(Programs.JAVA);
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    words.addAll(List.of(options));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), "stowage.cli.Main"));
    return words;
  }

  /** Writes a shell's command that starts the program so. */
  public static Path launcher(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\nexec '" + String.join("' '", process()) + "' \"$@\"\n");
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  /** Holds that it ended with an exit code. */
  public Stowage ends(int expected) {
    assertEquals(expected, code, out + err);
    return this;
  }

  /** Holds that stdout has all of some words. */
  public Stowage prints(String... words) {
    List.of(words).forEach(word -> assertTrue(out.contains(word), out + err));
    return this;
  }

  /** Holds that stderr has all of some words. */
  public Stowage says(String... words) {
    List.of(words).forEach(word -> assertTrue(err.contains(word), err + out));
    return this;
  }

  /** Holds fields of the answer in JSON, see {@link JsonChecks}. */
  public Stowage holds(String fields) {
    JsonChecks.holds(json(), fields);
    return this;
  }

  /** A field of the answer in JSON as a whole number, by its path; it must be there. */
  public long number(String path) {
    JsonNode field = json().at("/" + path);
    assertFalse(field.isMissingNode(), path + " of " + out);
    return field.asLong();
  }

  /** Holds that the command ended with 0, and gives its answer in JSON. */
  public JsonNode answer() {
    return ends(0).json();
  }

  /** Stdout, which must be one JSON value and nothing else. */
  public JsonNode json() {
    return JsonChecks.read(out);
  }
}

package stowage.cli.help;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.Suggestion;

/** {@code stowage schema}: the JSON Schemas of files that are read and of answers. */
@Command(
    name = "schema",
    description =
        "Prints the JSON Schema of a command's answer, of an error, or of a file; without a name,"
            + " which there are.",
    hidden = true)
public final class SchemaCommand extends BaseCommand {
  /** Schemas of files that are read or written. */
  static final List<String> FILES =
      List.of("packing", "network", "memories", "chip", "suite", "groups");

  /** Schemas of answers, by command; those that write files share one, and all share errors. */
  static final List<String> ANSWERS =
      List.of(
          ("plan serve verify check audit bound compare diff waste dependencies explain show group"
                  + " kernel schedule fit planners chips bench bench-groups experiment written error")
              .split(" "));

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "A schema, such as plan.")
  String name;

  @Option(names = "--json", description = "Print the names as one JSON array.")
  boolean json;

  @Override
  public Integer call() {
    if (name != null) {
      print(text(name));
    } else if (json) {
      ArrayNode names = new ObjectMapper().createArrayNode();
      ANSWERS.forEach(names::add);
      FILES.forEach(names::add);
      printLines(names.toString());
    } else {
      ANSWERS.forEach(each -> printLines("answer  " + each));
      FILES.forEach(each -> printLines("file    " + each));
    }
    return ExitCode.OK;
  }

  static String text(String name) {
    boolean answer = ANSWERS.contains(name);
    if (!answer && !FILES.contains(name)) {
      List<String> all = new ArrayList<>(ANSWERS);
      all.addAll(FILES);
      throw new UsageException("unknown schema " + name + Suggestion.advice(name, all));
    }
    String resource = "/stowage/schemas/" + (answer ? "answers/" : "") + name + ".schema.json";
    try (InputStream in = SchemaCommand.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}

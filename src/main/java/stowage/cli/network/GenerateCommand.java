package stowage.cli.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.generator.Generator;
import stowage.generator.Generators;
import stowage.generator.InvalidParameterException;
import stowage.generator.Parameter;
import stowage.generator.networks.NetworkGenerators;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.Suggestion;
import stowage.importer.own.NetworkJson;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;
import stowage.network.Network;
import stowage.packing.PackingProblem;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.Terminal;

/** {@code stowage generate}: writes buffers or a network made by name, parameters and a seed. */
@Command(
    name = "generate",
    description = {
      "Writes a list of buffers or a network that a generator makes from parameters and a seed, the"
          + " same ones on every machine.",
      "Without GENERATOR it lists the generators; `stowage list generators NAME` shows the"
          + " parameters of one, which are given as options: --buffers 200 --seed 3."
    })
public final class GenerateCommand extends BaseCommand {
  @Parameters(
      paramLabel = "GENERATOR",
      arity = "0..1",
      description = "A generator's name, such as near-capacity or randwire.")
  String name;

  @Option(
      names = "--describe",
      paramLabel = "GENERATOR",
      description = "Show a generator's parameters.",
      hidden = true)
  String described;

  @Unmatched List<String> words = new ArrayList<>();

  @Writes
  @Option(
      names = {"--out", "-o"},
      paramLabel = "FILE",
      description =
          "Where to write: .csv or .json, - for stdout (default: a name with what was made, here).")
  Path out;

  @Option(
      names = "--json",
      description = "Print one JSON value on stdout that says what was written, or the list.")
  boolean json;

  @Override
  public Integer call() {
    if (described != null && !names().contains(described)) {
      throw unknown(described);
    }
    if (name == null) {
      UsageException.when(
          !words.isEmpty(),
          "generate needs a generator before " + words.stream().findFirst().orElse(""));
      list();
      return ExitCode.OK;
    }
    Map<String, String> parameters = parameters();
    try {
      if (Generators.all().stream().anyMatch(generator -> generator.name().equals(name))) {
        write(Generators.generate(name, parameters));
      } else if (NetworkGenerators.isKnown(name)) {
        write(NetworkGenerators.generate(name, parameters));
      } else {
        throw unknown(name);
      }
    } catch (InvalidParameterException wrong) {
      throw new UsageException(wrong.getMessage());
    }
    return ExitCode.OK;
  }

  private static UsageException unknown(String name) {
    return new UsageException("unknown generator " + name + Suggestion.advice(name, names()));
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    Generators.all().forEach(generator -> names.add(generator.name()));
    NetworkGenerators.all().forEach(generator -> names.add(generator.name()));
    return names;
  }

  /** The words {@code --max-size 9} or {@code --max-size=9} by name, as generators know it. */
  private Map<String, String> parameters() {
    Map<String, String> values = new LinkedHashMap<>();
    for (int k = 0; k < words.size(); k++) {
      String word = words.get(k);
      UsageException.when(
          !word.startsWith("--") || word.length() == 2,
          word + " should be a parameter of " + name + ", such as --seed 3");
      int equals = word.indexOf('=');
      UsageException.when(
          equals < 0 && k + 1 == words.size(), word + " should be followed by a value");
      String option = word.substring(2, equals < 0 ? word.length() : equals);
      String name = NameText.camelCase(option.split("-"));
      values.put(name, equals < 0 ? words.get(++k) : word.substring(equals + 1));
    }
    return values;
  }

  private void write(PackingProblem problem) {
    List<String> lost = PackingCsv.omissions(problem);
    Path file = out == null ? Path.of(problem.name() + (lost.isEmpty() ? ".csv" : ".json")) : out;
    boolean asJson = file.toString().toLowerCase(Locale.ROOT).endsWith(".json");
    AtomicFiles.Content content =
        asJson
            ? stream -> PackingJson.write(stream, problem)
            : stream -> PackingCsv.write(stream, problem);
    WrittenFile.write(spec, file, content, asJson ? List.of() : lost, json);
  }

  private void write(Network network) {
    byte[] text = NetworkJson.text(network).getBytes(StandardCharsets.UTF_8);
    Path file = out == null ? Path.of(network.name() + ".json") : out;
    WrittenFile.write(spec, file, stream -> stream.write(text), List.of(), json);
  }

  /** Prints every generator in a line, or the parameters of the one asked for. */
  private void list() {
    Map<String, List<? extends Generator<?>>> kinds = new LinkedHashMap<>();
    kinds.put("buffers", Generators.all());
    kinds.put("network", NetworkGenerators.all());
    ArrayNode list = new ObjectMapper().createArrayNode();
    StringBuilder text = new StringBuilder();
    int width = Terminal.columns(System.getenv());
    kinds.forEach(
        (kind, generators) -> {
          text.append(kind.equals("buffers") ? "Lists of buffers:\n" : "\nNetworks:\n");
          AlignedText table = new AlignedText("ll");
          for (Generator<?> each : generators) {
            table.row(each.name(), each.summary());
            if (described == null || described.equals(each.name())) {
              describe(list.addObject(), kind, each);
            }
          }
          text.append(table.text("  ", width));
        });
    text.append("\nKernel graphs: matmul, attention, convolution (generate matmul --help)\n");
    text.append("\nParameters of one: stowage list generators NAME");
    String shown = described == null ? text.toString() : parameters(list.get(0), width);
    printLines(json ? list.toPrettyString() : shown);
  }

  private static void describe(ObjectNode entry, String kind, Generator<?> generator) {
    entry.put("name", generator.name()).put("kind", kind).put("summary", generator.summary());
    ArrayNode list = entry.putArray("parameters");
    for (Parameter parameter : generator.parameters()) {
      ObjectNode one = list.addObject().put("name", parameter.name());
      one.put("standard", String.valueOf(parameter.standard()));
      one.put("meaning", parameter.meaning());
    }
  }

  private static String parameters(JsonNode generator, int width) {
    AlignedText table = new AlignedText("lll").row("parameter", "default", "meaning");
    for (JsonNode parameter : generator.path("parameters")) {
      String words = parameter.path("name").asText().replaceAll("([A-Z])", "-$1");
      String option = "--" + words.toLowerCase(Locale.ROOT);
      String standard = parameter.path("standard").asText();
      table.row(option, standard, parameter.path("meaning").asText());
    }
    String name = generator.path("name").asText();
    return "%s: %s%n%n%s%nstowage generate %s --out FILE"
        .formatted(name, generator.path("summary").asText(), table.text("  ", width), name);
  }
}

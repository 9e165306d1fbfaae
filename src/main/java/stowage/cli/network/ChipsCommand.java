package stowage.cli.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.importer.own.Chips;
import stowage.network.Chip;
import stowage.packing.ByteText;
import stowage.report.format.AlignedText;
import stowage.report.format.Terminal;

/** {@code stowage chips}: the chips that come with Stowage. */
@Command(
    name = "chips",
    description = "Lists the chips that come with Stowage; --chip also takes a file of your own.",
    hidden = true)
public final class ChipsCommand extends BaseCommand {
  private static final String ROW = "%-9s %6s %6s %10s %6s %8s %6s %8s%n";

  /** Fields of a chip's answer, in their order. */
  private static final List<String> FIGURES =
      List.of(
          """
          name lanes vectorBytes laneBytes banks bankBytes dmaAlignment cores weightAlignment
          activationAlignment sharedMemoryBytes speed sources
          """
              .split("\\s+"));

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "One chip, such as bm1684x.")
  String name;

  @Option(
      names = "--json",
      description = "Print one JSON array with every figure and its source, and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    PrintWriter out = out();
    ArrayNode list = new ObjectMapper().createArrayNode();
    List<Chip> chips = name == null ? Chips.all() : List.of(Chips.load(name));
    chips.forEach(chip -> describe(list.addObject(), chip));
    if (json) {
      out.println(list.toPrettyString());
    } else if (name != null) {
      out.print(figures(list.get(0)));
    } else {
      out.printf(ROW, "chip", "lanes", "vector", "lane LMEM", "banks", "bank", "cores", "GMEM");
      for (Chip chip : chips) {
        String vector = chip.vectorBytes() + " B";
        String lane = (chip.laneBytes() >> 10) + " KiB";
        String bank = (chip.bankBytes() >> 10) + " KiB";
        String gmem = chip.activationAlignment() + " B";
        Object[] row = {
          chip.name(), chip.lanes(), vector, lane, chip.banks(), bank, chip.cores(), gmem
        };
        out.printf(Locale.ROOT, ROW, row);
      }
      out.println();
      out.println(
          "vector: bytes an execution unit takes at once; GMEM: alignment of activations there.");
      out.println("Every figure of one with its source: stowage list chips NAME");
    }
    out.flush();
    return ExitCode.OK;
  }

  private static String figures(JsonNode chip) {
    AlignedText table = new AlignedText("lrl").row("figure", "value", "source");
    for (Map.Entry<String, JsonNode> field : chip.properties()) {
      JsonNode value = field.getValue();
      if (value.isNumber()) {
        String source = chip.path("sources").path(field.getKey()).asText();
        table.row(field.getKey(), number(value), source);
      }
    }
    for (Map.Entry<String, JsonNode> field : chip.path("speed").properties()) {
      String source = chip.path("sources").path("speed." + field.getKey()).asText();
      table.row(field.getKey(), number(field.getValue()), source);
    }
    return chip.path("name").asText() + "\n" + table.text("  ", Terminal.columns(System.getenv()));
  }

  private static String number(JsonNode value) {
    return value.isIntegralNumber()
        ? ByteText.exact(value.asLong())
        : ByteText.plain(value.asDouble());
  }

  private static void describe(ObjectNode entry, Chip chip) {
    ObjectNode all = new ObjectMapper().valueToTree(chip);
    all.put("bankBytes", chip.bankBytes());
    FIGURES.forEach(field -> entry.set(field, all.get(field)));
    entry.withObject("/speed").remove("dmaSetupCycles");
  }
}

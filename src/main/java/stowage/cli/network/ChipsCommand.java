package stowage.cli.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.importer.own.Chips;
import stowage.network.Chip;

/** {@code stowage chips}: the chips that come with Stowage. */
@Command(
    name = "chips",
    description = "Lists the chips that come with Stowage; --chip also takes a file of your own.",
    hidden = true)
public final class ChipsCommand extends BaseCommand {
  private static final String ROW = "%-9s %6s %6s %10s %6s %8s %6s %8s%n";

  @Option(
      names = "--json",
      description = "Print one JSON array with every figure and its source, and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    PrintWriter out = out();
    if (json) {
      ArrayNode list = new ObjectMapper().createArrayNode();
      Chips.all().forEach(chip -> describe(list.addObject(), chip));
      out.println(list.toPrettyString());
    } else {
      out.printf(ROW, "chip", "lanes", "vector", "lane LMEM", "banks", "bank", "cores", "GMEM");
      for (Chip chip : Chips.all()) {
        out.printf(
            Locale.ROOT,
            ROW,
            chip.name(),
            chip.lanes(),
            chip.vectorBytes() + " B",
            (chip.laneBytes() >> 10) + " KiB",
            chip.banks(),
            (chip.bankBytes() >> 10) + " KiB",
            chip.cores(),
            chip.activationAlignment() + " B");
      }
      out.println();
      out.println(
          "vector: bytes an execution unit takes at once; GMEM: alignment of activations there.");
      out.println("The source of each figure: stowage chips --json");
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void describe(ObjectNode entry, Chip chip) {
    entry.put("name", chip.name()).put("lanes", chip.lanes());
    entry.put("vectorBytes", chip.vectorBytes()).put("laneBytes", chip.laneBytes());
    entry.put("banks", chip.banks()).put("bankBytes", chip.bankBytes());
    entry.put("dmaAlignment", chip.dmaAlignment()).put("cores", chip.cores());
    entry.put("weightAlignment", chip.weightAlignment());
    entry.put("activationAlignment", chip.activationAlignment());
    entry.put("sharedMemoryBytes", chip.sharedMemoryBytes());
    ObjectNode speed = entry.putObject("speed");
    speed.put("computeMegahertz", chip.speed().computeMegahertz());
    speed.put("macsPerCycleInt8", chip.speed().macsPerCycleInt8());
    speed.put("macsPerCycleFloat16", chip.speed().macsPerCycleFloat16());
    speed.put("macsPerCycleFloat32", chip.speed().macsPerCycleFloat32());
    speed.put("dramGigabytesPerSecond", chip.speed().dramGigabytesPerSecond());
    ObjectNode sources = entry.putObject("sources");
    chip.sources().forEach(sources::put);
  }
}

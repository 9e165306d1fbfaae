package stowage.cli.plan;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.kernel.model.KernelFigures;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.verify.KernelVerifier;
import stowage.network.kernel.KernelGraph;
import stowage.packing.ByteText;
import stowage.text.JsonWriter;

/**
 * Check of a kernel graph's schedule, {@code NAME_schedule.txt}, with the addresses and spills in
 * {@code NAME_memory.txt} and {@code NAME_spill.txt} beside it, where there are such.
 */
final class KernelCheck {
  private static final String ENDING = "_schedule.txt";

  private KernelCheck() {}

  /** Whether a file is named as a schedule. */
  static boolean isSchedule(Path file) {
    return file.getFileName().toString().endsWith(ENDING);
  }

  /** Checks the schedule; a fault of a file names the line. */
  static KernelVerifier.Result of(KernelGraph graph, Map<String, Long> capacities, Path schedule) {
    int[] order = rows(schedule, 1).stream().mapToInt(row -> Math.toIntExact(row[0])).toArray();
    Path memory = beside(schedule, "_memory.txt");
    if (!Files.exists(memory)) {
      return KernelVerifier.verify(graph, capacities, KernelPlan.orderOnly(order));
    }
    Map<Long, Integer> buffers = new HashMap<>();
    for (int b = 0; b < graph.buffers().size(); b++) {
      buffers.put((long) graph.buffers().get(b).id(), b);
    }
    long[] offsets = new long[buffers.size()];
    Arrays.fill(offsets, -1); // no cache has it
    rows(memory, 2).forEach(row -> offsets[buffer(memory, buffers, row[0])] = row[1]);
    Path spill = beside(schedule, "_spill.txt");
    List<long[]> spills = rows(spill, 2);
    int[] spilled = spills.stream().mapToInt(row -> buffer(spill, buffers, row[0])).toArray();
    long[] back = spills.stream().mapToLong(row -> row[1]).toArray();
    return KernelVerifier.verify(graph, capacities, new KernelPlan(order, offsets, spilled, back));
  }

  private static Path beside(Path schedule, String ending) {
    String name = schedule.getFileName().toString();
    return schedule.resolveSibling(name.substring(0, name.length() - ENDING.length()) + ending);
  }

  private static int buffer(Path file, Map<Long, Integer> buffers, long id) {
    Integer found = buffers.get(id);
    if (found == null) {
      throw new InputException(file, "", "names the buffer %s, which the graph does not have", id);
    }
    return found;
  }

  /** The numbers of each line, with colons between them. */
  private static List<long[]> rows(Path file, int count) {
    List<long[]> rows = new ArrayList<>();
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String form = count == 1 ? "[0-9]{1,9}" : "[0-9]{1,9}:[0-9]{1,15}";
      if (!line.strip().matches(form)) {
        String right = count == 1 ? "a node's id" : "BufId:Offset";
        throw new InputException(file, "line " + number, "\"%s\" should be %s", line, right);
      }
      rows.add(Arrays.stream(line.strip().split(":")).mapToLong(Long::parseLong).toArray());
    }
    return rows;
  }

  /** What was found, for a reader. */
  static String text(KernelVerifier.Result result) {
    if (!result.holds()) {
      return "invalid: " + result.violation() + "\n";
    }
    KernelFigures figures = result.figures();
    String peak = "valid: residency " + ByteText.count(figures.residency(), "unit");
    return figures.cycles() < 0
        ? peak + "; no addresses\n"
        : "%s, traffic %s in %s, %s%n"
            .formatted(
                peak,
                ByteText.count(figures.traffic(), "unit"),
                ByteText.count(figures.spills(), "spill"),
                ByteText.count(figures.cycles(), "cycle"));
  }

  /** The same as JSON. */
  static String json(KernelVerifier.Result result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("schemaVersion", 1);
    fields.put("valid", result.holds());
    fields.put("violation", result.violation());
    if (result.holds()) {
      KernelFigures figures = result.figures();
      fields.put("residency", figures.residency());
      if (figures.cycles() >= 0) {
        fields.put("traffic", figures.traffic());
        fields.put("spills", figures.spills());
        fields.put("cycles", figures.cycles());
      }
    }
    return JsonWriter.text(json -> json.value(fields));
  }
}

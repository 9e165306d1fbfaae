package stowage.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.kernel.KernelGoal;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelFigures;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.verify.KernelVerifier;
import stowage.network.kernel.KernelGraph;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.format.AnswerContradictions;
import stowage.report.format.AnswerFindings;
import stowage.text.JsonWriter;

/**
 * Check of a kernel graph's schedule, {@code NAME_schedule.txt}, with the addresses and spills in
 * {@code NAME_memory.txt} and {@code NAME_spill.txt} next to it, where there are such.
 */
final class KernelCheck {
  private static final String ENDING = "_schedule.txt";

  private KernelCheck() {}

  static boolean isSchedule(Path file) {
    return file.getFileName().toString().endsWith(ENDING);
  }

  /** Reads a schedule and the files next to it; a fault of a file names the line. */
  static KernelPlan read(KernelGraph graph, Path schedule) {
    int[] order = rows(schedule, 1).stream().mapToInt(row -> Math.toIntExact(row[0])).toArray();
    Path memory = beside(schedule, "_memory.txt");
    if (!Files.exists(memory)) {
      return KernelPlan.orderOnly(order);
    }
    Map<Long, Integer> buffers = new HashMap<>();
    for (int b = 0; b < graph.buffers().size(); b++) {
      buffers.put((long) graph.buffers().get(b).id(), b);
    }
    long[] offsets = new long[buffers.size()];
    Arrays.fill(offsets, -1); // no cache has it
    for (long[] row : rows(memory, 2)) {
      int b = buffer(memory, buffers, row[0]);
      if (offsets[b] >= 0) {
        throw new InputException(memory, "", "has two offsets of the buffer %s", row[0]);
      }
      offsets[b] = row[1];
    }
    Path spill = beside(schedule, "_spill.txt");
    List<long[]> spills = rows(spill, 2);
    int[] spilled = spills.stream().mapToInt(row -> buffer(spill, buffers, row[0])).toArray();
    long[] back = spills.stream().mapToLong(row -> row[1]).toArray();
    return new KernelPlan(order, offsets, spilled, back);
  }

  /** Whether an answer is one of {@code kernel} with a plan. */
  static boolean isAnswer(JsonNode answer) {
    return answer.has("minimize") && answer.has("residency");
  }

  /** Checks an answer against the schedule next to it. */
  static AnswerFindings check(JsonNode said, KernelGraph graph, Caches caches, Path schedule) {
    KernelPlan plan = read(graph, schedule);
    KernelVerifier.Result result = KernelVerifier.verify(graph, caches.units(), plan);
    String minimize = said.path("minimize").asText();
    List<KernelGoal> goals = List.of(KernelGoal.values());
    List<String> names = goals.stream().map(one -> one.name().toLowerCase(Locale.ROOT)).toList();
    if (!result.holds() || !names.contains(minimize)) {
      return AnswerFindings.invalid(
          result.holds()
              ? "the answer's minimize is \"%s\"; it should be one of %s".formatted(minimize, names)
              : "the schedule does not hold: " + result.violation());
    }
    KernelFigures figures = result.figures();
    ObjectNode is = new ObjectMapper().createObjectNode();
    long figure = goals.get(names.indexOf(minimize)).figure(figures);
    long bound = AnswerFindings.bound(said.path("lowerBound"), figure);
    is.put("schemaVersion", 1).put("minimize", minimize).put("residency", figures.residency());
    is.put("status", (bound == figure ? Status.OPTIMAL : Status.FEASIBLE).name());
    is.put("spills", figures.spills()).put("lowerBound", bound);
    if (figures.cycles() >= 0) {
      is.put("traffic", figures.traffic()).put("cycles", figures.cycles());
      is.put("orderBound", AnswerFindings.bound(said.path("orderBound"), figures.traffic()));
    }
    ObjectNode peaks = is.putObject("caches");
    plan.peaks(graph, caches)
        .forEach(
            (cache, peak) ->
                peaks
                    .putObject(cache)
                    .put("peak", peak)
                    .put("capacity", caches.units().get(cache)));
    List<String> found = new ArrayList<>();
    new AnswerContradictions("the answer", "seconds"::equals, found).compare(said, is.toString());
    return AnswerFindings.unproven(
        Map.of("residency", figures.residency()),
        text(result).strip().replaceFirst("valid: ", ""),
        bound,
        minimize,
        minimize + " at least " + ByteText.exact(bound),
        found);
  }

  /** The schedule of a graph in the folder of an answer. */
  static Path schedule(Path answer, String graph) {
    return answer.resolveSibling(graph + ENDING);
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
      String form = count == 1 ? "[0-9]{1,9}" : "[0-9]{1,10}:[0-9]{1,15}";
      if (!line.strip().matches(form)) {
        String right = count == 1 ? "a node's id" : "BufId:Offset";
        throw new InputException(file, "line " + number, "\"%s\" should be %s", line, right);
      }
      rows.add(Arrays.stream(line.strip().split(":")).mapToLong(Long::parseLong).toArray());
    }
    return rows;
  }

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

package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.JsonCursor;
import stowage.packing.Memory;

/**
 * The rules of a network's live ranges and sizes that a plan.json was made by, so that a reader of
 * the plan need not give them again: the object {@code plannedAs} of its {@code network}; and the
 * memories that it is over.
 *
 * @param rules texts by field, a number as its digits; empty where the plan gives none
 * @param schedule names of the ops in the order planned; empty for the order of the network's file
 * @param memories those that the plan names, with their capacities
 */
public record PlannedAs(Map<String, String> rules, List<String> schedule, List<Memory> memories) {
  /** The fields that are read: texts, and for {@link #ALIGNMENT} a number. */
  public static final String IN_PLACE = "inPlace";

  /** How long inputs live. */
  public static final String INPUTS = "inputs";

  /** Where variables are. */
  public static final String VARIABLES = "variables";

  /** How ops may run. */
  public static final String ORDER = "order";

  /** What becomes of buffers of ops side by side. */
  public static final String SHARING = "sharing";

  /** What offsets are multiples of. */
  public static final String ALIGNMENT = "alignment";

  /** Pairs of inputs and outputs that are one place, separated by blanks. */
  public static final String ALIASES = "aliases";

  /** How the models of one arena run, where the plan is that of one of several. */
  public static final String RUN = "run";

  /** Names of the ops in the order planned, where it is not the file's: a list. */
  public static final String SCHEDULE = "schedule";

  private static final List<String> TEXTS =
      List.of(IN_PLACE, INPUTS, VARIABLES, ORDER, SHARING, ALIASES, RUN);

  /** Reads what a plan says before its placements; a CSV, or no plan at all, says nothing. */
  public static PlannedAs read(Path plan) {
    PlannedAs found = new PlannedAs(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
    if (isJson(plan)) {
      try (JsonCursor json = new JsonCursor(plan)) {
        json.object(null, field -> found.readField(json, field));
      }
    }
    return found;
  }

  private boolean readField(JsonCursor json, String field) {
    switch (field) {
      case "memories" -> json.array(() -> memories.add(memory(json)));
      case "network" -> json.object(null, inner -> readNetwork(json, inner));
      default -> json.skip();
    }
    return !field.equals("placements");
  }

  private static boolean isJson(Path plan) {
    return plan != null
        && String.valueOf(plan.getFileName()).toLowerCase(Locale.ROOT).endsWith(".json");
  }

  /** Whether a plan, null for none, places scratch memory as buffers {@code <op>#scratch}. */
  public static boolean hasScratch(Path plan) {
    return isJson(plan)
        && PlanFile.read(plan).places().keySet().stream().anyMatch(id -> id.contains("#scratch"));
  }

  private static Memory memory(JsonCursor json) {
    Map<String, Object> read =
        json.fields(
            null,
            field ->
                switch (field) {
                  case "name" -> json.label();
                  case "capacity" -> json.isNull() ? null : json.integer(0, Long.MAX_VALUE);
                  default -> json.skipped();
                });
    String name = (String) read.getOrDefault("name", Memory.MAIN);
    return new Memory(name, (long) read.getOrDefault("capacity", Memory.UNBOUNDED), 1, 0, 0);
  }

  private boolean readNetwork(JsonCursor json, String field) {
    if (!field.equals("plannedAs")) {
      json.skip();
      return true;
    }
    json.object(
        null,
        rule -> {
          if (TEXTS.contains(rule)) {
            rules.put(rule, json.text());
          } else if (rule.equals(ALIGNMENT)) {
            rules.put(rule, Long.toString(json.integer(1, Long.MAX_VALUE)));
          } else if (rule.equals(SCHEDULE)) {
            json.array(() -> schedule.add(json.label()));
          } else {
            json.skip();
          }
          return true;
        });
    return true;
  }
}

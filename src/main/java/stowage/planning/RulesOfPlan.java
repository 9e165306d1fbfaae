package stowage.planning;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonCursor;
import stowage.importer.own.AnswerFile;
import stowage.importer.own.PlanFile;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Memory;

/**
 * The rules that a network was planned by, as a plan.json says them: the object {@code plannedAs}
 * of its {@code network}, and the memories that it is over. A command that reads a plan takes them
 * over where the command line says nothing else.
 *
 * @param inPlace null where the plan does not say, as are the others
 * @param aliases none where the plan says none
 * @param schedule names of ops in the order planned, none for the file's
 * @param streams of ops by name, where the order is by streams and the plan says them; else none
 * @param memories those that the plan names, with their capacities; none where it names none
 * @param run how the models of one arena run, where the plan is of one of several
 */
public record RulesOfPlan(
    LivenessOptions.InPlace inPlace,
    LivenessOptions.Inputs inputs,
    LivenessOptions.Variables variables,
    LivenessOptions.Order order,
    LivenessOptions.Sharing sharing,
    Long alignment,
    List<String> aliases,
    List<String> schedule,
    Map<String, String> streams,
    List<Memory> memories,
    String run) {
  /** The field of {@link #run} in a plan.json. */
  public static final String RUN = "run";

  private static final String IN_PLACE = "inPlace";
  private static final String INPUTS = "inputs";
  private static final String VARIABLES = "variables";
  private static final String ORDER = "order";
  private static final String SHARING = "sharing";
  private static final String ALIASES = "aliases";
  private static final String ALIGNMENT = "alignment";
  private static final String SCHEDULE = "schedule";
  private static final String STREAMS = "streams";
  private static final Set<String> TEXTS = Set.of(IN_PLACE, INPUTS, VARIABLES, ORDER, SHARING, RUN);

  /**
   * Reads what a plan says before its placements; null, a CSV, or no plan at all, says nothing.
   * Fails on a rule that does not exist.
   */
  public static RulesOfPlan read(Path plan) {
    Map<String, String> rules = new HashMap<>();
    List<String> schedule = new ArrayList<>();
    Map<String, String> streams = new LinkedHashMap<>();
    List<Memory> memories = new ArrayList<>();
    if (isJson(plan)) {
      try (JsonCursor json = new JsonCursor(plan)) {
        json.object(
            null,
            field -> {
              switch (field) {
                case "memories" -> json.array(() -> memories.add(memory(json, memories)));
                case "network" -> readNetwork(json, rules, schedule, streams);
                default -> json.skip();
              }
              return !field.equals("placements");
            });
      }
    }
    LivenessOptions.Order order = value(plan, LivenessOptions.Order.class, rules, ORDER);
    return new RulesOfPlan(
        value(plan, LivenessOptions.InPlace.class, rules, IN_PLACE),
        value(plan, LivenessOptions.Inputs.class, rules, INPUTS),
        value(plan, LivenessOptions.Variables.class, rules, VARIABLES),
        order == LivenessOptions.Order.STREAMS && !rules.containsKey(STREAMS) ? null : order,
        value(plan, LivenessOptions.Sharing.class, rules, SHARING),
        rules.containsKey(ALIGNMENT) ? Long.valueOf(rules.get(ALIGNMENT)) : null,
        rules.containsKey(ALIASES) ? List.of(rules.get(ALIASES).split("\n")) : List.of(),
        List.copyOf(schedule),
        streams,
        memories,
        rules.get(RUN));
  }

  private static boolean isJson(Path plan) {
    return plan != null
        && String.valueOf(plan.getFileName()).toLowerCase(Locale.ROOT).endsWith(".json");
  }

  /**
   * Whether a plan, null for none, places scratch memory as buffers {@code <op>#scratch}; one over
   * the memories of a map does not say.
   */
  public static boolean hasScratch(Path plan) {
    return isJson(plan)
        && !AnswerFile.read(plan).has("plan")
        && PlanFile.readAnswer(plan).places().keySet().stream()
            .anyMatch(id -> id.contains("#scratch"));
  }

  private static Memory memory(JsonCursor json, List<Memory> before) {
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
    if (Memory.indexOf(before, name) >= 0) {
      throw json.fault("memory \"" + name + "\" is defined twice");
    }
    return new Memory(name, (long) read.getOrDefault("capacity", Memory.UNBOUNDED), 1, 0, 0);
  }

  private static void readNetwork(
      JsonCursor json,
      Map<String, String> rules,
      List<String> schedule,
      Map<String, String> streams) {
    json.object(
        null,
        field -> {
          if (field.equals("plannedAs")) {
            json.object(null, rule -> readRule(json, rule, rules, schedule, streams));
          } else {
            json.skip();
          }
          return true;
        });
  }

  private static boolean readRule(
      JsonCursor json,
      String rule,
      Map<String, String> rules,
      List<String> schedule,
      Map<String, String> streams) {
    if (TEXTS.contains(rule)) {
      rules.put(rule, json.text());
    } else if (rule.equals(ALIASES)) {
      JsonNode said = json.tree(); // a list where names have blanks, else a text
      List<String> aliases = new ArrayList<>(List.of(said.asText().split(" ")));
      if (said.isArray()) {
        aliases.clear();
        said.forEach(alias -> aliases.add(alias.asText()));
      }
      rules.put(rule, String.join("\n", aliases));
    } else if (rule.equals(ALIGNMENT)) {
      rules.put(rule, Long.toString(json.integer(1, Long.MAX_VALUE)));
    } else if (rule.equals(SCHEDULE)) {
      json.array(() -> schedule.add(json.label()));
    } else if (rule.equals(STREAMS)) {
      rules.put(rule, "");
      json.object(
          null,
          op -> {
            streams.put(op, json.label());
            return true;
          });
    } else {
      json.skip();
    }
    return true;
  }

  /**
   * The order planned, as indices of ops; null where it is the file's own, or the plan's ops are
   * not the network's, as in an earlier version of it.
   */
  public int[] order(Network network) {
    Map<String, Integer> ops = new HashMap<>();
    for (int i = 0; i < network.ops().size(); i++) {
      ops.put(network.ops().get(i).name(), i);
    }
    return schedule.size() == ops.size() && ops.keySet().equals(Set.copyOf(schedule))
        ? schedule.stream().mapToInt(ops::get).toArray()
        : null;
  }

  /** What a plan is to say of the rules of a case, as {@link #read} finds it. */
  public static Map<String, Object> of(PlanningCase planningCase) {
    Map<String, Object> rules = of(planningCase.options());
    Network network = planningCase.network();
    if (planningCase.options().order() == LivenessOptions.Order.STREAMS) {
      Map<String, String> streams = new LinkedHashMap<>();
      for (int op : planningCase.order()) {
        String name = network.ops().get(op).name();
        streams.put(name, planningCase.options().streams().get(name));
      }
      rules.put(STREAMS, streams);
    }
    if (!Arrays.equals(planningCase.order(), network.executionOrder())) {
      rules.put(
          SCHEDULE,
          Arrays.stream(planningCase.order())
              .mapToObj(op -> network.ops().get(op).name())
              .toList());
    }
    return rules;
  }

  /** The same of options alone, whatever the order. */
  public static Map<String, Object> of(LivenessOptions options) {
    Map<String, Object> rules = new LinkedHashMap<>();
    rules.put(IN_PLACE, label(options.inPlace()));
    rules.put(INPUTS, label(options.inputs()));
    rules.put(VARIABLES, label(options.variables()));
    rules.put(ORDER, label(options.order()));
    if (options.sharing() == LivenessOptions.Sharing.PRICED) {
      rules.put(SHARING, label(options.sharing()));
    }
    rules.put(ALIGNMENT, options.alignment());
    if (!options.aliases().isEmpty()) {
      boolean blanks = options.aliases().stream().anyMatch(alias -> alias.contains(" "));
      rules.put(ALIASES, blanks ? options.aliases() : String.join(" ", options.aliases()));
    }
    return rules;
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E extends Enum<E>> E value(
      Path plan, Class<E> type, Map<String, String> rules, String rule) {
    String name = rules.get(rule);
    for (E value : type.getEnumConstants()) {
      if (label(value).equals(name)) {
        return value;
      }
    }
    if (name != null) {
      throw new InputException(plan, "network.plannedAs", rule + " \"" + name + "\" is not known");
    }
    return null;
  }
}

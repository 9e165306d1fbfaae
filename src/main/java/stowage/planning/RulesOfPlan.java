package stowage.planning;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.importer.own.PlannedAs;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Memory;

/**
 * The rules that a network was planned by, as a plan.json says them. A command that reads a plan
 * takes them over where the command line says nothing else.
 *
 * @param inPlace null where the plan does not say, as are the others
 * @param aliases none where the plan says none
 * @param schedule names of ops in the order planned, none for the file's
 * @param memories those that the plan names, with their capacities; none where it names none
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
    List<Memory> memories) {
  private static final RulesOfPlan NONE =
      new RulesOfPlan(null, null, null, null, null, null, List.of(), List.of(), List.of());

  /** Reads the rules of a plan, none for null; fails on a rule that does not exist. */
  public static RulesOfPlan read(Path plan) {
    if (plan == null) {
      return NONE;
    }
    PlannedAs said = PlannedAs.read(plan);
    Map<String, String> rules = said.rules();
    LivenessOptions.Order order = value(plan, LivenessOptions.Order.class, rules, PlannedAs.ORDER);
    return new RulesOfPlan(
        value(plan, LivenessOptions.InPlace.class, rules, PlannedAs.IN_PLACE),
        value(plan, LivenessOptions.Inputs.class, rules, PlannedAs.INPUTS),
        value(plan, LivenessOptions.Variables.class, rules, PlannedAs.VARIABLES),
        order == LivenessOptions.Order.STREAMS ? null : order,
        value(plan, LivenessOptions.Sharing.class, rules, PlannedAs.SHARING),
        rules.containsKey(PlannedAs.ALIGNMENT)
            ? Long.valueOf(rules.get(PlannedAs.ALIGNMENT))
            : null,
        rules.containsKey(PlannedAs.ALIASES)
            ? List.of(rules.get(PlannedAs.ALIASES).split(" "))
            : List.of(),
        List.copyOf(said.schedule()),
        said.memories());
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

  /** What a plan is to say of the rules of a case, by the names of {@link PlannedAs}. */
  public static Map<String, Object> of(PlanningCase planningCase) {
    LivenessOptions options = planningCase.options();
    Map<String, Object> rules = new LinkedHashMap<>();
    rules.put(PlannedAs.IN_PLACE, label(options.inPlace()));
    rules.put(PlannedAs.INPUTS, label(options.inputs()));
    rules.put(PlannedAs.VARIABLES, label(options.variables()));
    rules.put(PlannedAs.ORDER, label(options.order()));
    if (options.sharing() == LivenessOptions.Sharing.PRICED) {
      rules.put(PlannedAs.SHARING, label(options.sharing()));
    }
    rules.put(PlannedAs.ALIGNMENT, options.alignment());
    if (!options.aliases().isEmpty()) {
      rules.put(PlannedAs.ALIASES, String.join(" ", options.aliases()));
    }
    Network network = planningCase.network();
    if (!Arrays.equals(planningCase.order(), network.executionOrder())) {
      rules.put(
          PlannedAs.SCHEDULE,
          Arrays.stream(planningCase.order())
              .mapToObj(op -> network.ops().get(op).name())
              .toList());
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

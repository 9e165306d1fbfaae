package stowage.cli.input;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.own.PlannedAs;
import stowage.liveness.LivenessOptions;

/** The rules that a network was planned by, as a plan.json says them, and back. */
public final class RulesOfPlan {
  private RulesOfPlan() {}

  /** The rules, by the names of {@link PlannedAs}. */
  public static Map<String, Object> of(LivenessOptions options) {
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
    return rules;
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Takes over the rules of a plan where the command line says nothing else.
   *
   * @throws InputException when the plan names a rule that there is not
   */
  public static void adopt(Path plan, InputOptions input) {
    Map<String, String> rules = PlannedAs.read(plan);
    if (input.inPlace == null) {
      input.inPlace = value(plan, LivenessOptions.InPlace.class, rules, PlannedAs.IN_PLACE);
    }
    if (input.inputs == null) {
      input.inputs = value(plan, LivenessOptions.Inputs.class, rules, PlannedAs.INPUTS);
    }
    if (input.variables == null) {
      input.variables = value(plan, LivenessOptions.Variables.class, rules, PlannedAs.VARIABLES);
    }
    if (input.aliases.isEmpty() && rules.containsKey(PlannedAs.ALIASES)) {
      input.aliases = List.of(rules.get(PlannedAs.ALIASES).split(" "));
    }
    LivenessOptions.Order order = value(plan, LivenessOptions.Order.class, rules, PlannedAs.ORDER);
    boolean open = input.order.equals(label(LivenessOptions.Order.IN_ORDER));
    if (open && order != null && order != LivenessOptions.Order.STREAMS) {
      input.order = label(order);
    }
    LivenessOptions.Sharing sharing =
        value(plan, LivenessOptions.Sharing.class, rules, PlannedAs.SHARING);
    if (sharing != null) {
      input.sharing = sharing;
    }
    if (input.alignment == null && input.chip == null && rules.containsKey(PlannedAs.ALIGNMENT)) {
      input.alignment = Long.valueOf(rules.get(PlannedAs.ALIGNMENT));
    }
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

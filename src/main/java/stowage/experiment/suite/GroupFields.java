package stowage.experiment.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonDocument;
import stowage.onchip.GroupMethod;
import stowage.onchip.layer.Precision;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOptions.Lmem;
import stowage.onchip.search.GroupOptions.SlicingSearch;

/** Reader of the fields {@code group} of a suite: of its instances, and of its planners. */
final class GroupFields {
  static final List<String> TASK_FIELDS = List.of("chip", "objective", "precision");

  static final List<String> METHOD_FIELDS = List.of("partition", "lmem", "slicing", "overlapLimit");

  private GroupFields() {}

  /** Every chip with every objective; paths of chips' files are relative to the folder. */
  static List<GroupTask> tasks(JsonDocument.Value group, Path folder) {
    Map<String, JsonDocument.Value> fields = group.fields(TASK_FIELDS);
    Precision precision = choice(fields.get("precision"), Precision.values(), null);
    List<GroupObjective> objectives = new ArrayList<>();
    for (JsonDocument.Value one : oneOrMore(fields.get("objective"))) {
      objectives.add(choice(one, GroupObjective.values(), null));
    }
    if (objectives.isEmpty()) {
      objectives = List.of(GroupObjective.TRAFFIC);
    }
    List<GroupTask> tasks = new ArrayList<>();
    for (JsonDocument.Value chip : oneOrMore(group.required("chip"))) {
      String name = chip.name();
      String place = name.endsWith(".json") ? folder.resolve(name).normalize().toString() : name;
      for (GroupObjective objective : objectives) {
        GroupTask task = new GroupTask(place, objective, precision);
        try {
          task.loadChip();
        } catch (InputException unknown) {
          throw chip.fault(unknown.getMessage(), unknown);
        }
        tasks.add(task);
      }
    }
    return tasks;
  }

  static GroupMethod method(JsonDocument.Value group) {
    Map<String, JsonDocument.Value> fields = group.fields(METHOD_FIELDS);
    return new GroupMethod(
        choice(group.required("partition"), GroupMethod.Division.values(), null),
        choice(fields.get("lmem"), Lmem.values(), Lmem.EXACT),
        choice(fields.get("slicing"), SlicingSearch.values(), SlicingSearch.QUICK),
        fields.containsKey("overlapLimit") ? (Boolean) fields.get("overlapLimit").flag() : null);
  }

  private static List<JsonDocument.Value> oneOrMore(JsonDocument.Value value) {
    return value == null
        ? List.of()
        : value.plain() instanceof List<?> ? value.elements() : List.of(value);
  }

  /** One of an enumeration, in lower case with hyphens. */
  private static <E extends Enum<E>> E choice(JsonDocument.Value value, E[] all, E absent) {
    return value == null ? absent : value.oneOf(all, "\"%s\" is not known");
  }
}

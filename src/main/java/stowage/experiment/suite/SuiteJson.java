package stowage.experiment.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import stowage.generator.Generators;
import stowage.generator.InvalidParameterException;
import stowage.generator.Parameter;
import stowage.generator.networks.NetworkGenerators;
import stowage.importer.io.JsonDocument;
import stowage.importer.io.Suggestion;
import stowage.planning.PlannerCatalogue;
import stowage.schedule.order.SystemOrders;

/**
 * Reader of suites; {@code docs/experiments.md} describes the fields, and the JSON Schema {@code
 * suite.schema.json} holds them. Paths are relative to the suite's own folder.
 */
public record SuiteJson(Path file, Path folder) {
  static final List<String> FIELDS =
      List.of(
          ("$schema schemaVersion name description instances planners seeds repetitions "
                  + "threads limits")
              .split(" "));

  static final List<String> INSTANCE_FIELDS =
      List.of("path", "glob", "data", "generator", "parameters", "family", "group", "schedule");

  static final List<String> PLANNER_FIELDS =
      List.of("name", "label", "config", "external", "group", "seeds");

  static final List<String> LIMIT_FIELDS = List.of("seconds", "work", "memoryMiB");

  private static final double DEFAULT_SECONDS = 10;
  private static final double GUARD_SECONDS = 600;
  private static final long DEFAULT_MEMORY_MIB = 1024;
  private static final RunSpec.Limits DEFAULT_LIMITS =
      new RunSpec.Limits(DEFAULT_SECONDS, null, DEFAULT_MEMORY_MIB);
  private static final long LEAST_MEMORY_MIB = 16;
  private static final long MOST = 1_000_000;

  /**
   * Reads a suite; without a folder of public data, entries with {@code data} are left out. A fault
   * names the file, line, field, value and what is right in one line.
   */
  public static Suite read(Path file, Path data) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    return new SuiteJson(file, folder).suite(JsonDocument.read(file), data);
  }

  private Suite suite(JsonDocument.Value root, Path data) {
    root.fields(FIELDS);
    root.optional("schemaVersion", value -> value.integer(1, 1), 1L);
    JsonDocument.Value entries = root.required("instances");
    List<Instance> instances = new ArrayList<>();
    entries.elements().forEach(entry -> instances.addAll(instances(entry, data)));
    if (instances.isEmpty()) {
      throw entries.fault("there are no instances; name some, or give --data DIR");
    }
    List<PlannerSpec> planners = root.required("planners").each(this::planner);
    return new Suite(
        file,
        root.required("name").name(),
        root.optional("description", JsonDocument.Value::text, ""),
        instances,
        planners,
        root.optional("seeds", SuiteJson::seeds, List.of(1L)),
        root.optional("repetitions", value -> (int) value.integer(1, MOST), 1),
        root.optional("threads", value -> (int) value.integer(1, 1024), 1),
        root.optional("limits", SuiteJson::limits, DEFAULT_LIMITS));
  }

  private List<Instance> instances(JsonDocument.Value entry, Path data) {
    Map<String, JsonDocument.Value> fields = entry.fields(INSTANCE_FIELDS);
    String family = entry.optional("family", JsonDocument.Value::name, null);
    JsonDocument.Value generator = fields.get("generator");
    if (fields.containsKey("parameters") && generator == null) {
      throw fields.get("parameters").fault("parameters belong to a generator, which is missing");
    }
    List<String> kinds =
        Stream.of("path", "glob", "data", "generator").filter(fields::containsKey).toList();
    if (kinds.size() != 1) {
      throw entry.fault(
          kinds.isEmpty()
              ? "one of path, glob, data and generator is missing"
              : "give exactly one of path, glob, data and generator");
    }
    Map<String, Object> parameters =
        generator == null ? null : parameters(generator, fields.get("parameters"));
    JsonDocument.Value schedule = fields.get("schedule");
    if (schedule != null && generator != null && !NetworkGenerators.isKnown(generator.text())) {
      throw schedule.fault("this generator makes buffers; an order needs ops");
    }
    List<String> orders = schedule == null ? null : orders(schedule);
    JsonDocument.Value group = fields.get("group");
    if (group != null && generator != null) {
      throw group.fault("a generator makes buffers; groups need networks");
    }
    if (group != null && schedule != null) {
      throw schedule.fault("groups divide a network in its own order; leave schedule out");
    }
    List<GroupTask> tasks = group == null ? null : GroupFields.tasks(group, folder);
    JsonDocument.Value value = fields.get(kinds.get(0));
    List<Instance> found =
        switch (kinds.get(0)) {
          case "generator" -> InstanceSource.generated(value.text(), parameters, family);
          // the suite's own instances do without the public sets
          case "data" -> data == null ? List.of() : InstanceSource.files(value, data, family);
          default -> InstanceSource.files(value, folder, family);
        };
    found = varied(found, orders, (network, order) -> network.scheduled(order));
    return varied(found, tasks, (network, task) -> network.grouped(task));
  }

  /** Networks, each in several ways; as they are where no ways are given. */
  private static <T> List<Instance> varied(
      List<Instance> networks, List<T> ways, BiFunction<Instance, T, Instance> way) {
    return ways == null
        ? networks
        : networks.stream()
            .flatMap(network -> ways.stream().map(one -> way.apply(network, one)))
            .toList();
  }

  /** Orders of ops: one, or a list. */
  private static List<String> orders(JsonDocument.Value value) {
    List<String> known = new ArrayList<>(SystemOrders.names());
    known.add(Instance.OPTIMAL);
    List<String> orders = new ArrayList<>();
    for (JsonDocument.Value one : value.isList() ? value.elements() : List.of(value)) {
      if (!known.contains(one.name())) {
        throw one.fault(
            "order \"" + one.name() + "\" is unknown" + Suggestion.advice(one.name(), known));
      }
      orders.add(one.name());
    }
    return orders;
  }

  private static Map<String, Object> parameters(
      JsonDocument.Value name, JsonDocument.Value parameters) {
    List<Parameter> declared;
    try {
      declared =
          NetworkGenerators.isKnown(name.text())
              ? NetworkGenerators.named(name.text()).parameters()
              : Generators.named(name.text()).parameters();
    } catch (InvalidParameterException unknown) {
      throw name.fault(unknown.getMessage(), unknown);
    }
    List<String> known = declared.stream().map(Parameter::name).toList();
    Map<String, Object> values = new LinkedHashMap<>();
    if (parameters != null) {
      parameters.fields(known).forEach((key, value) -> values.put(key, value.plain()));
    }
    return values;
  }

  private PlannerSpec planner(JsonDocument.Value entry) {
    if (entry.content() instanceof String) {
      checkName(entry, entry.name());
      return PlannerSpec.named(entry.name());
    }
    Map<String, JsonDocument.Value> fields = entry.fields(PLANNER_FIELDS);
    List<Long> seeds = entry.optional("seeds", SuiteJson::seeds, null);
    String label = entry.optional("label", JsonDocument.Value::name, null);
    if (fields.containsKey("group")) {
      for (String other : List.of("name", "config", "external")) {
        if (fields.containsKey(other)) {
          throw fields.get(other).fault("a way to group has a label, a group and seeds alone");
        }
      }
      return PlannerSpec.grouping(label, GroupFields.method(fields.get("group")), seeds);
    }
    if (fields.containsKey("external")) {
      if (fields.containsKey("name") || fields.containsKey("config")) {
        throw entry.fault("an external planner has a label, a command and seeds alone");
      }
      if (label == null) {
        throw entry.fault("an external planner needs a label");
      }
      return PlannerSpec.external(label, command(fields.get("external")), seeds);
    }
    String name = entry.required("name").name();
    checkName(fields.get("name"), name);
    String config = fields.containsKey("config") ? config(fields.get("config").name()) : null;
    if (label == null) {
      label = config == null ? name : name + "/" + fields.get("config").name();
    }
    return new PlannerSpec(label, name, config, null, null, seeds);
  }

  private static void checkName(JsonDocument.Value place, String name) {
    if (PlannerCatalogue.named(name) == null) {
      String advice = Suggestion.advice(name, PlannerCatalogue.names());
      throw place.fault("planner \"" + name + "\" is not known" + advice);
    }
  }

  private static List<String> command(JsonDocument.Value value) {
    try {
      return PlannerSpec.words(value.text());
    } catch (IllegalArgumentException wrong) {
      throw value.fault(wrong.getMessage(), wrong);
    }
  }

  /** A file next to the suite becomes a path that holds everywhere; a name stays. */
  private String config(String nameOrPath) {
    return nameOrPath.endsWith(".textproto") || nameOrPath.endsWith(".json")
        ? folder.resolve(nameOrPath).normalize().toString()
        : nameOrPath;
  }

  private static List<Long> seeds(JsonDocument.Value value) {
    List<Long> seeds = value.each(seed -> seed.integer(Long.MIN_VALUE, Long.MAX_VALUE));
    if (seeds.isEmpty()) {
      throw value.fault("at least one seed is needed");
    }
    return seeds;
  }

  private static RunSpec.Limits limits(JsonDocument.Value value) {
    value.fields(LIMIT_FIELDS);
    Double work = value.optional("work", given -> given.number(true), null);
    double standard = work == null ? DEFAULT_SECONDS : GUARD_SECONDS;
    return new RunSpec.Limits(
        value.optional("seconds", given -> given.number(false), standard),
        work,
        value.optional(
            "memoryMiB", given -> given.integer(LEAST_MEMORY_MIB, 1L << 30), DEFAULT_MEMORY_MIB));
  }
}

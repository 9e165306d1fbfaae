package stowage.importer.own;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonDocument;
import stowage.importer.io.JsonDocument.Value;
import stowage.importer.io.Suggestion;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.text.JsonLines;

/**
 * Networks in JSON, as {@code docs/network-format.md} and the JSON Schema {@code
 * stowage/schemas/network.schema.json} describe them.
 *
 * <p>Reading is strict: an unknown field, a wrong type, a name that nothing defines, a cycle or a
 * cut-off file is an {@link InputException} that names the line and the field. What is written is
 * read back as an equal network, with one tensor or op a line, so that files can be compared line
 * by line.
 */
public final class NetworkJson {
  /** Fields by one of which a network's file is given from other JSON. */
  public static final List<String> MARKS = List.of("ops", "tensors");

  static final List<String> NETWORK_FIELDS =
      List.of("$schema schemaVersion name format notes inputs outputs tensors ops".split(" "));
  static final List<String> TENSOR_FIELDS = List.of("name", "shape", "type", "kind");
  static final List<String> OP_FIELDS =
      List.of(
          "name", "type", "attributes", "inputs", "outputs", "scratchBytes", "cost", "repeatable");
  private static final List<String> TYPES =
      Arrays.stream(ElementType.values()).map(ElementType::label).toList();

  private NetworkJson() {}

  /**
   * Reads a network; a fault names line, field, value and what is right. O(file size + ops log
   * ops).
   */
  public static Network read(Path file) {
    Value root = JsonDocument.read(file);
    root.fields(NETWORK_FIELDS);
    root.optional("schemaVersion", value -> value.integer(1, 1), 1L);
    String name = root.required("name").name();
    Map<String, Tensor> tensors = tensors(root.required("tensors"));
    List<Op> ops = ops(root.required("ops"), tensors.keySet());
    List<String> inputs = references(root.required("inputs"), tensors.keySet());
    List<String> outputs = references(root.required("outputs"), tensors.keySet());
    String format = root.optional("format", Value::name, "json");
    List<String> notes = root.optional("notes", Value::texts, List.of());
    return InputException.checked(
        file, "", () -> new Network(name, format, tensors.values(), ops, inputs, outputs, notes));
  }

  private static Map<String, Tensor> tensors(Value list) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (Value element : list.elements()) {
      Tensor tensor = tensor(element);
      if (tensors.put(tensor.name(), tensor) != null) {
        throw element.required("name").fault("tensor \"" + tensor.name() + "\" is defined twice");
      }
    }
    return tensors;
  }

  private static Tensor tensor(Value value) {
    value.fields(TENSOR_FIELDS);
    List<Long> shape = value.required("shape").each(NetworkJson::atLeast0);
    String type = value.required("type").oneOf(TYPES, "element type \"%s\" is not known");
    Tensor.Kind kind = value.optional("kind", NetworkJson::kind, Tensor.Kind.ACTIVATION);
    String name = value.required("name").name();
    return value.checked(() -> new Tensor(name, shape, ElementType.ofLabel(type), kind));
  }

  private static Tensor.Kind kind(Value value) {
    return value.oneOf(Tensor.Kind.values(), "kind \"%s\" is not known");
  }

  private static long atLeast0(Value value) {
    return value.integer(0, Long.MAX_VALUE);
  }

  private static List<Op> ops(Value list, Set<String> tensors) {
    List<Op> ops = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Value element : list.elements()) {
      Op op = op(element, tensors);
      if (!names.add(op.name())) {
        throw element.required("name").fault("op \"" + op.name() + "\" is defined twice");
      }
      ops.add(op);
    }
    requireCosts(list, ops);
    return ops;
  }

  /** Costs are on all ops or on none, and their sum is a long. */
  private static void requireCosts(Value list, List<Op> ops) {
    if (ops.stream().allMatch(op -> op.cost() < 0)) {
      return;
    }
    long sum = 0;
    int at = 0;
    for (Value element : list.elements()) {
      Op op = ops.get(at++);
      if (op.cost() < 0) {
        throw element.fault(
            "op \"%s\" has no cost, but others have; give all ops one, or none", op.name());
      }
      if (sum > Long.MAX_VALUE - op.cost()) {
        String what = "the costs up to op \"%s\" sum up to 2^63 or more";
        throw element.required("cost").fault(what, op.name());
      }
      sum += op.cost();
    }
  }

  private static Op op(Value value, Set<String> tensors) {
    value.fields(OP_FIELDS);
    Map<String, Object> attributes = new LinkedHashMap<>();
    value
        .optional("attributes", Value::fields, Map.<String, Value>of())
        .forEach((key, attribute) -> attributes.put(key, attribute.plain()));
    return value.checked(
        () ->
            new Op(
                value.required("name").name(),
                value.required("type").name(),
                attributes,
                optionalReferences(value.required("inputs"), tensors),
                optionalReferences(value.required("outputs"), tensors),
                value.optional("scratchBytes", NetworkJson::scratch, List.of()),
                value.optional("cost", NetworkJson::atLeast0, -1L),
                value.optional("repeatable", Value::flag, true)));
  }

  /** Scratch memory: the bytes of one piece, or a list of them. */
  private static List<Long> scratch(Value value) {
    return value.isList() ? value.each(NetworkJson::atLeast0) : List.of(atLeast0(value));
  }

  /** Names of tensors, all of them defined. */
  private static List<String> references(Value list, Set<String> tensors) {
    return list.each(element -> defined(element, element.name(), tensors));
  }

  /** The same, where an empty name means an operand that is absent. */
  private static List<String> optionalReferences(Value list, Set<String> tensors) {
    return list.each(
        element -> element.text().isEmpty() ? "" : defined(element, element.text(), tensors));
  }

  private static String defined(Value at, String name, Set<String> tensors) {
    if (!tensors.contains(name)) {
      throw at.fault("\"%s\" is not among the tensors%s", name, Suggestion.hint(name, tensors));
    }
    return name;
  }

  /** Writes a network to a file, whole or not at all. */
  public static void write(Network network, Path file) throws IOException {
    AtomicFiles.writeString(file, text(network));
  }

  /** The network as the text of a file, ending in a newline. O(network). */
  public static String text(Network network) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", network.name());
    JsonLines.put(fields, !network.format().equals("json"), "format", network.format());
    JsonLines.put(fields, !network.notes().isEmpty(), "notes", network.notes().stream());
    fields.put("inputs", network.inputs());
    fields.put("outputs", network.outputs());
    fields.put("tensors", network.tensors().values().stream().map(NetworkJson::fields));
    fields.put("ops", network.ops().stream().map(NetworkJson::fields));
    StringBuilder text = new StringBuilder();
    try {
      JsonLines.write(text, fields);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static Map<String, Object> fields(Tensor tensor) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", tensor.name());
    fields.put("shape", tensor.shape());
    fields.put("type", tensor.type().label());
    String kind = tensor.kind().name().toLowerCase(Locale.ROOT);
    JsonLines.put(fields, tensor.kind() != Tensor.Kind.ACTIVATION, "kind", kind);
    return fields;
  }

  private static Map<String, Object> fields(Op op) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", op.name());
    fields.put("type", op.type());
    JsonLines.put(fields, !op.attributes().isEmpty(), "attributes", op.attributes());
    fields.put("inputs", op.inputs());
    fields.put("outputs", op.outputs());
    Object scratch = op.scratch().size() == 1 ? op.scratchBytes() : op.scratch();
    JsonLines.put(fields, op.scratchBytes() > 0, "scratchBytes", scratch);
    JsonLines.put(fields, op.cost() >= 0, "cost", op.cost());
    JsonLines.put(fields, !op.repeatable(), "repeatable", false);
    return fields;
  }
}

package stowage.importer.own;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonDocument;
import stowage.importer.io.JsonDocument.Value;
import stowage.importer.io.Suggestion;
import stowage.network.ElementType;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

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
      List.of(
          """
          $schema schemaVersion name format notes inputs outputs tensors ops
          """
              .split("\\s+"));
  static final List<String> TENSOR_FIELDS = List.of("name", "shape", "type", "kind");
  static final List<String> OP_FIELDS =
      List.of(
          "name", "type", "attributes", "inputs", "outputs", "scratchBytes", "cost", "repeatable");
  private static final Map<String, Tensor.Kind> KINDS =
      Arrays.stream(Tensor.Kind.values())
          .collect(
              Collectors.toMap(NetworkJson::label, kind -> kind, (a, b) -> a, LinkedHashMap::new));
  private static final List<String> TYPES =
      Arrays.stream(ElementType.values()).map(ElementType::label).toList();

  private NetworkJson() {}

  /**
   * Reads a network. O(file size + ops log ops).
   *
   * @throws InputException naming the file, the line and field, the value and what would be right
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
    try {
      return new Network(name, format, tensors.values(), ops, inputs, outputs, notes);
    } catch (InvalidNetworkException contradiction) {
      throw new InputException(file, "", contradiction.getMessage(), contradiction);
    }
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
    Value type = value.required("type");
    if (!TYPES.contains(type.text())) {
      throw oneOf(type, "element type", TYPES);
    }
    Tensor.Kind kind = value.optional("kind", NetworkJson::kind, Tensor.Kind.ACTIVATION);
    try {
      return new Tensor(
          value.required("name").name(), shape, ElementType.ofLabel(type.text()), kind);
    } catch (InvalidNetworkException contradiction) {
      throw value.fault(contradiction.getMessage(), contradiction);
    }
  }

  private static Tensor.Kind kind(Value value) {
    Tensor.Kind kind = KINDS.get(value.text());
    if (kind == null) {
      throw oneOf(value, "kind", List.copyOf(KINDS.keySet()));
    }
    return kind;
  }

  private static long atLeast0(Value value) {
    return value.integer(0, Long.MAX_VALUE);
  }

  private static InputException oneOf(Value value, String what, List<String> known) {
    return value.fault(
        what + " \"" + value.text() + "\" is not known" + Suggestion.advice(value.text(), known));
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
            "op \"" + op.name() + "\" has no cost, but others have; give all ops one, or none");
      }
      if (sum > Long.MAX_VALUE - op.cost()) {
        throw element
            .required("cost")
            .fault("the costs up to op \"" + op.name() + "\" sum up to 2^63 or more");
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
    return new Op(
        value.required("name").name(),
        value.required("type").name(),
        attributes,
        optionalReferences(value.required("inputs"), tensors),
        optionalReferences(value.required("outputs"), tensors),
        value.optional("scratchBytes", NetworkJson::scratch, List.of()),
        value.optional("cost", NetworkJson::atLeast0, -1L),
        value.optional("repeatable", Value::flag, true));
  }

  /** Scratch memory: the bytes of one piece, or a list of them. */
  private static List<Long> scratch(Value value) {
    return value.isList() ? value.each(NetworkJson::atLeast0) : List.of(atLeast0(value));
  }

  /** Names of tensors, all of them defined. */
  private static List<String> references(Value list, Set<String> tensors) {
    return list.each(
        element -> {
          requireDefined(element, element.name(), tensors);
          return element.name();
        });
  }

  /** The same, where an empty name means an operand that is absent. */
  private static List<String> optionalReferences(Value list, Set<String> tensors) {
    return list.each(
        element -> {
          if (!element.text().isEmpty()) {
            requireDefined(element, element.text(), tensors);
          }
          return element.text();
        });
  }

  private static void requireDefined(Value at, String name, Set<String> tensors) {
    if (!tensors.contains(name)) {
      throw at.fault(
          "\"%s\" is not among the tensors%s".formatted(name, Suggestion.hint(name, tensors)));
    }
  }

  /**
   * Writes a network to a file, whole or not at all.
   *
   * @throws IOException when the file cannot be written
   */
  public static void write(Network network, Path file) throws IOException {
    AtomicFiles.writeString(file, text(network));
  }

  /** The network as the text of a file, ending in a newline. O(network). */
  public static String text(Network network) {
    StringBuilder text = new StringBuilder("{\n  \"name\": ");
    append(text, network.name());
    if (!network.format().equals("json")) {
      append(text.append(",\n  \"format\": "), network.format());
    }
    if (!network.notes().isEmpty()) {
      lines(text.append(",\n  \"notes\": "), network.notes(), NetworkJson::append);
    }
    append(text.append(",\n  \"inputs\": "), network.inputs());
    append(text.append(",\n  \"outputs\": "), network.outputs());
    List<Tensor> tensors = List.copyOf(network.tensors().values());
    lines(text.append(",\n  \"tensors\": "), tensors, NetworkJson::append);
    lines(text.append(",\n  \"ops\": "), network.ops(), NetworkJson::append);
    return text.append("\n}\n").toString();
  }

  private interface Appender<T> {
    void append(StringBuilder text, T value);
  }

  /** An array with one element a line. */
  private static <T> void lines(StringBuilder text, List<T> values, Appender<T> appender) {
    text.append('[');
    for (int k = 0; k < values.size(); k++) {
      text.append(k == 0 ? "\n    " : ",\n    ");
      appender.append(text, values.get(k));
    }
    text.append(values.isEmpty() ? "]" : "\n  ]");
  }

  private static void append(StringBuilder text, Tensor tensor) {
    append(text.append("{\"name\": "), tensor.name());
    append(text.append(", \"shape\": "), tensor.shape());
    append(text.append(", \"type\": "), tensor.type().label());
    if (tensor.kind() != Tensor.Kind.ACTIVATION) {
      append(text.append(", \"kind\": "), label(tensor.kind()));
    }
    text.append('}');
  }

  private static void append(StringBuilder text, Op op) {
    append(text.append("{\"name\": "), op.name());
    append(text.append(", \"type\": "), op.type());
    if (!op.attributes().isEmpty()) {
      text.append(", \"attributes\": {");
      String separator = "";
      for (Map.Entry<String, Object> attribute : op.attributes().entrySet()) {
        append(text.append(separator), attribute.getKey());
        append(text.append(": "), attribute.getValue());
        separator = ", ";
      }
      text.append('}');
    }
    append(text.append(", \"inputs\": "), op.inputs());
    append(text.append(", \"outputs\": "), op.outputs());
    if (op.scratchBytes() > 0) {
      Object one = op.scratch().size() == 1 ? op.scratchBytes() : op.scratch();
      append(text.append(", \"scratchBytes\": "), one);
    }
    if (op.cost() >= 0) {
      text.append(", \"cost\": ").append(op.cost());
    }
    if (!op.repeatable()) {
      text.append(", \"repeatable\": false");
    }
    text.append('}');
  }

  private static void append(StringBuilder text, Object value) {
    if (value instanceof List<?> list) {
      text.append('[');
      for (int k = 0; k < list.size(); k++) {
        append(k == 0 ? text : text.append(", "), list.get(k));
      }
      text.append(']');
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      // JSON has no word for these; a literal beyond double's range is read back as infinite.
      text.append(number.isNaN() ? "\"NaN\"" : number > 0 ? "1e999" : "-1e999");
    } else if (value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else {
      text.append('"');
      JsonStringEncoder.getInstance().quoteAsString((CharSequence) value.toString(), text);
      text.append('"');
    }
  }

  private static String label(Tensor.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}

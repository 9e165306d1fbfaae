package stowage.cli.help;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import stowage.JsonChecks;

/**
 * A validator of JSON by the part of JSON Schema (draft 2020-12) that the schemas of answers use; a
 * keyword that it does not know is an error of the schema. It is stricter in one thing: a field
 * that an object's {@code properties} do not list is a fault, unless {@code additionalProperties}
 * admits it, so that every field of an answer is described.
 */
public final class JsonSchema {
  private static final Set<String> SAID = Set.of("$schema", "$id", "$defs", "title", "description");

  private final JsonNode root;

  private JsonSchema(JsonNode root) {
    this.root = root;
  }

  /** The schema of a name, as {@code stowage schema} prints it. */
  public static JsonSchema named(String name) {
    return new JsonSchema(JsonChecks.read(SchemaCommand.text(name)));
  }

  /** What is wrong with a value; empty where it is valid. */
  public List<String> faults(JsonNode value) {
    return faults(root, value, "$");
  }

  private List<String> faults(JsonNode schema, JsonNode value, String at) {
    List<String> found = new ArrayList<>();
    String is = " is " + value + ", should be ";
    for (Map.Entry<String, JsonNode> rule : schema.properties()) {
      JsonNode wanted = rule.getValue();
      switch (rule.getKey()) {
        case "type" -> hold(isOf(wanted, value), at + is + "of type " + wanted, found);
        case "const" -> hold(wanted.equals(value), at + is + wanted, found);
        case "enum" -> hold(contains(wanted, value), at + is + "one of " + wanted, found);
        case "minimum" -> {
          boolean less = value.isNumber() && value.asDouble() < wanted.asDouble();
          hold(!less, at + is + wanted + " or more", found);
        }
        case "required" -> {
          for (JsonNode name : wanted) {
            boolean missing = value.isObject() && !value.has(name.asText());
            hold(!missing, at + "." + name.asText() + " is missing", found);
          }
        }
        case "properties" -> found.addAll(fields(schema, wanted, value, at));
        case "additionalProperties" -> {
          if (wanted.isObject() && value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
              if (!schema.path("properties").has(field.getKey())) {
                found.addAll(faults(wanted, field.getValue(), at + "." + field.getKey()));
              }
            }
          }
        }
        case "items" -> {
          for (int k = 0; k < value.size() && value.isArray(); k++) {
            found.addAll(faults(wanted, value.get(k), at + "[" + k + "]"));
          }
        }
        case "anyOf" -> found.addAll(least(wanted, value, at));
        case "$ref" -> found.addAll(faults(definition(wanted.asText()), value, at));
        default -> {
          if (!SAID.contains(rule.getKey())) {
            throw new AssertionError("the schema has the keyword " + rule.getKey());
          }
        }
      }
    }
    return found;
  }

  private static void hold(boolean holds, String fault, List<String> found) {
    if (!holds) {
      found.add(fault);
    }
  }

  private JsonNode definition(String reference) {
    JsonNode found = root.at(reference.substring(1));
    if (!reference.startsWith("#/") || found.isMissingNode()) {
      throw new AssertionError("the schema has no " + reference);
    }
    return found;
  }

  private List<String> fields(JsonNode schema, JsonNode known, JsonNode value, String at) {
    List<String> found = new ArrayList<>();
    if (value.isObject()) {
      for (Map.Entry<String, JsonNode> field : value.properties()) {
        String name = field.getKey();
        if (known.has(name)) {
          found.addAll(faults(known.get(name), field.getValue(), at + "." + name));
        } else if (!schema.has("additionalProperties")) {
          found.add(at + "." + name + " is not described");
        }
      }
    }
    return found;
  }

  /** The faults by the alternative that has the fewest. */
  private List<String> least(JsonNode alternatives, JsonNode value, String at) {
    List<String> fewest = null;
    for (JsonNode each : alternatives) {
      List<String> found = faults(each, value, at);
      fewest = fewest == null || found.size() < fewest.size() ? found : fewest;
    }
    return fewest;
  }

  private static boolean contains(JsonNode list, JsonNode value) {
    return StreamSupport.stream(list.spliterator(), false).anyMatch(value::equals);
  }

  private static boolean isOf(JsonNode types, JsonNode value) {
    if (types.isArray()) {
      return StreamSupport.stream(types.spliterator(), false).anyMatch(type -> isOf(type, value));
    }
    return switch (types.asText()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      case "number" -> value.isNumber();
      case "integer" -> value.isIntegralNumber();
      default -> throw new AssertionError("the schema has the type " + types);
    };
  }
}

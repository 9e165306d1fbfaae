package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.Stowage;
import stowage.importer.SchemaFields;

/**
 * What a grouping writes: groups.json by its schema, traces, pictures, and the difference of two.
 */
class GroupAnswerTest {
  /** Two convolutions of three rows and a sum: cut along the rows, they repeat some. */
  private static final String NETWORK =
      """
      {"name": "tall", "inputs": ["x"], "outputs": ["z"],
       "tensors": [{"name": "x", "shape": [1, 64, 400, 300], "type": "f16"},
        {"name": "w1", "shape": [64, 64, 3, 3], "type": "f16", "kind": "weight"},
        {"name": "w2", "shape": [64, 64, 3, 3], "type": "f16", "kind": "weight"},
        {"name": "a", "shape": [1, 64, 400, 300], "type": "f16"},
        {"name": "b", "shape": [1, 64, 400, 300], "type": "f16"},
        {"name": "z", "shape": [1, 64, 400, 300], "type": "f16"}],
       "ops": [{"name": "conv1", "type": "Conv", "inputs": ["x", "w1"], "outputs": ["a"],
         "attributes": {"kernel_shape": [3, 3], "strides": [1, 1], "pads": [1, 1, 1, 1],
          "dilations": [1, 1], "group": 1}},
        {"name": "conv2", "type": "Conv", "inputs": ["a", "w2"], "outputs": ["b"],
         "attributes": {"kernel_shape": [3, 3], "strides": [1, 1], "pads": [1, 1, 1, 1],
          "dilations": [1, 1], "group": 1}},
        {"name": "sum", "type": "Add", "inputs": ["a", "b"], "outputs": ["z"]}]}
      """;

  @TempDir Path folder;

  private Path network() throws IOException {
    return Files.writeString(folder.resolve("tall.json"), NETWORK);
  }

  private JsonNode grouped(Path out, Object... options) throws IOException {
    List<Object> words =
        new ArrayList<>(List.of("group", network(), "--chip", "bm1684x", "--axes", "nh"));
    words.addAll(List.of("--out", out, "--time-limit", 20));
    words.addAll(List.of(options));
    Stowage run = Stowage.run(words.toArray());
    assertEquals(0, run.code(), run.err());
    return new ObjectMapper().readTree(out.resolve("groups.json").toFile());
  }

  /** The faults of a value by a schema of the words that ours uses. */
  private static void check(
      JsonNode value, JsonNode schema, JsonNode root, String at, List<String> faults) {
    if (schema.has("$ref")) {
      check(value, root.at(schema.get("$ref").asText().substring(1)), root, at, faults);
      return;
    }
    JsonNode type = schema.path("type");
    List<String> types = new ArrayList<>();
    (type.isArray() ? type : new ObjectMapper().createArrayNode().add(type))
        .forEach(one -> types.add(one.asText()));
    String is =
        value.isObject()
            ? "object"
            : value.isArray()
                ? "array"
                : value.isTextual()
                    ? "string"
                    : value.isBoolean()
                        ? "boolean"
                        : value.isNull() ? "null" : value.isIntegralNumber() ? "integer" : "number";
    boolean fits = types.contains(is) || (is.equals("integer") && types.contains("number"));
    if (!type.isMissingNode() && !fits) {
      faults.add(at + " is " + is + ", not " + types);
    }
    if (schema.has("const") && !schema.get("const").equals(value)) {
      faults.add(at + " is " + value);
    }
    if (schema.has("enum")) {
      List<String> known = new ArrayList<>();
      schema.get("enum").forEach(one -> known.add(one.asText()));
      if (!known.contains(value.asText())) {
        faults.add(at + " is " + value + ", not of " + known);
      }
    }
    if (schema.has("minimum") && value.asLong() < schema.get("minimum").asLong()) {
      faults.add(at + " is " + value);
    }
    if (value.isObject() && schema.has("properties")) {
      schema
          .path("required")
          .forEach(
              key -> {
                if (!value.has(key.asText())) {
                  faults.add(at + " lacks " + key.asText());
                }
              });
      value
          .propertyStream()
          .forEach(
              field -> {
                JsonNode own = schema.get("properties").get(field.getKey());
                if (own == null) {
                  faults.add(at + "." + field.getKey() + " is not in the schema");
                } else {
                  check(field.getValue(), own, root, at + "." + field.getKey(), faults);
                }
              });
    }
    if (value.isArray() && schema.has("items")) {
      for (int k = 0; k < value.size(); k++) {
        check(value.get(k), schema.get("items"), root, at + "[" + k + "]", faults);
      }
    }
  }

  @Test
  void groupsJsonHasAddressesSlicesAndStepsAndKeepsItsSchema() throws IOException {
    JsonNode answer = grouped(folder.resolve("out"), "--trace", folder.resolve("trace.txt"));
    JsonNode schema = SchemaFields.schema("groups");
    List<String> faults = new ArrayList<>();
    check(answer, schema, schema, "groups.json", faults);
    assertEquals(List.of(), faults);
    JsonNode broken = answer.deepCopy();
    ((com.fasterxml.jackson.databind.node.ObjectNode) broken.get("groups").get(0)).put("ops", "2");
    check(broken, schema, schema, "groups.json", faults);
    assertEquals(List.of("groups.json.groups[0].ops is string, not [integer]"), faults);

    assertEquals("f16", answer.get("precision").asText());
    JsonNode group = answer.get("groups").get(0);
    assertEquals(3, group.get("ops").asInt());
    int rows = group.at("/secs/h").asInt();
    assertTrue(rows > 1, group.get("secs").toString());
    long end = 0;
    for (JsonNode slice : group.get("slices")) {
      if (slice.get("tensor").asText().equals("z")) {
        for (JsonNode part : slice.get("h")) {
          assertEquals(end, part.get(0).asLong());
          end = part.get(0).asLong() + part.get(1).asLong();
        }
      }
    }
    assertEquals(400, end);
    assertEquals(group.get("steps").asInt(), group.get("table").size());
    assertTrue(Files.readString(folder.resolve("out/group-0/slices.svg")).contains("along h"));

    // Breadth first: x and w1 are read by conv1, which makes a; conv2 reads w2, then the sum.
    List<String> byNumber = new ArrayList<>();
    for (int number = 0; number < group.get("buffers").size(); number++) {
      for (JsonNode buffer : group.get("buffers")) {
        if (buffer.get("number").asInt() == number
            && !buffer.get("kind").asText().equals("scratch")) {
          byNumber.add(buffer.get("id").asText());
        }
      }
    }
    assertEquals(List.of("x", "w1", "a", "w2", "b", "z"), byNumber);
    String trace = Files.readString(folder.resolve("trace.txt"));
    assertTrue(trace.startsWith("group 0: ops 0-2, slices n1 c1 d1 h" + rows), trace);
    assertTrue(trace.contains("weight      w1") && trace.contains("[T0,inf]"), trace);
  }

  @Test
  void twoGroupingsAreCompared() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    grouped(first, "--partition", "tail", "--lmem", "document");
    grouped(second, "--partition", "dp");
    Path a = first.resolve("groups.json");
    Path b = second.resolve("groups.json");
    JsonNode same = Stowage.run("diff", a, a, "--json").json();
    assertTrue(same.get("same").asBoolean());
    JsonNode diff = Stowage.run("diff", a, b, "--json").json();
    long before = diff.at("/figures/trafficBytes/0").asLong();
    assertTrue(before >= diff.at("/figures/trafficBytes/1").asLong(), diff.toString());
    Stowage text = Stowage.run("diff", a, b);
    assertEquals(0, text.code(), text.err());
    assertTrue(text.out().startsWith("tall on bm1684x: "), text.out());
    assertTrue(text.out().contains("trafficBytes"), text.out());
    Path plan = folder.resolve("plan");
    assertEquals(0, Stowage.run("plan", network(), "--out", plan).code());
    Stowage mixed = Stowage.run("diff", a, plan.resolve("plan.json"));
    assertEquals(2, mixed.code());
    assertTrue(mixed.err().contains("both should be a groups.json"), mixed.err());
  }
}

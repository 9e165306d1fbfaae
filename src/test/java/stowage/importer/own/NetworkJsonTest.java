package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.importer.ImportedNetworksAsJsonTest;
import stowage.importer.InputFormats;
import stowage.importer.SchemaFields;
import stowage.importer.io.Input;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

class NetworkJsonTest extends FolderTest {
  private static final String GOOD =
      """
      {
        "name": "net",
        "inputs": ["x"],
        "outputs": ["y"],
        "tensors": [
          {"name": "x", "shape": [1, 4], "type": "f32"},
          {"name": "w", "shape": [4, 4], "type": "f16", "kind": "weight"},
          {"name": "y", "shape": [1, 4], "type": "f32"}
        ],
        "ops": [
          {"name": "op", "type": "Gemm", "attributes": {"transB": true}, "inputs": ["x", "w", ""], "outputs": ["y"], "scratchBytes": 12}
        ]
      }
      """;

  private Path file(String text) throws IOException {
    return file("net.json", text);
  }

  private String refused(String text, String... words) throws IOException {
    Path file = file(text);
    return Refusals.file(file, () -> NetworkJson.read(file), words);
  }

  @Test
  void readsAllFields() throws IOException {
    Network network = NetworkJson.read(file(GOOD));
    Op op = network.ops().get(0);
    assertEquals("net", network.name());
    assertEquals("json", network.format());
    assertEquals(Map.of("transB", true), op.attributes());
    assertEquals(List.of("x", "w", ""), op.inputs());
    assertEquals(12, op.scratchBytes());
    assertEquals(32, network.weightBytes());
    assertEquals(Tensor.Kind.ACTIVATION, network.tensor("x").kind());
  }

  @Test
  void whatIsWrittenIsReadBackTheSame() throws IOException {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("whole", Long.MIN_VALUE);
    attributes.put("real", 1.0);
    attributes.put("small", Double.MIN_VALUE);
    attributes.put("endless", Double.NEGATIVE_INFINITY);
    attributes.put("flag", false);
    attributes.put("text \"quoted\"\n\t\u0001 ü €", "\\ \u2028 \ud83d\ude00");
    attributes.put("list", List.of(1L, 2.5, "three", true, List.of()));
    Network network =
        new Network(
            "näme",
            "onnx",
            List.of(
                new Tensor("x", List.of(), ElementType.I64, Tensor.Kind.VARIABLE),
                new Tensor("ÿ/;,\"", List.of(0L, 7L), ElementType.BF16, Tensor.Kind.ACTIVATION)),
            List.of(new Op("1", "T", attributes, List.of("", "x"), List.of("ÿ/;,\""), 1L << 40)),
            List.of(),
            List.of("ÿ/;,\"", "ÿ/;,\""),
            List.of("a note", ""));
    Path file = folder.resolve("written.json");
    NetworkJson.write(network, file);
    Network back = NetworkJson.read(file);
    ImportedNetworksAsJsonTest.same(network, back, "written");
    assertEquals(network.name(), back.name());
    assertEquals(network.format(), back.format());
    assertEquals(List.copyOf(network.tensors().values()), List.copyOf(back.tensors().values()));
    assertEquals(
        List.copyOf(attributes.keySet()), List.copyOf(back.ops().get(0).attributes().keySet()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "f16" | "fp16" | line 7, column 44, field "tensors[1].type": | did you mean "f16"
          "weight" | "wieght" | line 7, field "tensors[1].kind" | did you mean "weight"
          [4, 4] | [4, -4] | line 7, field "tensors[1].shape[1]" | -4 should be a whole number of 0 or more
          [4, 4] | [4, 4.5] | line 7, field "tensors[1].shape[1]" | 4.5 should be a whole number
          [4, 4] | [4, 99999999999999999999] | field "tensors[1].shape[1]" | 64 bits
          [4, 4] | [4294967296, 4294967296] | line 7, field "tensors[1]" | tensor "w": shape [4294967296, 4294967296] should have at most 72057594037927935 elements
          [4, 4] | 4 | field "tensors[1].shape" | 4 should be an array
          "w", ""] | "v", ""] | line 11, field "ops[0].inputs[1]" | "v" is not among the tensors
          "x"] | "xx"] | line 3, field "inputs[0]" | did you mean "x"
          "y"], "s | "w"], "s | line 0 | "w" is a weight
          [4, 4] | [1073741824, 1073741824] | line 7, field "tensors[1]" | should have at most 72057594037927935 elements
          "scratchBytes": 12 | "scratchBytes": [9223372036854775807, 1] | line 11, field "ops[0]" | with a sum below 2^63
          "scratchBytes": 12 | "scratchBytes": -1 | field "ops[0].scratchBytes" | -1 should be
          "scratchBytes" | "scratchByte" | field "ops[0].scratchByte" | did you mean "scratchBytes"
          "scratchBytes": 12 | "type": "Conv" | line 11 | field "type" is defined twice
          true | null | field "ops[0].attributes.transB" | null should be a number
          true | {} | field "ops[0].attributes.transB" | an object should be a number
          "name": "net", | `` | line 1, column 1 | the field "name" is missing
          "name": "w" | "name": "x" | line 7, field "tensors[1].name" | tensor "x" is defined twice
          "name": "w" | "name": "" | line 7, field "tensors[1].name" | a name that is not empty
          """)
  void faultsAreNamedWithTheirPlace(String good, String bad, String place, String what)
      throws IOException {
    String text = GOOD.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));
    assertFalse(text.equals(GOOD));
    refused(text, place.equals("line 0") ? new String[0] : place.split(", "));
    refused(text, what);
  }

  @Test
  void aTensorWithoutElementsHasNoBytesWhateverItsOtherExtents() throws IOException {
    for (String shape :
        new String[] {"[0, 1099511627776, 1099511627776]", "[1099511627776, 1099511627776, 0]"}) {
      Network read = NetworkJson.read(file(GOOD.replace("[4, 4]", shape)));
      assertEquals(0, read.tensor("w").bytes(), shape);
    }
  }

  @Test
  void costsAreOnAllOpsOrOnNoneAndAreWrittenBack() throws IOException {
    String ops =
        """
        {"name": "n", "inputs": [], "outputs": [], "tensors": [
          {"name": "a", "shape": [1], "type": "i8"}, {"name": "b", "shape": [1], "type": "i8"}],
         "ops": [{"name": "p", "type": "P", "inputs": [], "outputs": ["a"]%s},
                 {"name": "q", "type": "Q", "inputs": ["a"], "outputs": ["b"]%s}]}
        """;
    Network network =
        NetworkJson.read(
            file(ops.formatted(", \"cost\": 0, \"repeatable\": false", ", \"cost\": 7")));
    assertEquals(0, network.ops().get(0).cost());
    assertFalse(network.ops().get(0).repeatable());
    assertEquals(7, network.ops().get(1).cost());
    assertTrue(network.ops().get(1).repeatable());
    assertEquals(network.ops(), NetworkJson.read(file(NetworkJson.text(network))).ops());

    refused(ops.formatted(", \"cost\": 3", ""), "op \"q\" has no cost");
    refused(ops.formatted(", \"cost\": -1", ", \"cost\": 1"), "ops[0].cost");
    refused(
        ops.formatted(", \"cost\": 9223372036854775807", ", \"cost\": 1"), "2^63", "ops[1].cost");
  }

  @Test
  void aCycleIsNamed() throws IOException {
    String message =
        refused(
            """
            {"name": "n", "inputs": [], "outputs": [], "tensors": [
              {"name": "a", "shape": [1], "type": "i8"}, {"name": "b", "shape": [1], "type": "i8"}],
             "ops": [{"name": "p", "type": "Relu", "inputs": ["a"], "outputs": ["b"]},
                     {"name": "q", "type": "Relu", "inputs": ["b"], "outputs": ["a"]}]}
            """);
    assertTrue(
        message.contains("cycle: p -> q -> p") || message.contains("cycle: q -> p -> q"), message);
  }

  @Test
  void aTensorThatNobodyMakesIsNamed() throws IOException {
    refused(
        GOOD.replace("\"inputs\": [\"x\"],\n", "\"inputs\": [],\n"),
        "op \"op\" reads \"x\", which no op writes");
  }

  @Test
  void everyTruncationIsRefused() throws IOException {
    int end = GOOD.lastIndexOf('}');
    for (int length = 0; length <= end; length++) {
      refused(GOOD.substring(0, length));
    }
  }

  @Test
  void deepNestingIsRefusedWithoutOverflow() throws IOException {
    String deep = "[".repeat(500_000);
    refused(deep, "64"); // the limit
    refused(GOOD.replace("true", deep));
    refused(GOOD.replace("true", deep + "]".repeat(500_000)));
    refused("{\"name\":".repeat(200_000));
  }

  @Test
  void whatIsNoJsonObjectIsRefused() throws IOException {
    for (String text :
        List.of("", " \n", "\u0000\u0001\u007fELF", "[]", "3", "null", "name,x\n1,2", GOOD + "x")) {
      refused(text);
    }
    byte[] bytes = new byte[4096];
    new Random(7).nextBytes(bytes);
    Path binary = file("binary.json", bytes);
    Refusals.input(() -> NetworkJson.read(binary));
    Refusals.input(() -> NetworkJson.read(folder));
    Refusals.input(() -> NetworkJson.read(folder.resolve("absent.json")));
  }

  @Test
  void networksAreToldFromOtherJson() throws IOException {
    assertEquals("a network as JSON", InputFormats.formatOf(file(GOOD)).label());
    assertEquals("net", ((Input.Graph) InputFormats.read(file(GOOD))).network().name());
    assertEquals("buffers as JSON", InputFormats.formatOf(file("{\"buffers\": []}")).label());
    Refusals.input(() -> InputFormats.formatOf(file("{\"op\": []}")));
  }

  @Test
  void theSchemaNamesTheFieldsAndTypesThatAreRead() throws IOException {
    JsonNode schema = SchemaFields.schema("network");
    JsonNode parts = schema.get("$defs");
    assertEquals(Set.copyOf(NetworkJson.NETWORK_FIELDS), SchemaFields.properties(schema));
    assertEquals(
        Set.copyOf(NetworkJson.TENSOR_FIELDS), SchemaFields.properties(parts.get("tensor")));
    assertEquals(Set.copyOf(NetworkJson.OP_FIELDS), SchemaFields.properties(parts.get("op")));
    List<String> types = new ArrayList<>();
    parts.at("/tensor/properties/type/enum").forEach(type -> types.add(type.asText()));
    assertEquals(Arrays.stream(ElementType.values()).map(ElementType::label).toList(), types);
  }
}

package stowage.importer.dsa;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A placement of a dsa-solver document as a solution of its schema {@code dsa-solution-v1}, which
 * its tools replay.
 *
 * <p>The solution names the problem by a fingerprint: FNV-1a of 64 bits over the document as
 * dsa-solver itself writes it ({@code FingerprintStructuredProblem} in {@code
 * src/dsa/model/structured_problem.cpp}), that is with sorted fields, an indent of two, a field
 * {@code metadata} in any case, and a line feed at the end.
 */
public final class DsaSolution {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private DsaSolution() {}

  /** Text of a solution: a valid placement of the problem that was read from the document. */
  public static String of(Path document, PackingProblem problem, Placement placement)
      throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = (ObjectNode) mapper.readTree(Files.readAllBytes(document));
    Map<String, Long> pools = new HashMap<>();
    JsonNode listed = root.get("problem").get("pools");
    for (int m = 0; m < listed.size(); m++) {
      pools.put(problem.memories().get(m).name(), listed.get(m).get("id").longValue());
    }
    ObjectNode solution = mapper.createObjectNode();
    solution.put("schema_version", 1);
    solution.set("profile", root.get("profile"));
    solution.set("instance", root.get("instance"));
    solution.put("problem_fingerprint", fingerprint(root));
    solution.putObject("metadata").put("solver", "stowage");
    ArrayNode placements = solution.putArray("placements");
    long[] numbers =
        problem.buffers().stream().map(Buffer::id).mapToLong(Long::parseLong).sorted().toArray();
    for (long number : numbers) {
      int i = problem.indexOf(Long.toString(number));
      placements
          .addObject()
          .put("buffer", number)
          .put("pool", pools.get(problem.memories().get(placement.memory(i)).name()))
          .put("offset", placement.offset(i));
    }
    return canonical(solution);
  }

  static String fingerprint(ObjectNode document) throws JsonProcessingException {
    ObjectNode whole = document.deepCopy();
    if (!whole.has("metadata")) {
      whole.putObject("metadata");
    }
    long hash = FNV_BASIS;
    for (byte octet : canonical(whole).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
    }
    return String.format("%016x", hash);
  }

  /** Text with sorted fields, one value a line, as the library nlohmann/json indents by two. */
  private static String canonical(JsonNode node) throws JsonProcessingException {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter layout =
        new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
    layout.indentObjectsWith(lines);
    layout.indentArraysWith(lines);
    return JsonMapper.builder()
        .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
        .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
        .build()
        .writer(layout)
        .writeValueAsString(node)
        .concat("\n");
  }
}

package stowage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;

/** Checks of several fields of a JSON answer at once. */
public final class JsonChecks {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonChecks() {}

  /** One JSON value and nothing else, of a file, a text or bytes. */
  @SuppressWarnings("unchecked")
  public static <T extends JsonNode> T read(Object json) {
    try {
      return (T)
          (json instanceof Path file
              ? MAPPER.readTree(file.toFile())
              : MAPPER.readTree(
                  json instanceof byte[] bytes ? new String(bytes, UTF_8) : "" + json));
    } catch (IOException malformed) {
      throw new AssertionError("no JSON alone: " + json, malformed);
    }
  }

  /**
   * Checks fields.
   *
   * @param fields each as {@code path=value} with spaces between them; a path is names and indices
   *     with slashes between them, and numbers are compared as numbers
   */
  public static void holds(JsonNode json, String fields) {
    for (String field : fields.split(" ")) {
      String[] sides = field.split("=", 2);
      JsonNode found = json.at("/" + sides[0]);
      if (found.isNumber()) {
        assertEquals(0, new BigDecimal(sides[1]).compareTo(found.decimalValue()), field + json);
      } else {
        assertEquals(sides[1], found.isMissingNode() ? "missing" : found.asText(), field + json);
      }
    }
  }
}

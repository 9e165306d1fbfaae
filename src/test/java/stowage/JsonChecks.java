package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;

/** Checks of several fields of a JSON answer at once. */
public final class JsonChecks {
  private JsonChecks() {}

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

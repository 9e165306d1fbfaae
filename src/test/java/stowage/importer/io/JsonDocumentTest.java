package stowage.importer.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.Refusals;

class JsonDocumentTest extends FolderTest {
  private JsonDocument.Value read(String text) throws IOException {
    return JsonDocument.read(file("x.json", text));
  }

  @Test
  void whatAnotherLibraryWritesIsReadBack() throws IOException {
    long seed = 8259;
    Random random = new Random(seed);
    ObjectMapper mapper = new ObjectMapper();
    for (int round = 0; round < 500; round++) {
      Object written = value(random, 4);
      String text =
          random.nextBoolean()
              ? mapper.writeValueAsString(written)
              : mapper.writerWithDefaultPrettyPrinter().writeValueAsString(written);
      assertEquals(written, plain(read(text)), "seed " + seed + ", round " + round + ": " + text);
    }
  }

  private static Object plain(JsonDocument.Value value) {
    try {
      Map<String, Object> fields = new LinkedHashMap<>();
      value.fields().forEach((name, field) -> fields.put(name, plain(field)));
      return fields;
    } catch (InputException noObject) {
      if (!value.isList()) {
        return value.plain();
      }
      return new ArrayList<>(value.elements().stream().map(JsonDocumentTest::plain).toList());
    }
  }

  private static Object value(Random random, int depth) {
    switch (random.nextInt(depth == 0 ? 4 : 6)) {
      case 0:
        return random.nextLong() >> random.nextInt(64);
      case 1:
        return random.nextGaussian();
      case 2:
        return random.nextBoolean();
      case 3:
        return new String[] {"", "a", "\"\\/\b\n", "é漢😀\u2028"}[random.nextInt(4)];
      case 4:
        List<Object> list = new ArrayList<>();
        for (int k = random.nextInt(4); k > 0; k--) {
          list.add(value(random, depth - 1));
        }
        return list;
      default:
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int k = random.nextInt(4); k > 0; k--) {
          fields.put("f" + random.nextInt(9), value(random, depth - 1));
        }
        return fields;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|is empty",
        "{\"a\": 1|is not well-formed JSON",
        "{\"a\": 1} 2|follows the end",
        "{\"a\": 1, \"a\": 2}|field \"a\" is defined twice",
        "{\"a\": NaN}|is not well-formed JSON",
        "[01]|is not well-formed JSON",
      })
  void whatIsNoDocumentIsRefused(String text, String told) {
    String message = assertThrows(InputException.class, () -> read(text)).getMessage();
    assertTrue(message.contains("x.json") && message.contains(told), message);
  }

  @Test
  void nestingIsLimited() throws IOException {
    assertTrue(read("[".repeat(60) + "]".repeat(60)).isList());
    Refusals.input(() -> read("[".repeat(100_000)));
  }

  @Test
  void faultsNameLineColumnAndField() throws IOException {
    JsonDocument.Value root = read("{\n  \"list\": [1, {\"size\": -4, \"name\": \"\"}]\n}");
    JsonDocument.Value inner = root.required("list").elements().get(1);
    Refusals.input(
        () -> inner.required("size").integer(0, 9),
        "line 2, column 24, field \"list[1].size\"",
        "-4 should be a whole number 0 to 9");
    Refusals.input(() -> inner.required("name").name(), "a name that is not empty");
    Refusals.input(() -> inner.required("sise"), "the field \"sise\" is missing");
    Refusals.input(() -> inner.fields(List.of("name", "sizes")), "\"size\" is not known", "sizes");
    Refusals.input(() -> root.required("list").text(), "an array should be a text");
    Refusals.input(() -> root.text(), "an object should be a text");
    Refusals.input(() -> inner.required("size").flag(), "should be true or false");
    Refusals.input(() -> inner.required("size").number(false), "should be a number above 0");
    Refusals.input(() -> inner.required("size").number(0.5, 2), "a number from 0.5 to 2");
    Refusals.input(() -> read("9223372036854775808").integer(0, 9), "fit into 64 bits");
    Refusals.input(() -> read("1.5").integer(0, 9), "1.5 should be a whole number");
    assertEquals(1.5, read("1.5").number(0, 2));
  }
}

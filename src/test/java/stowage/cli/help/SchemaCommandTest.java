package stowage.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;

/**
 * The list of schemas and the validator; {@code GoldenOutputsTest} holds every answer against its
 * schema.
 */
class SchemaCommandTest {
  private static final Path PROJECT = Path.of(System.getProperty("user.dir"));
  private static final Path SCHEMAS = PROJECT.resolve("src/main/resources/stowage/schemas");

  @Test
  void everySchemaIsListedNamesItselfAndDescribesItself() throws IOException {
    Set<String> files = new TreeSet<>();
    for (Path file : FolderTest.files(SCHEMAS, "")) {
      JsonNode schema = JsonChecks.read(file);
      String name = file.getFileName().toString().replace(".schema.json", "");
      boolean answer = file.getParent().endsWith("answers");
      String id = "stowage/schemas/" + (answer ? "answers/" : "") + name + ".schema.json";
      assertEquals(id, schema.get("$id").asText());
      assertFalse(schema.get("title").asText().isEmpty());
      files.add((answer ? "answer " : "input ") + name);
      assertEquals(schema, Stowage.run("schema", name).json());
    }
    Set<String> listed = new TreeSet<>();
    SchemaCommand.ANSWERS.forEach(name -> listed.add("answer " + name));
    SchemaCommand.FILES.forEach(name -> listed.add("input " + name));
    assertEquals(listed, files);
    assertEquals(listed.size(), Stowage.run("schema", "--json").json().size());
    Stowage.run("schema", "plam").ends(2);
    assertTrue(Stowage.run("schema", "plam").err().contains("plan"));
  }

  /** That the validator here finds what is wrong. */
  @Test
  void faultsAreFound() throws IOException {
    JsonSchema error = JsonSchema.named("error");
    String right = "{\"schemaVersion\": 1, \"error\": {\"code\": 3, \"message\": \"no\"}}";
    assertEquals(List.of(), error.faults(JsonChecks.read(right)));
    for (String wrong :
        List.of(
            right.replace("1,", "2,"),
            right.replace("3", "\"3\""),
            right.replace("code", "cod"),
            right.replace("\"no\"", "null"),
            right.replace("\"message\": \"no\"", "\"message\": \"no\", \"more\": 1"),
            "[]")) {
      assertFalse(error.faults(JsonChecks.read(wrong)).isEmpty(), wrong);
    }
  }
}

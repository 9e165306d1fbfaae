package stowage.importer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import stowage.JsonChecks;

/** What a JSON Schema on the class path allows, to be held against what is read. */
public final class SchemaFields {
  private SchemaFields() {}

  public static JsonNode schema(String name) {
    return JsonChecks.read(Path.of("src/main/resources/stowage/schemas", name + ".schema.json"));
  }

  public static Set<String> properties(JsonNode schema) {
    if (schema.get("additionalProperties").asBoolean()) {
      throw new AssertionError("other fields should not be allowed");
    }
    Set<String> names = new TreeSet<>();
    schema.get("properties").propertyStream().forEach(field -> names.add(field.getKey()));
    return names;
  }
}

package stowage.importer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;

/** What a JSON Schema on the class path allows, to be held against what is read. */
public final class SchemaFields {
  private SchemaFields() {}

  public static JsonNode schema(String name) throws IOException {
    String resource = "/stowage/schemas/" + name + ".schema.json";
    try (InputStream in = SchemaFields.class.getResourceAsStream(resource)) {
      return new ObjectMapper().readTree(in);
    }
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

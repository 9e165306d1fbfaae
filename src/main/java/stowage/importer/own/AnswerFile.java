package stowage.importer.own;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import stowage.importer.io.JsonCursor;

/** Fields of a command's answer in JSON, except for its lists of places, which may be millions. */
public final class AnswerFile {
  private static final Set<String> LONG = Set.of("placements", "weights");

  private static final int VERSION = 1;

  private AnswerFile() {}

  /**
   * Reads an answer; a file that is not named as JSON has no fields. O(file size).
   *
   * @throws stowage.importer.io.InputException where it cannot be read, gives a field twice, or is
   *     of another version
   */
  public static ObjectNode read(Path file) {
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    if (!String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).endsWith(".json")) {
      return fields;
    }
    try (JsonCursor json = new JsonCursor(file)) {
      json.object(
          null,
          name -> {
            if (LONG.contains(name)) {
              json.skip();
            } else if (fields.replace(name, json.tree()) != null) {
              throw json.fault("field \"" + name + "\" is given twice");
            } else if (name.equals("schemaVersion")
                && !(fields.get(name).isInt() && fields.get(name).intValue() == VERSION)) {
              throw json.fault("%s should be %s", fields.get(name), VERSION);
            }
            return true;
          });
    }
    return fields;
  }
}

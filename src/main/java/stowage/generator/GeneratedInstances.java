package stowage.generator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.packing.PackingProblem;

/**
 * A folder of generated instances: its {@code manifest.json} says for each file which generator
 * made it from which parameters, so that anyone can make it again, byte for byte.
 */
public final class GeneratedInstances {
  /** The manifest's name in its folder. */
  public static final String MANIFEST = "manifest.json";

  private GeneratedInstances() {}

  /**
   * One file of the manifest.
   *
   * @param file its name; {@code .csv}, or {@code .json} for what CSV cannot hold
   * @param parameters its parameters that are not standard; always with {@code seed}
   * @param optimum the lowest peak, in bytes, where it is known; null elsewhere
   */
  public record Entry(String file, String generator, Map<String, Object> parameters, Long optimum) {
    public PackingProblem generate() {
      return Generators.generate(generator, parameters);
    }
  }

  /** Reads the manifest of a folder; a fault names the file. */
  public static List<Entry> manifest(Path folder) {
    Path file = folder.resolve(MANIFEST);
    byte[] bytes = InputFiles.readAllBytes(file);
    try {
      return List.copyOf(new ObjectMapper().readValue(bytes, new TypeReference<List<Entry>>() {}));
    } catch (JsonProcessingException malformed) {
      throw new InputException(
          file,
          "line " + malformed.getLocation().getLineNr(),
          malformed.getOriginalMessage(),
          malformed);
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
  }
}

package stowage.experiment.generator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;
import stowage.packing.PackingProblem;

/**
 * A folder of generated instances: its {@code manifest.json} says for each file which generator
 * made it from which parameters, so that anyone can make it again, byte for byte.
 *
 * <p>{@code java -cp ... stowage.experiment.generator.GeneratedInstances models/packing} writes all
 * files that a folder's manifest lists.
 */
public final class GeneratedInstances {
  /** The manifest's name in its folder. */
  public static final String MANIFEST = "manifest.json";

  private GeneratedInstances() {}

  /**
   * One file of the manifest.
   *
   * @param file its name; {@code .csv}, or {@code .json} for what CSV cannot hold
   * @param generator the generator's name
   * @param parameters its parameters that are not standard; always with {@code seed}
   * @param optimum the lowest peak, in bytes, where it is known; null elsewhere
   */
  public record Entry(String file, String generator, Map<String, Object> parameters, Long optimum) {

    /** Makes the problem. */
    public PackingProblem generate() {
      return Generators.generate(generator, parameters);
    }

    /**
     * Makes the problem and writes it into a folder.
     *
     * @throws IOException when writing fails; then nothing is written
     */
    public void write(Path folder) throws IOException {
      if (file.endsWith(".json")) {
        PackingJson.write(folder.resolve(file), generate());
      } else {
        PackingCsv.write(folder.resolve(file), generate());
      }
    }
  }

  /**
   * Reads the manifest of a folder.
   *
   * @throws InputException when it is missing or malformed
   */
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

  /** Writes all files that a folder's manifest lists. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1 || !Files.isDirectory(Path.of(arguments[0]))) {
      System.err.println("usage: GeneratedInstances FOLDER, with a " + MANIFEST + " in it");
      System.exit(2);
    }
    Path folder = Path.of(arguments[0]);
    for (Entry entry : manifest(folder)) {
      entry.write(folder);
    }
  }
}

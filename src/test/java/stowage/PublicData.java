package stowage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** Public files that are beside the project, if they are: {@code -Dstowage.data=DIR}. */
public final class PublicData {
  private static final Map<String, Map<String, Long>> DIMENSIONS =
      Map.of(
          "ort_bert_toy_optimized.onnx", Map.of("batch", 1L, "max_seq_len_in_batch", 16L),
          "ort_gpt2_past.onnx", Map.of("batch_size", 1L, "seq_len", 8L, "seq_len_plus_1", 9L),
          "super_resolution.onnx", Map.of("batch_size", 1L));

  private PublicData() {}

  /** Values for the dimensions that a model leaves free; a copy's name ends as the model's. */
  public static Map<String, Long> dimensions(Path model) {
    return DIMENSIONS.entrySet().stream()
        .filter(entry -> model.toString().endsWith(entry.getKey()))
        .findAny()
        .map(Map.Entry::getValue)
        .orElse(Map.of());
  }

  /** A file or folder; the test is skipped where it is absent. */
  public static Path at(String name) {
    Path path = Path.of(System.getProperty("stowage.data", "../shared/data"), name);
    Assumptions.assumeTrue(Files.exists(path), "no public data at " + path);
    return path;
  }

  /** A model. */
  public static Path network(String name) {
    return at("networks/" + name);
  }

  /** The models of a folder in the order of their names. */
  public static List<Path> networks(String folder) throws IOException {
    return all("networks/" + folder, "");
  }

  /** The files of a folder that end in some letters, in the order of their names. */
  public static List<Path> all(String folder, String ending) throws IOException {
    return FolderTest.files(at(folder), ending);
  }
}

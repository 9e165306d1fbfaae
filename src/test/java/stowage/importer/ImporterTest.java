package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.liveness.BaselineCheck;
import stowage.network.Network;

/**
 * What tests of importers share: a file of one name, written as bytes or as text, which is read or
 * refused.
 */
public abstract class ImporterTest extends FolderTest {
  private final String name;

  protected ImporterTest(String name) {
    this.name = name;
  }

  protected final Path write(Object content) throws IOException {
    return file(name, content);
  }

  protected final Input read(Object content) throws IOException {
    return InputFormats.read(write(content));
  }

  protected static Input.Graph graph(Path file) {
    return (Input.Graph) InputFormats.read(file);
  }

  protected final Input.Graph graph(Object content) throws IOException {
    return graph(write(content));
  }

  /** The buffers of a file. */
  public static Input.Packing packing(Path file) {
    return (Input.Packing) InputFormats.read(file);
  }

  protected final Input.Packing packing(Object content) throws IOException {
    return packing(write(content));
  }

  /** The plan that a file has, held against its graph. */
  protected static BaselineCheck check(Input.Graph graph) {
    return BaselineCheck.of(graph.network(), graph.baseline().orElseThrow());
  }

  /** What is wrong with the plan that a file of buffers has. */
  protected static String status(Input.Packing input) {
    return input.baseline().orElseThrow().status(input.problem());
  }

  protected final Network network(Object content, Map<String, Long> dimensions) throws IOException {
    return network(write(content), dimensions);
  }

  protected final Network network(Object content) throws IOException {
    return network(content, Map.of());
  }

  public static Network network(Path file) {
    return network(file, Map.of());
  }

  /** The network of a file with values for its free dimensions. */
  public static Network network(Path file, Map<String, Long> dimensions) {
    InputFormat.Options options = new InputFormat.Options(false, dimensions);
    return ((Input.Graph) InputFormats.read(file, options)).network();
  }

  /** Holds that a file is refused in one line that begins with its name and has some words. */
  protected final void refused(Object content, Map<String, Long> dimensions, String... words)
      throws IOException {
    Path file = write(content);
    InputFormat.Options options = new InputFormat.Options(false, dimensions);
    String message = Refusals.file(file, () -> InputFormats.read(file, options));
    for (String word : words) {
      assertTrue((message + "\n").contains(word), message);
    }
  }

  protected final void refused(Object content, String... words) throws IOException {
    refused(content, Map.of(), words);
  }

  /** Holds that a file is refused with its name and exactly some words. */
  protected final void refusedSaying(Object content, Map<String, Long> dimensions, String words)
      throws IOException {
    refused(content, dimensions, folder.resolve(name) + ": " + words + "\n");
  }

  protected final void refusedSaying(Object content, String words) throws IOException {
    refusedSaying(content, Map.of(), words);
  }

  /** Holds that a file is refused wherever it is cut, every so many bytes. */
  protected final void cutShort(byte[] whole, int step) throws IOException {
    for (int end = 0; end < whole.length; end += step) {
      refused(Arrays.copyOf(whole, end));
    }
  }

  /** Writes a model with another plan. */
  protected static void plan(Path model, Map<String, Long> offsets, long bytes, Path target)
      throws IOException {
    InputFormats.formatOf(model)
        .writePlan(model, new InputFormat.Planned(null, "", offsets, Map.of(), bytes), target);
  }
}

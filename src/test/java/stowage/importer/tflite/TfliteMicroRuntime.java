package stowage.importer.tflite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import stowage.JsonChecks;

/**
 * TensorFlow Lite Micro itself, built as a program that allocates a model and prints what its
 * allocator did: {@code -Dstowage.tflm=FILE}, or {@code ../checks/real/tflm_run} beside the public
 * data. Tests are skipped where it is not there.
 */
public final class TfliteMicroRuntime {
  private static final int SECONDS = 20;

  private TfliteMicroRuntime() {}

  /** The program; the test is skipped where it is absent. */
  public static Path program() {
    Path data = Path.of(System.getProperty("stowage.data", "../shared/data"));
    Path beside = data.resolveSibling("checks").resolve("real").resolve("tflm_run");
    Path program = Path.of(System.getProperty("stowage.tflm", beside.toString()));
    Assumptions.assumeTrue(Files.isExecutable(program), "no TFLite Micro at " + program);
    return program;
  }

  /**
   * What it says of a model, with every buffer; missing where it said nothing. A run that crashed
   * after the allocator was done says what it said till then.
   *
   * @throws AssertionError when it does not end
   */
  public static JsonNode run(Path model, String... options)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(List.of(program().toString(), model.toString(), "--tensors", "--no-min"));
    words.addAll(List.of(options));
    Path out = Files.createTempFile("tflm", ".json");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      // Large pages for the program's arena of 256 MiB: a run takes half as long.
      builder.environment().put("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
      Process process = builder.start();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("TFLite Micro hangs on " + model);
      }
      String text = Files.readString(out, StandardCharsets.UTF_8).strip();
      if (text.isEmpty()) {
        return MissingNode.getInstance();
      }
      return JsonChecks.read(text.endsWith("}") ? text : text + "}");
    } finally {
      Files.delete(out);
    }
  }
}

package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.Thorough;
import stowage.importer.executorch.PteBuilder;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.onnx.OnnxSamples;
import stowage.importer.openvino.OpenVinoSamples;
import stowage.importer.pytorch.SnapshotSamples;
import stowage.importer.tflite.TfliteSamples;
import stowage.importer.tpumlir.TpuMlirSamples;
import stowage.importer.xla.XlaSamples;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.network.InvalidNetworkException;
import stowage.packing.InvalidProblemException;

/**
 * Damages model files in seeded ways: bytes changed, cut out, doubled, exchanged for pieces that
 * mean something, files cut short. Whatever comes of it is a network from which a problem can be
 * made, or an {@link InputException} of one line, within ten seconds of processor time; a file cut
 * short is always the latter.
 */
class ModelFilesFuzzTest extends FolderTest {
  private static final int ROUNDS = Thorough.of(120, 2_000);

  /** Processor time that reading one file may take; so a busy machine fails no test. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** By the clock on the wall, for what hangs without using the processor. */
  private static final Duration PATIENCE = LIMIT.multipliedBy(10);

  /** Bytes that reading one file may allocate in all; none here is larger than 1 MiB. */
  private static final long MOST_ALLOCATED = 1L << 30;

  /** The first of the seeds; another one damages the files in other ways. */
  private static final long SEED = Long.getLong("stowage.fuzz.seed", 0);

  /** Pieces that have a meaning in one of the text formats, or nearly one. */
  private static final String PIECES =
      "-1~0~9223372036854775807~99999999999999999999~<~>~\"~{~}~(~)~[~]~%0~%arg0~#loc~"
          + "@main~tensor<~x~?~*~, 4096 : i64>~loc(~none~<dim>~</dim>~&amp;~&e;~"
          + "<!DOCTYPE net>~<layer id=\"0\" type=\"Const\">~<edges>~precision=\"I4\"~\u0000~"
          + "\ud7ff~\n~]]>~<!--~!quant.uniform<i8:f32";

  /** What files of 1 MiB are filled with. */
  private static final String[] UNITS =
      ("\u0000~\u00ff~\n\u0080~(~[~{~<a>~<body><layers>~<layer id=\"1\" type=\"a\">~"
              + "\"x\"(~tensor<~loc(~loc(fused[~9~%0, ~({~\u00c2\u0080~!a.b<~affine_map<(")
          .split("~");

  private static final List<String> TEXTS = List.of("xml", "mlir", "txt");

  /** A whole file of a format, the smallest and some real ones. */
  private static List<byte[]> samples(String extension) throws IOException {
    List<byte[]> samples = new ArrayList<>();
    switch (extension) {
      case "onnx" -> samples.addAll(OnnxSamples.all());
      case "tflite" -> samples.addAll(TfliteSamples.all());
      case "xml" -> samples.addAll(OpenVinoSamples.all());
      case "pickle" -> samples.addAll(SnapshotSamples.samples());
      case "pte" -> samples.addAll(PteBuilder.samples());
      case "pb" -> samples.addAll(XlaSamples.protobufs());
      case "txt" -> samples.addAll(XlaSamples.texts());
      default -> samples.addAll(TpuMlirSamples.all());
    }
    String kind =
        extension.equals("xml") ? "openvino" : extension.equals("mlir") ? "tpu-mlir" : extension;
    Path data = Path.of(System.getProperty("stowage.data", "../shared/data"));
    Path real = data.resolve("networks").resolve(kind);
    if (Files.isDirectory(real)) {
      for (Path file : PublicData.networks(kind)) {
        if (Files.size(file) < 100_000) {
          samples.add(Files.readAllBytes(file));
        }
      }
    }
    Path dumps = data.resolve("dumps");
    if (Files.isDirectory(dumps)) {
      for (Path file : FolderTest.files(dumps, "." + extension)) {
        samples.add(Files.readAllBytes(file));
      }
    }
    return samples;
  }

  @ParameterizedTest
  @ValueSource(strings = {"onnx", "tflite", "xml", "mlir", "pb", "txt", "pte", "pickle"})
  void damagedFilesAreReadOrRefused(String extension, TestReporter reporter) throws IOException {
    reporter.publishEntry("seeds of ." + extension, SEED + " to " + (SEED + ROUNDS - 1));
    List<byte[]> samples = samples(extension);
    Damage damage = new Damage(TEXTS.contains(extension) ? PIECES : "", "");
    Path file = folder.resolve("damaged." + extension);
    int read = 0;
    for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
      Random draw = new Random(seed);
      byte[] bytes = samples.get(draw.nextInt(samples.size()));
      boolean cut = draw.nextInt(4) == 0;
      if (cut) {
        bytes = Arrays.copyOf(bytes, draw.nextInt(content(bytes)));
      } else {
        bytes = damage.of(bytes, draw);
      }
      Files.write(file, bytes);
      boolean accepted = check(file, seed);
      boolean complete = !cut || extension.equals("txt"); // lines missing at the end do not show
      assertTrue(complete || !accepted, extension + " seed " + seed + ": cut short, but accepted");
      read += accepted ? 1 : 0;
    }
    assertTrue(read > 0, "no damaged ." + extension + " file could be read; do the samples work?");
  }

  /** The length without what carries no meaning at the end: blanks, padding, a last line break. */
  private static int content(byte[] bytes) {
    int length = bytes.length;
    while (length > 1 && bytes[length - 1] <= ' ' && bytes[length - 1] >= 0) {
      length--;
    }
    return length;
  }

  /**
   * Files of 1 MiB made to be deep, long or to promise much: sizes that nothing holds, brackets
   * without end, one name a hundred thousand times.
   */
  @ParameterizedTest
  @ValueSource(strings = {"onnx", "tflite", "xml", "mlir", "pb", "txt", "pte", "pickle"})
  void oneMebibyteDoesNotExhaustMemory(String extension) throws IOException {
    Path file = folder.resolve("large." + extension);
    int length = 1 << 20;
    List<byte[]> files = new ArrayList<>();
    for (String unit : UNITS) {
      byte[] bytes = unit.repeat(length / unit.length()).getBytes(StandardCharsets.ISO_8859_1);
      files.add(bytes);
      for (byte[] sample : samples(extension)) {
        byte[] joined = Arrays.copyOf(sample, Math.max(length, sample.length));
        int from = sample.length / 2;
        System.arraycopy(bytes, 0, joined, from, Math.min(bytes.length, joined.length - from));
        files.add(joined);
        if (!Thorough.on()) {
          break;
        }
      }
    }
    for (int k = 0; k < files.size(); k++) {
      Files.write(file, files.get(k));
      check(file, k);
    }
  }

  private static boolean check(Path file, long seed) {
    return assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
          long before = threads.getCurrentThreadAllocatedBytes();
          long start = threads.getCurrentThreadCpuTime();
          try {
            Input input = InputFormats.read(file);
            if (input instanceof Input.Graph graph) {
              Liveness.of(graph.network(), LivenessOptions.defaults());
            } else if (input instanceof Input.Packing packing) {
              packing.baseline().orElseThrow().status(packing.problem());
            }
            return true;
          } catch (InputException refused) {
            assertFalse(refused.getMessage().contains("\n"), "seed " + seed);
            return false;
          } catch (InvalidProblemException | InvalidNetworkException tooLarge) {
            return false; // sizes that no memory holds are found where problems are made
          } catch (RuntimeException | Error other) {
            return fail("seed " + seed + " of " + file.getFileName(), other);
          } finally {
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < MOST_ALLOCATED, "seed " + seed + ": " + allocated + " bytes");
            long took = threads.getCurrentThreadCpuTime() - start;
            assertTrue(took < LIMIT.toNanos(), "seed " + seed + ": " + took + " ns");
          }
        },
        "seed " + seed + " of " + file.getFileName());
  }
}

package stowage.importer.tflite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.importer.RealFiles;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.network.Network;
import stowage.rewrite.MacCount;
import stowage.rewrite.RandomRuns;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunCost;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;

/** Rewritten models, run in TensorFlow Lite Micro next to the originals. */
class TfliteRewritingTest {
  private static final int ROUNDS = Boolean.getBoolean("stowage.thorough") ? 60 : 6;

  @TempDir Path folder;

  private static Network read(Path file) {
    return ((Input.Graph) new TfliteFormat().read(file, InputFormat.Options.DEFAULT)).network();
  }

  @ParameterizedTest
  @CsvSource({
    "tflm_person_detect, 31",
    "mlperf_vww_96_int8, 31",
    "mlperf_pretrainedResnet_quant, 16",
    "mlperf_kws_ref_model, 13",
    "tinyengine_vww, 60"
  })
  void realModelsSplitAtRandomGiveEqualOutputs(String name) throws Exception {
    Path file = RealFiles.file("tflite/" + name + ".tflite");
    JsonNode before = TfliteMicroRuntime.run(file).path("outputs");
    Set<String> distinct = new HashSet<>();
    before.forEach(hash -> distinct.add(hash.asText()));
    Assumptions.assumeTrue(distinct.size() > 1, name + " gives one output for every input");
    SplitModel model = new SplitModel(read(file));
    int split = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(0x9E3779B97F4A7C15L * seed); // near seeds begin alike
      List<RunSplit> runs =
          RandomRuns.of(model, random, 3, 7, 5, SplitAxis.ROWS, SplitAxis.COLUMNS);
      Rewriting rewriting = Splitter.split(model, runs);
      long extra = 0;
      for (RunSplit run : runs) {
        extra += RunCost.of(model, run).extraMacs();
        split++;
      }
      String what = name + ", seed " + seed + ", " + runs;
      long whole = MacCount.of(model.network());
      assertEquals(whole + extra, MacCount.of(rewriting.network()), what);
      Path target = folder.resolve(seed + ".tflite");
      TfliteRewriting.write(file, rewriting, null, target);
      Network again = read(target);
      assertEquals(whole + extra, MacCount.of(again), what);
      assertEquals(rewriting.network().ops().size(), again.ops().size(), what);
      for (String tensor : rewriting.network().tensors().keySet()) {
        assertEquals(rewriting.network().tensor(tensor), again.tensor(tensor), what);
      }
      assertEquals(before, TfliteMicroRuntime.run(target).path("outputs"), what);
    }
    assertTrue(split > 3, name + ": " + split + " runs");
  }
}

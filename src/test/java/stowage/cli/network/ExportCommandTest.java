package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.cli.Stowage;
import stowage.importer.onnx.OnnxSamples;
import stowage.importer.tflite.TfliteSamples;

class ExportCommandTest extends FolderTest {
  /** A chain in which the input may give way to the last result. */
  private static final String MODEL =
      """
      #loc = loc(unknown)
      module @chain attributes {module.chip = "bm1684x", module.coeff_addr = 4294967296 : i64, \
      module.coeff_size = 0 : i64, module.neuron_addr = 4294967296 : i64, \
      module.neuron_size = 16384 : i64, module.platform = "ONNX", module.state = "TPU_ADDRESSED"} {
        func.func @main(%arg0: tensor<1x8192xi8> loc(unknown)) -> tensor<1x8192xi8, 4294971392 : i64> {
          %0 = "top.Input"(%arg0) : (tensor<1x8192xi8>) -> tensor<1x8192xi8, 4294975488 : i64> loc(#loc1)
          %1 = "tpu.Softmax"(%0) : (tensor<1x8192xi8, 4294975488 : i64>) -> tensor<1x4096xi8, 4294967296 : i64> loc(#loc2)
          %2 = "tpu.Tile"(%1) : (tensor<1x4096xi8, 4294967296 : i64>) -> tensor<1x8192xi8, 4294971392 : i64> loc(#loc3)
          return %2 : tensor<1x8192xi8, 4294971392 : i64> loc(#loc)
        } loc(#loc)
      } loc(#loc)
      #loc1 = loc("in")
      #loc2 = loc("less")
      #loc3 = loc("out")
      """;

  @ParameterizedTest
  @CsvSource({"free, 12288", "keep, 20480"})
  void aPlanWrittenIntoAModelIsFoundValidThere(String inputs, long peak) throws IOException {
    Path model = file("chain.mlir", MODEL);
    Path out = folder.resolve("out");
    Stowage.run("plan", model, "--inputs", inputs, "--out", out, "--json")
        .ends(0)
        .holds("peak=" + peak);
    Path target = folder.resolve("planned.mlir");
    Path plan = out.resolve("plan.json");
    Stowage.line("export %s --inputs %s --plan %s -o %s", model, inputs, plan, target).ends(0);
    for (String rule : new String[] {"free", "keep"}) {
      String baseline = "baseline/status=VALID baseline/peak=%s baseline/inputs=%s";
      Stowage.run("plan", target, "--inputs", rule, "--json")
          .holds(baseline.formatted(peak, inputs));
    }
    Stowage.run("plan", target)
        .prints("VALID with graph inputs " + (inputs.equals("keep") ? "kept" : "f"));
  }

  @Test
  void aCopyIsNamedLikeItsModelAndAHeaderEndsInH() throws IOException {
    Path model = file("chain.mlir", MODEL);
    for (String command : new String[] {"plan", "export"}) {
      for (String name : new String[] {"x.tflite", "x.csv"}) {
        Path other = folder.resolve(name);
        Stowage.run(command, model, "--write", other).ends(3).says("should end in .mlir");
        assertFalse(Files.exists(other));
      }
    }
    Path header = folder.resolve("chain.h");
    Stowage.run("export", model, "--write", header).ends(0);
    assertTrue(Files.readString(header).contains("#ifndef"));
    Path list = file("a.csv", "id,lower,upper,size\na,0,1,4\n");
    Stowage.run("plan", list, "--write", folder.resolve("b.csv")).ends(3).says("no place");
  }

  @ParameterizedTest
  @CsvSource({"0, free, views", "0, keep, elementwise", "1, free, elementwise", "1, caller, none"})
  void aPlanWrittenIntoAnOnnxFileIsFoundValidThere(int sample, String inputs, String inPlace)
      throws IOException {
    Path model = file("m.onnx", OnnxSamples.all().get(sample));
    Path out = folder.resolve("out");
    Object[] options = {"--alignment", 16, "--in-place", inPlace, "--inputs", inputs};
    long peak = run("plan", model, options, "--out", out, "--json").number("peak");
    Path target = folder.resolve("planned.onnx");
    run("export", model, options, "--plan", out.resolve("plan.json"), "-o", target);
    if (inputs.equals("caller")) {
      Stowage.run("verify", target).ends(6).prints("have no place");
      return;
    }
    Stowage checked = Stowage.run("verify", target, "--in-place", inPlace, "--json").ends(0);
    assertTrue(checked.holds("valid=true").number("peak") <= peak);
    run("plan", target, options, "--json")
        .holds("baseline/source=metadata_props baseline/status=VALID");
    // All values on the same bytes: the plan in the file no longer holds.
    byte[] bytes = Files.readAllBytes(target);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String wrong = text.replaceAll("(onnxsim\\.mem_offset\\x12.)[1-9]", "$10");
    Files.write(target, wrong.getBytes(StandardCharsets.ISO_8859_1));
    Stowage.run("verify", target, "--in-place", inPlace, "--json").ends(wrong.equals(text) ? 0 : 6);
    assertTrue(sample == 1 || !wrong.equals(text), "nothing to spoil");
  }

  @Test
  void aFileWithoutAPlanSaysSo() throws IOException {
    Path model = file("m.onnx", OnnxSamples.all().get(0));
    Stowage.run("verify", model).ends(3).says("carries no plan");
  }

  @ParameterizedTest
  @ValueSource(strings = {"free", "keep"})
  void aPlanWrittenIntoATfliteFileIsFoundValidThere(String inputs) throws IOException {
    Path model = file("m.tflite", TfliteSamples.all().get(0));
    Path out = folder.resolve("out");
    Object[] options = {"--alignment", 16, "--in-place", "none", "--inputs", inputs};
    long peak = run("plan", model, options, "--out", out, "--json").number("peak");
    Path target = folder.resolve("planned.tflite");
    run("export", model, options, "--plan", out.resolve("plan.json"), "-o", target);
    Stowage again = run("plan", target, options, "--json");
    again.holds("baseline/status=VALID baseline/inputs=%s peak=%s".formatted(inputs, peak));
    assertEquals(peak, (again.number("baseline/peak") + 15) / 16 * 16);
  }

  /** Pieces of a fitted model lie in each other's gaps, which is no clash for TFLite Micro. */
  @Test
  void thePlanOfAFittedModelBecomesAHeader() throws IOException {
    Path model = Path.of("models/examples/keywords.tflite");
    Path out = folder.resolve("fit");
    Path fitted = folder.resolve("fitted.tflite");
    Object[] limits = {"--capacity", 12_900, "--det-limit", 3};
    run("fit", model, limits, "--out", out, "--write", fitted);
    Path header = folder.resolve("plan.h");
    run("export", fitted, new Object[] {"--plan", out.resolve("plan.json")}, "--out", header);
    assertTrue(Files.readString(header).contains("1OF"), "pieces");
  }

  private static Stowage run(String command, Path model, Object[] options, Object... more) {
    return Stowage.run(command, model, options, more).ends(0);
  }

  /** One command from the model to the model with its plan, by either name. */
  @Test
  void aModelIsPlannedAndWrittenInOneStep() throws IOException {
    Path model = file("m.tflite", TfliteSamples.all().get(0));
    Path chain = file("chain.mlir", MODEL);
    for (Path one : new Path[] {model, chain}) {
      Path byExport = folder.resolve("export-" + one.getFileName());
      Stowage.run("export", one, "--inputs", "keep", "-o", byExport).ends(0);
      Path byPlan = folder.resolve("plan-" + one.getFileName());
      Stowage plan =
          Stowage.run("plan", one, "--inputs", "keep", "--write", byPlan, "--json").ends(0);
      long peak = plan.number("peak");
      for (Path written : new Path[] {byExport, byPlan}) {
        Stowage again = Stowage.run("plan", written, "--inputs", "keep", "--json");
        again.holds("baseline/status=VALID");
        long found = again.number("baseline/peak"); // of a .tflite without its last rounding
        assertTrue(found <= peak && found > peak - 16, found + " and " + peak);
      }
    }
    Stowage.run("plan", model, "--write", model).ends(2);
    Stowage.run("plan", model, "--run", "sequential", "--write", "x").ends(2);
  }

  @Test
  void aPlanThatTheModelCannotHoldIsRefused() throws IOException {
    String small = MODEL.replace("8192xi8", "100xi8").replace("4096xi8", "40xi8");
    Path model = file("chain.mlir", small);
    Path out = folder.resolve("out");
    Stowage.run("plan", model, "--alignment", 1, "--out", out).ends(0);
    Path target = file("planned.mlir", "before");
    Stowage.line("export %s --alignment 1 --plan %s -o %s", model, out.resolve("plan.csv"), target)
        .ends(3)
        .says("rounded up to 4096");
    assertEquals("before", Files.readString(target));
    assertFalse(names(folder).stream().anyMatch(name -> name.startsWith(".stowage")));
  }
}

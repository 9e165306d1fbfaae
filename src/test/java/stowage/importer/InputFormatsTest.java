package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.importer.executorch.PteBuilder;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.importer.onnx.OnnxSamples;
import stowage.importer.openvino.OpenVinoSamples;
import stowage.importer.pytorch.SnapshotSamples;
import stowage.importer.tflite.TfliteSamples;

class InputFormatsTest extends FolderTest {
  @Test
  void tellsFormatsByExtensionAndContent() throws IOException {
    Path csv = file("a.CSV", "id,lower,upper,size,offset\na,0,1,4,8\n");
    Input.Packing packing = assertInstanceOf(Input.Packing.class, InputFormats.read(csv));
    assertEquals(8, packing.problem().buffer(0).fixedOffset());
    InputFormat.Options free = new InputFormat.Options(true, Map.of());
    packing = assertInstanceOf(Input.Packing.class, InputFormats.read(csv, free));
    assertTrue(!packing.problem().buffer(0).isFixed());
    Path json = file("a.json", "{\"name\": \"x\", \"buffers\": []}");
    assertInstanceOf(Input.Packing.class, InputFormats.read(json));
  }

  @Test
  void saysWhatItCannotRead() throws IOException {
    refused(folder.resolve("absent.csv"), "absent.csv: no such file");
    file("resnet50.json", "{}");
    refused(folder.resolve("resnet5.json"), "no such file; did you mean \"resnet50.json\"?");
    refused(folder, "is a folder");
    refused(file("a.doc", "x"), "extension \".doc\" is not known; known are .csv, ");
    refused(file("plain", "x"), "has no extension; known are .csv, ");
    Path packed = file("a.onnx", new byte[] {0x1F, (byte) 0x8B, 8, 0});
    refused(packed, "is packed with gzip; unpack it first");
    byte[] tflite = TfliteSamples.all().get(0);
    refused(
        file("c.onnx", tflite),
        "is a TFLite model by its first bytes, not .onnx: let its name end in .tflite, or add"
            + " --format tflite");
    refused(file("c.tflite", OnnxSamples.all().get(0)), "is an ONNX model by its first bytes");
    refused(file("c.pb", PteBuilder.samples().get(0)), "is an ExecuTorch program by its first");
    refused(file("c.pte", SnapshotSamples.samples().get(0)), "is a pickle by its first bytes");
    refused(file("c.csv", "{\"buffers\": []}"), "is JSON by its first bytes, not .csv");
    refused(file("c.mlir", OpenVinoSamples.all().get(0)), "is XML by its first bytes, not .mlir");
    InputFormat.Options negative = new InputFormat.Options(false, Map.of("batch", -1L));
    Path model = file("b.onnx", "x");
    Refusals.input(
        () -> InputFormats.read(model, negative), "--dim batch=-1: the value should be 0 or more");
    InputFormat.Options bound = new InputFormat.Options(false, Map.of("batch", 1L));
    Path csv = file("a.csv", "id,lower,upper,size\na,0,1,4\n");
    Refusals.input(
        () -> InputFormats.read(csv, bound),
        "--dim batch=1: is buffers as CSV, which has no free dimension");
    refused(file("b.json", "{"), "is not well-formed JSON");
    refused(
        file("c.json", "{\"rows\": []}"),
        "matches none of these formats: a graph of PyTorch Inductor as JSON, ");
    refused(
        file("plan.json", "{\"lowerBound\": 1, \"buffers\": 1, \"placements\": []}"),
        "is a plan; ");
    refused(Path.of("models/kernels/attention-2x5.json"), "is a kernel graph: stowage kernel FILE");
    refused(Path.of("models/memories/stm32h7.json"), "is a memory map: stowage memories NETWORK");
  }

  private static void refused(Path file, String expected) {
    Refusals.input(() -> InputFormats.read(file), expected);
  }
}

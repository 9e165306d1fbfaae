package stowage.importer.onnx;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.cli.Stowage;

/** Names of models, and of dimensions that not all of several models have. */
class ModelsByNameTest extends FolderTest {
  @Test
  void oneOfSeveralModelsMayLackADimension() throws IOException {
    Path open = OnnxBuilder.of("x:float[N,4]; y = Relu x; -> y").write(folder.resolve("open.onnx"));
    Path fixed = OnnxBuilder.of("x:float[2,4]; y = Abs x; -> y").write(folder.resolve("f.onnx"));
    for (String command :
        List.of("plan --run sequential", "check --max-peak 1M", "compare --planner tflm")) {
      Stowage.line(command + " --dim N=3 %s %s", fixed, open)
          .ends(0)
          .says(fixed + ": --dim N=3: the model has no free dimension");
    }
    Stowage.line("check --max-peak 1M --dim M=3 %s %s", fixed, open).ends(3).says("--dim N=VALUE");
    Stowage.line("check --max-peak 1M --dim N=-3 %s %s", open, open).ends(2).says("0 or more");
    Stowage.line("plan --dim N=3 %s", fixed).ends(2);
  }

  @Test
  void aNameThatExportersGiveEveryModelIsNone() throws IOException {
    Path file =
        OnnxBuilder.of("x:float[1]; y = Abs x; -> y; graph main_graph")
            .write(folder.resolve("net.onnx"));
    Stowage.run("plan", file).ends(0).prints("OPTIMAL: net,");
  }
}

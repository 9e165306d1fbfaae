package stowage.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.generator.kernel.KernelGenerator;
import stowage.importer.kernel.KernelFiles;
import stowage.network.kernel.KernelGraph;

/** Generated kernels: their sizes, and that their files are what {@code models/kernels} holds. */
class KernelGeneratorTest extends FolderTest {
  @Test
  void aBlockedProductHasItsNodes() {
    KernelGraph graph = KernelGenerator.matmul(8, 8, 8, 128, 128, 256);
    assertEquals(4160, graph.nodes().size());
    assertEquals(1216, graph.buffers().size());
    assertEquals(128, graph.buffers().stream().filter(buffer -> buffer.backed()).count());
  }

  @Test
  void theModelsFolderHoldsWhatIsGenerated() throws IOException {
    same("matmul-4x4x4", KernelGenerator.matmul(4, 4, 4, 512, 128, 256));
    same("attention-2x5", KernelGenerator.attention(2, 5, 256, 192));
    same("convolution-5x2x2", KernelGenerator.convolution(5, 1, 2, 2, 512, 256, 128, 256));
  }

  private void same(String name, KernelGraph graph) throws IOException {
    Path made = folder.resolve(name + ".json");
    try (OutputStream out = Files.newOutputStream(made)) {
      KernelFiles.write(graph, out);
    }
    Path kept = Path.of("models", "kernels", name + ".json");
    assertEquals(Files.readString(kept), Files.readString(made), name);
    assertEquals(graph.nodes(), KernelFiles.read(kept).nodes());
    assertEquals(graph.buffers(), KernelFiles.read(kept).buffers());
  }
}

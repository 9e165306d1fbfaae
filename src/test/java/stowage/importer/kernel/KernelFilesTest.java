package stowage.importer.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.network.kernel.KernelGraph;

/** Kernel graphs from JSON and CSV, and the messages for files that are not. */
class KernelFilesTest extends FolderTest {
  private static final String NODES =
      """
      {"Nodes": [
        {"Id": 0, "Op": "ALLOC", "BufId": 5, "Size": 16, "Type": "L1"},
        {"Id": 1, "Op": "COPY_IN", "Pipe": "MTE2", "Cycles": 30, "Bufs": [5]},
        {"Id": 2, "Op": "FREE", "BufId": 5, "Size": 16, "Type": "L1"}],
       "Edges": [[0, 1], [1, 2]]}
      """;

  @Test
  void jsonAndCsvGiveTheSameGraph() throws IOException {
    KernelGraph json = KernelFiles.read(file("small.json", NODES));
    Path csv =
        file(
            "small_Nodes.csv",
            "Id,Op,BufId,Size,Type,Pipe,Cycles,Bufs\n"
                + "0,ALLOC,5,16,L1,,,\n1,COPY_IN,,,,MTE2,30,\"[5]\"\n2,FREE,5,16,L1,,,\n");
    file("small_Edges.csv", "From,To\n0,1\n1,2\n");
    KernelGraph pair = KernelFiles.read(csv);
    assertEquals(json.nodes(), pair.nodes());
    assertEquals(json.buffers(), pair.buffers());
    assertEquals(2, pair.edges());
    assertTrue(json.buffers().get(0).backed());
    assertEquals("small", KernelFiles.name(csv));
    assertEquals("small", KernelFiles.name(folder.resolve("small.json")));
  }

  @Test
  void faultsNamePlaceAndRemedy() throws IOException {
    assertFault(
        "buffer 5",
        NODES.replace("\"FREE\", \"BufId\": 5", "\"FREE\", \"BufId\": 6"),
        "has no FREE");
    assertFault("Nodes[1]", NODES.replace("[5]", "[9]"), "buffer 9");
    assertFault("cycle", NODES.replace("[1, 2]]", "[1, 2], [1, 1]]"), "cycles");
    assertFault("Edges", NODES.replace("[1, 2]]", "[1, 7]]"), "below 3");
    assertFault("Edges", NODES.replace("[1, 2]]", "[1]]"), "two ends");
    assertFault("ends at an ALLOC", NODES.replace("[1, 2]]", "[1, 0]]"), "precedes an ALLOC");
    String other =
        """
        {"Id": 3, "Op": "ALLOC", "BufId": 6, "Size": 1, "Type": "L1"},
        {"Id": 4, "Op": "FREE", "BufId": 6, "Size": 1, "Type": "L1"}],
        """;
    assertFault(
        "edge 3 -> 2",
        NODES.replace("}],", "},\n" + other).replace("[1, 2]]", "[1, 2], [3, 2]]"),
        "another buffer");
    assertFault("Nodes[0]", NODES.replaceFirst("Size", "Sise"), "\"Size\" is missing");
    assertFault("Nodes[2]", NODES.replace("\"Id\": 2", "\"Id\": 1"), "twice");
    assertFault(
        "line 4, column",
        NODES.replace(
            "\"FREE\", \"BufId\": 5, \"Size\": 16", "\"FREE\", \"BufId\": 5, \"Size\": 17"),
        "same");
  }

  private void assertFault(String place, String text, String remedy) throws IOException {
    Path file = file("wrong.json", text);
    Refusals.input(() -> KernelFiles.read(file), remedy, place);
  }

  @Test
  void networksAreSentToTheirCommand() throws IOException {
    for (String network : List.of("models/networks/bert.json", "models/examples/residual.onnx")) {
      Path file = Path.of(network);
      Refusals.input(() -> KernelFiles.read(file), "stowage plan takes networks", "Nodes");
    }
    Refusals.input(() -> KernelFiles.read(folder.resolve("none.onnx")), "no such file");
  }

  @Test
  void aCsvFileNeedsItsTwin() throws IOException {
    Path alone = file("alone_Nodes.csv", "Id,Op,BufId,Size,Type,Pipe\n");
    Refusals.input(() -> KernelFiles.read(alone), "alone_Edges.csv");
  }
}

package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;

/** {@code stowage kernel} from its options to its files. */
class KernelCommandTest extends FolderTest {
  private static final String GRAPH =
      """
      {"Nodes": [
        {"Id": 0, "Op": "ALLOC", "BufId": 5, "Size": 4, "Type": "UB"},
        {"Id": 1, "Op": "COPY_IN", "Pipe": "MTE2", "Cycles": 30, "Bufs": [5]},
        {"Id": 2, "Op": "ALLOC", "BufId": 6, "Size": 3, "Type": "UB"},
        {"Id": 3, "Op": "COPY_IN", "Pipe": "MTE2", "Cycles": 30, "Bufs": [6]},
        {"Id": 4, "Op": "EXP", "Pipe": "VECTOR", "Cycles": 10, "Bufs": [6]},
        {"Id": 5, "Op": "EXP", "Pipe": "VECTOR", "Cycles": 10, "Bufs": [5]},
        {"Id": 6, "Op": "FREE", "BufId": 5, "Size": 4, "Type": "UB"},
        {"Id": 7, "Op": "FREE", "BufId": 6, "Size": 3, "Type": "UB"}],
       "Edges": [[0, 1], [2, 3], [1, 3], [3, 4], [4, 5], [4, 7], [5, 6], [1, 5]]}
      """;

  private Stowage run(String... options) throws IOException {
    Path file = file("small.json", GRAPH);
    return Stowage.run("kernel", file, "--json", options);
  }

  @Test
  void aSpillIsProvenAndWritten() throws IOException {
    String out = folder.resolve("o").toString();
    run("--minimize", "traffic", "--cache", "UB=4", "--out", out)
        .ends(0)
        .holds("status=OPTIMAL traffic=4 lowerBound=4 orderBound=4 spills=1")
        .holds("caches/UB/peak=4 caches/UB/capacity=4");
    assertEquals("5:0\n", Files.readString(folder.resolve("o/small_spill.txt")));
    assertEquals("5:0\n6:0\n", Files.readString(folder.resolve("o/small_memory.txt")));
    assertEquals(10, Files.readAllLines(folder.resolve("o/small_schedule.txt")).size());
    String page = Files.readString(folder.resolve("o/small.html"));
    assertTrue(page.contains("; at least 4 units moved over all orders"), page);
    Stowage.run("kernel", folder.resolve("small.json"), "--minimize", "traffic", "--cache", "UB=4")
        .prints("units allocated at once, spilled or not", "UB   at most 4 of 4 alive at once");
  }

  @Test
  void tooSmallACacheIsInfeasibleAndNamesTheOp() throws IOException {
    run("--minimize", "time", "--cache", "UB=3").ends(4).holds("status=INFEASIBLE").says("COPY_IN");
  }

  @Test
  void optionsThatDoNotGoTogetherAreRefused() throws IOException {
    run("--minimize", "traffic", "--max-traffic", "3").ends(2);
    run("--minimize", "traffic", "--cache", "UB=-1").ends(2);
  }
}

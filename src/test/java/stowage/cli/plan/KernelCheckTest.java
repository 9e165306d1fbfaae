package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.cli.Stowage;
import stowage.cli.help.JsonSchema;

/** What verify says of the schedules that kernel writes. */
class KernelCheckTest extends FolderTest {
  private static final String GRAPH =
      """
      {"Nodes": [
        {"Id": 0, "Op": "ALLOC", "BufId": 7, "Size": 2, "Type": "UB"},
        {"Id": 1, "Op": "ALLOC", "BufId": 8, "Size": 2, "Type": "UB"},
        {"Id": 2, "Op": "COPY_IN", "Pipe": "MTE2", "Cycles": 5, "Bufs": [7]},
        {"Id": 3, "Op": "DUP", "Pipe": "VECTOR", "Cycles": 5, "Bufs": [8]},
        {"Id": 4, "Op": "EXP", "Pipe": "VECTOR", "Cycles": 5, "Bufs": [7]},
        {"Id": 5, "Op": "FREE", "BufId": 7, "Size": 2, "Type": "UB"},
        {"Id": 6, "Op": "FREE", "BufId": 8, "Size": 2, "Type": "UB"}],
       "Edges": [[0, 2], [1, 3], [2, 3], [3, 4], [2, 4], [4, 5], [3, 6]]}
      """;

  private Stowage verify(String schedule, String memory, String spill, String... more)
      throws IOException {
    Path graph = file("g.json", GRAPH);
    Path file = file("g_schedule.txt", schedule.replace(' ', '\n'));
    Files.writeString(folder.resolve("g_memory.txt"), memory.replace(' ', '\n'));
    Files.writeString(folder.resolve("g_spill.txt"), spill.replace(' ', '\n'));
    return Stowage.run("verify", graph, file, more);
  }

  @Test
  void aScheduleIsReplayed() throws IOException {
    Stowage side = verify("0 2 1 3 4 5 6", "7:0 8:2", "", "--json").ends(0);
    assertEquals(List.of(), JsonSchema.named("verify").faults(side.json()));
    side.holds("valid=true residency=4 traffic=0 spills=0 cycles=15");
    String[] tight = {"--cache", "UB=2"};
    verify("0 2 7 1 3 6 8 4 5", "7:0 8:0", "7:0", tight).ends(0).prints("traffic 2 units");
    verify("0 2 1 3 4 5 6", "7:0 8:2", "", tight).ends(6).prints("invalid: ", "leaves UB of 2");
    verify("0 2 1 3 4 5 6", "7:0 8:1", "").ends(6).prints("share address 1 of UB");
    verify("0 2 1 4 3 5 6", "7:0 8:2", "").ends(6).prints("node 4 runs before node 3");
    verify("0 2 1 3 4 5 6", "7:0", "", "--json").ends(6).holds("valid=false");
    verify("0 2 1 3 4 5", "7:0 8:2", "").ends(6).prints("6 nodes of 7");
    Files.delete(folder.resolve("g_memory.txt"));
    Stowage.run("verify", folder.resolve("g.json"), folder.resolve("g_schedule.txt"))
        .ends(6)
        .prints("6 nodes of 7");
  }

  /**
   * An edge from an ALLOC or to a FREE is a use, and what is used is there; so no bound is passed.
   */
  @Test
  void aUserRunsBetweenItsBuffersAllocAndFree() throws IOException {
    String listed = GRAPH.replace("[2, 4], [4, 5]", "[2, 4], [2, 5]");
    String edges = GRAPH.replace("\"Bufs\": [8]", "\"Bufs\": []");
    for (String[] wrong : new String[][] {{listed, "0 2 5 1 3 4 6"}, {edges, "0 2 3 4 5 1 6"}}) {
      Path graph = file("g.json", wrong[0]);
      Path schedule = file("g_schedule.txt", wrong[1].replace(' ', '\n'));
      Stowage.run("verify", graph, schedule).ends(6).prints(" runs before node ");
    }
    String before = GRAPH.replace("[0, 2], ", "[0, 2], [0, 3], ").replace("[2, 3], [3, 4], ", "");
    Path graph = file("g.json", before);
    Stowage.run("kernel", graph, "--json").ends(0).holds("status=OPTIMAL residency=4");
    Path schedule = file("g_schedule.txt", "0 2 4 5 1 3 6".replace(' ', '\n'));
    Stowage.run("verify", graph, schedule).ends(6).prints("node 5 runs before node 3");
  }

  @Test
  void buffersOfTenDigitsAreReadBackAndNoneTwice() throws IOException {
    Path graph = file("g.json", GRAPH.replace("7", "2147483647"));
    Path out = folder.resolve("out");
    Stowage.line("kernel %s --minimize traffic --cache UB=2 --out %s", graph, out).ends(0);
    Path schedule = out.resolve("g_schedule.txt");
    Stowage.line("verify %s %s --cache UB=2", graph, schedule).ends(0);
    Files.writeString(out.resolve("g_memory.txt"), "8:0\n2147483647:0\n8:4\n");
    Stowage.run("verify", graph, schedule).ends(3).says("two offsets of the buffer 8");
  }

  @Test
  void faultsOfFilesNameTheLine() throws IOException {
    verify("0 2 x", "7:0 8:2", "").ends(3).says("g_schedule.txt: line 3", "should be a node's id");
    verify("0 2", "7:0 8", "").ends(3).says("g_memory.txt: line 2", "should be BufId:Offset");
    verify("0 2", "7:0 9:2", "").ends(3).says("buffer 9");
    Stowage.run("verify", file("a.csv", "id,lower,upper,size\na,0,1,1\n"), "--cache", "UB=2")
        .ends(2);
  }

  @Test
  void whatKernelWritesHolds() throws IOException {
    Path graph = file("g.json", GRAPH);
    Path out = folder.resolve("out");
    for (String goal : List.of("traffic", "time", "residency")) {
      Stowage made =
          Stowage.line(
              "kernel %s --minimize %s --cache UB=2 --time-limit 1 --out %s --json",
              graph, goal, out);
      Stowage.line("verify %s %s --cache UB=2 --json", graph, out.resolve("g_schedule.txt"))
          .ends(0)
          .holds("valid=true residency=" + made.ends(0).number("residency"));
    }
  }
}

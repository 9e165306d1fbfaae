package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import stowage.JsonChecks;

/** {@code stowage kernel} from its options to its files. */
class KernelCommandTest {
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

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... options) throws IOException {
    Path file = folder.resolve("small.json");
    Files.writeString(file, GRAPH);
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    String[] all = new String[options.length + 3];
    all[0] = "kernel";
    all[1] = file.toString();
    all[2] = "--json";
    System.arraycopy(options, 0, all, 3, options.length);
    return line.execute(all);
  }

  @Test
  void aSpillIsProvenAndWritten() throws IOException {
    assertEquals(
        0,
        run("--minimize", "traffic", "--cache", "UB=4", "--out", folder.resolve("o").toString()),
        err::toString);
    JsonNode answer = new ObjectMapper().readTree(out.toString());
    JsonChecks.holds(
        answer,
        "status=OPTIMAL traffic=4 lowerBound=4 orderBound=4 spills=1 caches/UB/peak=4 "
            + "caches/UB/capacity=4");
    assertEquals("5:0\n", Files.readString(folder.resolve("o/small_spill.txt")));
    assertEquals("5:0\n6:0\n", Files.readString(folder.resolve("o/small_memory.txt")));
    assertEquals(10, Files.readAllLines(folder.resolve("o/small_schedule.txt")).size());
  }

  @Test
  void tooSmallACacheIsInfeasibleAndNamesTheOp() throws IOException {
    assertEquals(4, run("--minimize", "time", "--cache", "UB=3"));
    JsonNode answer = new ObjectMapper().readTree(out.toString());
    assertEquals("INFEASIBLE", answer.get("status").asText());
    assertTrue(err.toString().contains("COPY_IN"), err.toString());
  }

  @Test
  void optionsThatDoNotGoTogetherAreRefused() throws IOException {
    assertEquals(2, run("--minimize", "traffic", "--max-traffic", "3"));
    assertEquals(2, run("--minimize", "traffic", "--cache", "UB=-1"));
  }
}

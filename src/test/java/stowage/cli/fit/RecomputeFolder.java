package stowage.cli.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.FolderTest;
import stowage.cli.Stowage;
import stowage.cli.help.JsonSchema;
import stowage.network.Graphs;

/** Networks of ops with costs, and what {@code fit} makes of them. */
abstract class RecomputeFolder extends FolderTest {
  /** A network of ops o0, o1, ... with one result each, t0, t1, ..., of costs and bytes given. */
  final Path network(long[] bytes, long[] cost, int[][] reads, String last) throws IOException {
    Graphs graph = Graphs.of("format json");
    Set<String> unread = new TreeSet<>();
    for (int v = 0; v < bytes.length; v++) {
      List<String> operands = IntStream.of(reads[v]).mapToObj(u -> "t" + u).toList();
      String type = v == bytes.length - 1 ? last : "Op";
      String op = "t%d:%d = %s %s cost=%d name=o%1$d";
      graph.and(op.formatted(v, bytes[v], type, String.join(" ", operands), cost[v]));
      unread.add("t" + v);
      operands.forEach(unread::remove);
    }
    unread.forEach(value -> graph.and("-> " + value));
    return graph.write(folder.resolve("network.json"));
  }

  /** A chain of 12 ops whose second half reads the first. */
  final Path training(long seed) throws IOException {
    Random random = new Random(seed);
    int ops = 12;
    long[] bytes = random.longs(ops, 1, 9).toArray();
    long[] cost = random.longs(ops, 1, 9).toArray();
    int[][] reads = new int[ops][];
    for (int v = 0; v < ops; v++) {
      reads[v] = v == 0 ? new int[0] : v > 6 ? new int[] {12 - v, v - 1} : new int[] {v - 1};
    }
    return network(bytes, cost, reads, "Op");
  }

  static JsonNode levers(Path given, String levers, Object... options) {
    List<Object> limit =
        List.of(options).contains("--time-limit") ? List.of() : List.of("--time-limit", 10);
    JsonNode answer =
        Stowage.run("fit", given, "--levers", levers, "--json", limit, options).json();
    assertEquals(List.of(), JsonSchema.named("fit").faults(answer));
    return answer;
  }
}

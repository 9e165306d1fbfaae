package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.Stowage;
import stowage.cli.help.JsonSchema;
import stowage.network.ElementType;
import stowage.network.Graphs;

/**
 * What a grouping writes: groups.json by its schema, traces, pictures, and the difference of two.
 */
class GroupAnswerTest {
  /** Two convolutions of three rows and a sum: cut along the rows, they repeat some. */
  private static final String NETWORK =
      "x:S; a:S = Conv x window=3,1,1; b:S = Conv a window=3,1,1; z:S = Add a b; -> z"
          .replace("S", "1x64x400x300");

  @TempDir Path folder;

  private Path network() throws IOException {
    return Graphs.of(ElementType.F16, NETWORK).write(folder.resolve("tall.json"));
  }

  private JsonNode grouped(Path out, Object... options) throws IOException {
    List<Object> words = List.of("group", network(), "--chip", "bm1684x", "--axes", "nh");
    Stowage.run(words, "--out", out, "--time-limit", 20, options).ends(0);
    return new ObjectMapper().readTree(out.resolve("groups.json").toFile());
  }

  @Test
  void groupsJsonHasAddressesSlicesAndStepsAndKeepsItsSchema() throws IOException {
    JsonNode answer = grouped(folder.resolve("out"), "--trace", folder.resolve("trace.txt"));
    JsonSchema schema = JsonSchema.named("groups");
    assertEquals(List.of(), schema.faults(answer));
    JsonNode broken = answer.deepCopy();
    ((com.fasterxml.jackson.databind.node.ObjectNode) broken.get("groups").get(0)).put("ops", "2");
    assertEquals(1, schema.faults(broken).size(), schema.faults(broken).toString());

    assertEquals("f16", answer.get("precision").asText());
    JsonNode group = answer.get("groups").get(0);
    assertEquals(3, group.get("ops").asInt());
    int rows = group.at("/secs/h").asInt();
    assertTrue(rows > 1, group.get("secs").toString());
    long end = 0;
    for (JsonNode slice : group.get("slices")) {
      if (slice.get("tensor").asText().equals("z")) {
        for (JsonNode part : slice.get("h")) {
          assertEquals(end, part.get(0).asLong());
          end = part.get(0).asLong() + part.get(1).asLong();
        }
      }
    }
    assertEquals(400, end);
    assertEquals(group.get("steps").asInt(), group.get("table").size());
    assertTrue(Files.readString(folder.resolve("out/group-0/slices.svg")).contains("along h"));

    // Breadth first: x and a.w are read for a; b's op reads b.w, then the sum.
    List<String> byNumber = new ArrayList<>();
    for (int number = 0; number < group.get("buffers").size(); number++) {
      for (JsonNode buffer : group.get("buffers")) {
        if (buffer.get("number").asInt() == number
            && !buffer.get("kind").asText().equals("scratch")) {
          byNumber.add(buffer.get("id").asText());
        }
      }
    }
    assertEquals(List.of("x", "a.w", "a", "b.w", "b", "z"), byNumber);
    String trace = Files.readString(folder.resolve("trace.txt"));
    assertTrue(trace.startsWith("group 0: ops 0-2, slices n1 c1 d1 h" + rows), trace);
    assertTrue(trace.contains("weight      a.w") && trace.contains("[T0,inf]"), trace);
  }

  @Test
  void twoGroupingsAreCompared() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    grouped(first, "--partition", "tail", "--lmem", "document");
    grouped(second, "--partition", "dp");
    Path a = first.resolve("groups.json");
    Path b = second.resolve("groups.json");
    JsonNode same = Stowage.run("diff", a, a, "--json").json();
    assertTrue(same.get("same").asBoolean());
    JsonNode diff = Stowage.run("diff", a, b, "--json").json();
    assertEquals(List.of(), JsonSchema.named("diff").faults(diff));
    long before = diff.at("/figures/trafficBytes/0").asLong();
    assertTrue(before >= diff.at("/figures/trafficBytes/1").asLong(), diff.toString());
    Stowage text = Stowage.run("diff", a, b).ends(0);
    assertTrue(text.out().startsWith("test on bm1684x: "), text.out());
    text.prints("trafficBytes");
    Path plan = folder.resolve("plan");
    Stowage.run("plan", network(), "--out", plan).ends(0);
    Stowage.run("diff", a, plan.resolve("plan.json")).ends(2).says("both should be a groups.json");
  }
}

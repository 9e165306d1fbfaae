package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanFile;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/** Plans of changed problems, near those of the problems before the change. */
class EarlierPlanTest extends FolderTest {
  private static final int CHANGED = 1_144;

  private static List<Buffer> buffers(int count) {
    Random random = new Random(1);
    int[] lives = {1, 2, 2, 3, 3, 5, 8, 30, 100};
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int end = i + lives[random.nextInt(lives.length)] + 1;
      buffers.add(new Buffer("b" + i, 1L << 6 + random.nextInt(14), i, end));
    }
    return buffers;
  }

  private Path write(String name, List<Buffer> buffers) throws IOException {
    Path file = folder.resolve(name);
    PackingCsv.write(file, PackingProblem.of(name, buffers));
    return file;
  }

  private Path plan(Path input, Object... options) {
    Path out = folder.resolve("out-" + input.getFileName() + options.length);
    Stowage.run("plan", input, "--json", "--out", out, "--time-limit", 20, options).ends(0);
    Path plan = out.resolve("plan.json");
    Stowage.run("verify", input, plan).ends(0);
    return plan;
  }

  private static JsonNode json(Path plan) throws IOException {
    return JsonChecks.read(plan);
  }

  @Test
  void oneChangedBufferOfManyMovesFewBytes() throws IOException {
    List<Buffer> rows = buffers(2_000);
    Path before = plan(write("before.csv", rows));
    rows.set(CHANGED, rows.get(CHANGED).withSize(2 * rows.get(CHANGED).size()));
    rows.remove(7);
    rows.add(rows.get(20).withId("added"));
    Path changed = write("changed.csv", rows);
    JsonNode usual = json(plan(changed));
    JsonNode stable = json(plan(changed, "--warm-start", before, "--stable"));
    assertTrue(stable.get("peak").asLong() <= 1.005 * usual.get("peak").asLong());
    JsonNode moves = stable.get("stability");
    JsonChecks.holds(moves, "byId=1999 byShape=0");
    assertTrue(moves.get("movedBytes").asLong() < 0.05 * moves.get("knownBytes").asLong());
    assertTrue(moves.get("movedAtLeast").asLong() <= moves.get("movedBytes").asLong());
    assertFalse(moves.get("pinned").asBoolean());
    assertTrue(stable.get("remarks").toString().contains("another version"));

    Path pinned = plan(changed, "--pin-from", before);
    Map<String, PlanFile.Place> now = PlanFile.read(pinned).places();
    PlanFile.read(before)
        .places()
        .forEach(
            (id, place) -> {
              if (now.containsKey(id) && !id.equals("b" + CHANGED)) {
                assertEquals(place.offset(), now.get(id).offset(), id);
              }
            });
    assertTrue(json(pinned).get("stability").get("pinned").asBoolean());
  }

  @Test
  void renamedBuffersAreFoundBySizeAndLife() throws IOException {
    List<Buffer> rows = buffers(60);
    Path before = plan(write("before.csv", rows));
    rows.replaceAll(buffer -> buffer.withId("renamed " + buffer.id()));
    JsonNode moves =
        json(plan(write("renamed.csv", rows), "--warm-start", before, "--stable", "--slack", "0%"))
            .get("stability");
    JsonChecks.holds(moves, "byShape=60 moved=0");
  }

  /** One of four may stay at 0; the other three, 75 % of the bytes, move for a peak of 40. */
  @Test
  void whatMovesMuchIsLeftAtTheOldPeakUnlessTheSlackIsGiven() throws IOException {
    List<Buffer> rows = new ArrayList<>();
    for (String id : List.of("a", "b", "c", "d")) {
      rows.add(new Buffer(id, 10, 0, 9));
    }
    Path input = write("four.csv", rows);
    Path before = file("old.csv", "id,offset,size\na,0,10\nb,100,10\nc,55,10\nd,200,10\n");
    JsonNode same = json(plan(input, "--warm-start", before, "--stable"));
    JsonChecks.holds(same, "peak=210 lowerBound=40 stability/moved=0 stability/movedAtLeast=0");
    String remarks = same.get("remarks").toString();
    assertTrue(remarks.contains("A peak of 40 bytes would move 75 % of the bytes"), remarks);
    JsonNode least = json(plan(input, "--warm-start", before, "--stable", "--slack", "0%"));
    JsonChecks.holds(least, "peak=40 stability/moved=3 stability/movedAtLeast=30");
  }

  /** Below the old peak something has to move, and with pins nothing fits. */
  @Test
  void aCapacityIsKeptWhateverThePins() throws IOException {
    Path input = write("three.csv", List.of(new Buffer("a", 4, 0, 9), new Buffer("b", 4, 0, 9)));
    Path before = file("old.csv", "id,offset,size\na,0,4\nb,8,4\n");
    JsonNode wide = json(plan(input, "--pin-from", before));
    JsonChecks.holds(wide, "peak=12 stability/pinnedBound=12 lowerBound=8 status=FEASIBLE");
    JsonNode tight = json(plan(input, "--pin-from", before, "--capacity", "11"));
    assertTrue(tight.get("peak").asLong() <= 11);
    JsonChecks.holds(tight, "stability/movedBytes=4 stability/moved=1");
  }

  /** Two that are kept together were in different memories. */
  @Test
  void pinsThatContradictTheProblemAreGivenUp() throws IOException {
    Path input =
        file(
            "tied.json",
            """
            {"memories": [{"name": "m"}, {"name": "n"}],
             "buffers": [{"id": "a", "lower": 0, "upper": 2, "size": 4},
                         {"id": "b", "lower": 0, "upper": 2, "size": 4}],
             "together": [{"a": "a", "b": "b", "distance": 4}]}
            """);
    Path before = file("old.csv", "id,offset,memory\na,0,m\nb,4,n\n");
    Stowage.run("plan", input, "--pin-from", before, "--json")
        .ends(0)
        .holds("stability/moved=1 stability/pinnedBound=null")
        .prints("keeps every place that could stay");
  }

  @Test
  void optionsThatDoNotGoTogetherAreRefused() throws IOException {
    Path input = write("one.csv", buffers(3));
    for (String words :
        List.of(
            "--stable",
            "--warm-start p.json --pin-from p.json",
            "--warm-start p.json --slack 1%",
            "--warm-start p.json --stable --slack 1")) {
      Stowage.line("plan %s " + words, input).ends(2);
    }
  }
}

package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.network.Graphs;

class PlanCommandTest extends FolderTest {
  /** Peak 7 is the max load of step 3: a, b and f; first fit by size needs 8. */
  private static final String SMALL =
      "id,lower,upper,size\na,0,4,3\nb,2,6,5\nc,4,9,4\nd,1,3,2\ne,5,8,3\nf,0,9,1\n";

  @Test
  void plansProvesAndWrites() throws IOException {
    Path input = file("small.csv", SMALL);
    Path out = folder.resolve("out");
    JsonNode answer = Stowage.run("plan", input, "--out", out, "--json").ends(0).json();
    assertEquals(answer.get("lowerBound").asLong(), answer.get("peak").asLong());
    JsonChecks.holds(answer, "status=OPTIMAL buffers=6 certificate/checked=true");
    String fields =
        "schemaVersion boundKind gap planner seconds seed threads capacity parts memories"
            + " weightBytes totalBytes peakRssBytes";
    List.of(fields.split(" ")).forEach(field -> assertTrue(answer.has(field), field));
    for (String written : new String[] {"plan.json", "plan.csv", "plan.svg", "plan.html"}) {
      assertTrue(Files.size(out.resolve(written)) > 0, written);
    }
    Stowage.run("verify", input, out.resolve("plan.csv")).ends(0);
    Stowage.run("verify", input, out.resolve("plan.json")).ends(0);
    // A plan is a problem with fixed offsets, and goes round trip.
    JsonNode again = Stowage.run("plan", out.resolve("plan.csv"), "--json").json();
    assertEquals(answer.get("peak"), again.get("peak"));
  }

  @Test
  void drawsWhatDoesNotFitWhereNoPlanIsWithinTheCapacity() throws IOException {
    Path out = folder.resolve("tight");
    Stowage run =
        Stowage.run("plan", file("small.csv", SMALL), "--capacity", 6, "--out", out).ends(4);
    assertFalse(Files.exists(out.resolve("plan.csv")), "no plan is within the capacity");
    String picture = Files.readString(out.resolve("plan.svg"));
    assertTrue(picture.contains("lowest plan found 13 B"), picture);
    assertTrue(picture.contains("do not fit together"), picture);
    String page = Files.readString(out.resolve("plan.html"));
    assertTrue(page.contains("7 bytes above it"), page);
    run.prints("plan.html (open it), plan.svg, plan.json");
  }

  @Test
  void whatHasNoRectangleToDrawIsPlannedAndDrawnAllTheSame() throws IOException {
    String gapOverAll = "id,lower,upper,size,gaps\na,0,2,4,0-2\n";
    String longestLife = "id,lower,upper,size\na,-1,2147483647,2\n";
    for (String text : new String[] {gapOverAll, longestLife}) {
      Path out = Files.createTempDirectory(folder, "out");
      Stowage run = Stowage.run("plan", file("odd.csv", text), "--out", out).ends(0);
      for (String written : new String[] {"plan.json", "plan.csv", "plan.svg", "plan.html"}) {
        assertTrue(Files.size(out.resolve(written)) > 0, written);
      }
      assertFalse(run.out().contains("each other"), run.out());
    }
  }

  @Test
  void exitCodesTellWhatHappened() throws IOException {
    Path input = file("small.csv", SMALL);
    long peak = Stowage.run("plan", input, "--json").number("peak");
    Stowage.run("plan", input, "--capacity", peak).ends(0);
    Stowage.run("plan", input, "--capacity", peak - 1, "--json").ends(4).holds("status=INFEASIBLE");
    String explained = "stowage explain " + input + " --capacity " + (peak - 1);
    Stowage.run("plan", input, "--capacity", peak - 1).ends(4).says(explained);
    Stowage.run("plan", input, "--capacity", "many").ends(2);
    Stowage.run("plan", input, "--planner", "gready-size").ends(2);
    Stowage.run("plan").ends(2);
    Path wrong = file("wrong.csv", SMALL.replace("a,0,4,3", "a,0,4,3\na,0,4,3"));
    Path plan = folder.resolve("plan.csv");
    Stowage.run("plan", input, "--out", folder);
    Stowage.run("plan", wrong).ends(3);
    String shifted = Files.readString(plan).replaceFirst("(?m)^(f,.*),\\d+$", "$1,2");
    Stowage.run("verify", input, file("shifted.csv", shifted), "--json")
        .ends(6)
        .holds("violations/0/kind=OVERLAP");
  }

  @Test
  void aHeuristicThatDoesNotFitIsUnknown() throws IOException {
    Path input = file("gap.csv", "id,lower,upper,size\na,0,2,2\nb,1,4,2\nc,3,6,3\nd,5,8,2\n");
    long alone = Stowage.line("plan %s --planner greedy-start --json", input).number("peak");
    long best = Stowage.run("plan", input, "--json").number("peak");
    if (best < alone) {
      Stowage.line("plan %s --planner greedy-start --capacity %s --json", input, alone - 1)
          .ends(5)
          .holds("status=UNKNOWN");
    }
    assertTrue(alone >= best);
  }

  @Test
  void badInputIsOneLineAndLeavesNothing() throws IOException {
    for (String bad :
        List.of(
            "id,lower,upper\na,0,1\n",
            "id,lower,upper,size\na,0,1,-4\n",
            "id,lower,upper,size\na,5,1,4\n",
            "id,lower,upper,size\na,0,1,99999999999999999999\n",
            "",
            "\0\1\2\177ELF")) {
      Path input = file("bad.csv", bad);
      Path out = folder.resolve("nothing");
      Stowage run = Stowage.run("plan", input, "--out", out).ends(3);
      assertEquals(1, run.err().strip().lines().count(), bad + ": " + run.err());
      run.says("bad.csv");
      assertFalse(Files.exists(out), bad);
    }
    Stowage.run("plan", folder).ends(3);
    Stowage.run("plan", folder.resolve("absent.csv")).ends(3).says("absent.csv");
  }

  @Test
  void deterministicRunsAreEqualByteForByte() throws IOException {
    Path input = file("small.csv", SMALL);
    for (String name : List.of("one", "two")) {
      Path out = folder.resolve(name);
      Stowage.line("plan %s --deterministic --det-limit 0.2 --out %s", input, out);
    }
    Path plan = folder.resolve("one/plan.csv");
    assertEquals(-1, Files.mismatch(plan, folder.resolve("two/plan.csv")));
  }

  @Test
  void effortSaysHowMuchARunIsWorth() throws IOException {
    Path input = file("small.csv", SMALL);
    Stowage fast = Stowage.run("plan", input, "--effort", "fast", "--json");
    assertTrue(fast.number("peak") >= fast.number("lowerBound"));
    fast.holds("boundKind=max-load");
    Stowage.run("plan", input, "--effort", "proof", "--json").holds("status=OPTIMAL");
    Stowage.run("plan", input, "--effort", "fast", "--planner", "search").ends(2).says("--planner");
    Stowage.run("plan", input, "--effort", "slow").ends(2);
  }

  /** A bound of 1 byte of the peak says nothing about a price of 0. */
  @Test
  void theGapIsThatOfTheFirstGoal() throws IOException {
    Path file =
        file(
            "priced.json",
            """
            {"buffers": [{"id": "a", "lower": 0, "upper": 1, "size": 1},
                         {"id": "b", "lower": 1, "upper": 2, "size": 1}],
             "reuse": [{"a": "a", "b": "b"}]}
            """);
    Stowage.run("plan", file, "--objective", "reuse").ends(0).prints("  gap       0 %, of reuse\n");
    Stowage.run("plan", file, "--objective", "peak,reuse").ends(0).prints("  gap       0 %\n");
  }

  /**
   * In order, a, b and c need the most, 28. With b on another stream, x is read while c is made.
   */
  @Test
  void aFileSaysWhichOpRunsOnWhichStream() throws IOException {
    Graphs net = Graphs.of("x:4; a:4 = A x; b:8 = B x; c:16 = C a; d:2 = D b c; -> d");
    String plan = "plan %s --json --alignment 1 --concurrency streams=";
    Path network = net.write(folder.resolve("net.json"));
    String[] streams = {
      "a,s\nb,s\nc,s\nd,s\n", "\uFEFF# two\r\na, s\r\n\r\nb\tother\r\nc,s\r\nd,s"
    };
    for (int k = 0; k < 2; k++) {
      Path file = file("streams.txt", streams[k]);
      assertEquals(28 + 4 * k, Stowage.line(plan + file, network).ends(0).number("peak"));
    }
    for (String wrong : List.of("b", "b, ", " ,s", "a,t")) {
      Path file = file("streams.txt", "a,s\n" + wrong + "\nc,s\nd,s\n");
      String what = wrong.equals("a,t") ? "a stream already" : "should be an op's name";
      Stowage.line(plan + file, network).ends(3).says("streams.txt: line 2: ", what);
    }
  }
}

package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;

/** What {@code explain} says when its time is up, and when it is not. */
class ExplainCommandTest {
  /** Fourteen buffers whose lowest peak is above their max load, so that a search must say so. */
  private static final String INPUT = "models/packing/hard-4.csv";

  private static final String BELOW_ITS_OPTIMUM = "39935";

  private static Stowage explain(String input, String capacity, String seconds) {
    return Stowage.run("explain", input, "--capacity", capacity, "--time-limit", seconds, "--json");
  }

  @Test
  void withoutTimeItClaimsNothing() {
    // Open at its max load: a minute is not enough for a plan, and no proof says that there is
    // none.
    explain("models/packing/near-capacity-400.csv", "1048576", "0.001")
        .ends(ExitCode.NO_PLAN)
        .holds("status=UNKNOWN");
  }

  @Test
  void withTimeItNamesTheBuffersThatNeedMore() {
    Stowage run = explain(INPUT, BELOW_ITS_OPTIMUM, "60").ends(ExitCode.OK);
    JsonChecks.holds(run.json(), "status=INFEASIBLE irreducible=true needed=39936");
    JsonNode shrunk = run.json().get("leastShrunk");
    JsonNode moved = run.json().get("leastMoved");
    JsonChecks.holds(shrunk, "bytes=1 lowerBound=1 boundKind=cp-sat");
    JsonNode cut = shrunk.get("buffers").get(0);
    assertEquals(1, cut.get("size").asLong() - cut.get("enough").asLong());
    assertEquals(0, moved.get("buffers").get(0).get("enough").asLong());
    assertTrue(moved.get("bytes").asLong() >= moved.get("lowerBound").asLong());
  }

  @Test
  void theTextSaysTheLeastChange() {
    Stowage.run("explain", INPUT, "--capacity", BELOW_ITS_OPTIMUM)
        .prints(
            "All fit with 1 byte less in all; no less is enough", "of buffers in another memory");
    Stowage network = Stowage.line("explain models/networks/tiny.json --capacity 64KiB");
    assertTrue(network.err().contains("stowage fit models/networks/tiny.json"), network.err());
  }

  @Test
  void oneBufferIsNamedAsOne(@TempDir Path folder) throws IOException {
    Path input =
        Files.writeString(folder.resolve("two.csv"), "id,lower,upper,size\na,0,2,9\nb,2,4,8\n");
    Stowage run = Stowage.run("explain", input, "--capacity", 7);
    String text = run.out();
    assertTrue(text.startsWith("This buffer cannot be placed within 7 bytes.\n"), text);
    assertFalse(text.contains("the rest"), "the other one does not fit either: " + text);
    assertTrue(text.contains("It takes 9 bytes, 2 bytes too much: shrink it by that"), text);
    Path given = folder.resolve("given.csv");
    Files.writeString(given, "id,lower,upper,size,offset\na,0,2,9,6\n");
    Stowage.run("explain", given, "--capacity", 5)
        .prints("it ends at 15 bytes or above, 10 bytes too much.\n");
    Path out = folder.resolve("out");
    Stowage.run("plan", input, "--out", out).ends(0);
    String chain = Stowage.run("explain", input, "--plan", out.resolve("plan.json")).out();
    assertTrue(chain.contains("is set by one buffer; a lower peak needs a change to it"), chain);
  }

  /** What a removal gains may be more than a buffer has: its alignment takes bytes as well. */
  @Test
  void noBufferIsToShrinkByMoreThanItHas(@TempDir Path folder) throws IOException {
    String problem = "id,lower,upper,size,alignment,offset\na,0,2,3,1,0\nb,0,2,8,8,8\n";
    Path input = Files.writeString(folder.resolve("two.csv"), problem);
    Stowage.run("explain", input, "--ignore-offsets", "--plan", input)
        .prints("remove \"b\"; lowers the peak by 13 bytes. Shrinking it gains that at most.");
  }

  @Test
  void withoutOptionsItSaysWhatSetsThePeakOnOneScreen() {
    Stowage run = Stowage.run("explain", INPUT).ends(ExitCode.OK);
    assertTrue(run.out().startsWith("OPTIMAL: hard-4"), run.out());
    assertTrue(run.out().contains("39,936") && run.out().contains("max-load"), run.out());
    assertTrue(run.out().lines().count() <= 40, run.out());
    JsonNode json = Stowage.run("explain", INPUT, "--json").json();
    JsonChecks.holds(json, "peak=39936 lowerBound=39936 status=OPTIMAL");
    assertTrue(json.get("bounds").size() >= 1 && json.get("chain").size() >= 1);
    Stowage.run("explain", INPUT, "--capacity", 7, "--plan", "plan.json").ends(ExitCode.USAGE);
  }

  /** In a memory of a chip besides the main one, the plan, its check and its peaks agree. */
  @Test
  void plansInSeveralMemoriesAreExplainedAndVerifiedByAllPeaks(@TempDir Path folder) {
    String network = "models/networks/tiny.json";
    String plan = "plan %s --chip bm1690 --memory l2 --out %s --effort fast";
    Stowage.line(plan, network, folder).ends(ExitCode.OK);
    Stowage.run("verify", network, folder.resolve("plan.json"))
        .ends(ExitCode.OK)
        .prints(" of l2, 0 bytes of main");
    Stowage.line("explain %s --chip bm1690 --memory l2 --time-limit 5s", network)
        .prints("fits in l2");
  }

  @Test
  void aRoomyCapacityNeedsNoTime() {
    explain(INPUT, "10MiB", "0.001").ends(ExitCode.OK).holds("status=FEASIBLE");
  }
}

package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import stowage.JsonChecks;
import stowage.packing.Placement;
import stowage.report.SampleRuns;

class PlanDiffTest {
  private static PlanDiff diff(Placement first, Placement second) {
    return PlanDiff.of(SampleRuns.three(), "one", first, "two", second);
  }

  @Test
  void tellsWhatMovedAndWhosePlaceItTakes() throws Exception {
    // b leaves the top for a's and c's place, which rise above it.
    PlanDiff diff = diff(Placement.of(new long[] {0, 8, 0}), Placement.of(new long[] {4, 0, 4}));
    JsonNode json = JsonChecks.read(diff.json());
    JsonChecks.holds(json, "moved=3 bytesMoved=20 first/peaks/main=12 second/valid=true");
    JsonNode last = json.get("moves").get(2);
    assertEquals("b", last.get("id").asText(), "the smallest comes last");
    JsonChecks.holds(last, "from=8 to=0");
    assertEquals("[\"a\",\"c\"]", last.get("takesPlaceOf").toString());
    assertEquals("[\"b\"]", json.get("moves").get(0).get("takesPlaceOf").toString());
    assertTrue(diff.text().contains("the same"), diff.text());
    assertTrue(diff.text().contains("moved: 3 of 3 buffers, 20 bytes"), diff.text());
  }

  @Test
  void samePlansAreTheSame() {
    Placement placement = Placement.of(new long[] {0, 8, 0});
    PlanDiff diff = diff(placement, placement);
    assertTrue(diff.isSame());
    assertTrue(diff.text().contains("both place every buffer alike"));
  }

  @Test
  void aPlanThatDoesNotHoldIsSaidToBeSo() throws Exception {
    PlanDiff diff = diff(Placement.of(new long[] {0, 20, 0}), Placement.of(new long[] {0, 7, 0}));
    assertTrue(diff.text().contains("not valid: two: buffers \"a\" and \"b\" overlap"));
    assertTrue(diff.text().contains("-13 (-54.2 %)"), diff.text());
    JsonNode json = JsonChecks.read(diff.json());
    JsonChecks.holds(json, "first/valid=true second/valid=false");
    assertEquals(1, json.get("second").get("violations").size());
  }

  @Test
  void memoriesAreNamed() throws Exception {
    Placement before = SampleRuns.richPlan().placement();
    Placement after = Placement.of(new long[] {0, 0, 32, 32, 0}, new int[] {1, 0, 1, 1, 1});
    PlanDiff diff = PlanDiff.of(SampleRuns.rich(), "one", before, "two", after);
    assertTrue(diff.text().contains("sram 48"), diff.text());
    assertTrue(diff.text().contains("peak of sram"), diff.text());
    JsonNode moves = JsonChecks.read(diff.json()).get("moves");
    assertEquals(1, moves.size());
    assertEquals(SampleRuns.rich().buffer(2).id(), moves.get(0).get("id").asText());
    JsonChecks.holds(moves.get(0), "fromMemory=sram toMemory=dram");
  }
}

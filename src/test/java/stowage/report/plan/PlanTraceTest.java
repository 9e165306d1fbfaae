package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import stowage.Effort;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.PlanOptions;
import stowage.Stowage;
import stowage.Thorough;
import stowage.exact.reuse.RelatedProblems;
import stowage.packing.PackingProblem;
import stowage.packing.PlainForm;
import stowage.packing.Plan;

class PlanTraceTest extends FolderTest {
  @Test
  void slicesNestAndCountersReachThePeak() throws Exception {
    int traced = 0;
    int cases = Thorough.of(80, 200);
    for (int seed = 0; seed < cases; seed++) {
      PackingProblem problem = RelatedProblems.of(seed, 9);
      if (PlainForm.of(problem).refusal() != null) {
        continue;
      }
      Plan plan = Stowage.plan(problem, PlanOptions.defaults().effort(Effort.FAST).threads(1));
      if (!plan.hasPlacement()) {
        continue;
      }
      traced++;
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      PlanTrace.write(problem, plan.placement(), List.of(), null, out);
      JsonNode trace = JsonChecks.read(out.toByteArray());
      check(problem, plan, trace, "seed " + seed);
    }
    assertTrue(traced > cases / 10, traced + " traces");
  }

  private static void check(PackingProblem problem, Plan plan, JsonNode trace, String context) {
    Map<List<Long>, TreeMap<Long, Long>> threads = new HashMap<>();
    Map<Long, Long> peaks = new HashMap<>();
    int slices = 0;
    for (JsonNode event : trace.get("traceEvents")) {
      long process = event.get("pid").asLong();
      if (event.get("ph").asText().equals("X")) {
        slices++;
        long from = event.get("ts").asLong();
        long to = from + event.get("dur").asLong();
        TreeMap<Long, Long> thread =
            threads.computeIfAbsent(
                List.of(process, event.get("tid").asLong()), k -> new TreeMap<>());
        Map.Entry<Long, Long> before = thread.floorEntry(to - 1);
        assertTrue(from >= 0 && to > from, context);
        assertTrue(before == null || before.getValue() <= from, context + ": slices overlap");
        thread.put(from, to);
      } else if (event.get("name").asText().equals("highest end")) {
        peaks.merge(process, event.at("/args/bytes").asLong(), Math::max);
      }
    }
    long needed = problem.buffers().stream().filter(buffer -> buffer.needsMemory()).count();
    assertEquals(needed, slices, context);
    boolean whole = problem.buffers().stream().allMatch(buffer -> buffer.gaps().isEmpty());
    for (int m = 0; m < problem.memories().size() && whole; m++) {
      long peak = plan.placement().peak(problem, m);
      assertEquals(peak, peaks.getOrDefault(m + 1L, 0L), context);
    }
  }

  @Test
  void aNetworksOpsAreInTheTraceToo() throws Exception {
    Path out = folder.resolve("out");
    Path trace = folder.resolve("trace.json");
    String model = "models/networks/tiny.json";
    stowage.cli.Stowage planned =
        stowage.cli.Stowage.run("plan", model, "--out", out, "--json").ends(0);
    stowage.cli.Stowage run =
        stowage.cli.Stowage.line(
                "export %s --plan %s --format perfetto --out %s",
                model, out.resolve("plan.json"), trace)
            .ends(0);
    JsonNode read = JsonChecks.read(trace);
    long load = 0;
    int ops = 0;
    for (JsonNode event : read.get("traceEvents")) {
      load =
          event.get("name").asText().equals("load")
              ? Math.max(load, event.at("/args/bytes").asLong())
              : load;
      ops += event.get("pid").asInt() == 2 && event.get("ph").asText().equals("X") ? 1 : 0;
    }
    assertEquals(planned.json().get("network").get("ops").asInt(), ops);
    assertEquals(planned.json().get("lowerBound").asLong(), load);
  }
}

package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

class PortfolioTest {
  @Test
  void aRunWithoutTimeStillHasAPlan() {
    Random random = new Random(8);
    List<Buffer> buffers =
        IntStream.range(0, 30)
            .mapToObj(
                i -> {
                  int start = random.nextInt(40);
                  return new Buffer("b" + i, 1 + random.nextInt(90), start, start + 9);
                })
            .toList();
    PackingProblem problem = PackingProblem.of("no time", buffers);
    Incumbent incumbent = new Incumbent(problem);
    Portfolio.run(
        problem,
        incumbent,
        RunControl.ofSeconds(0, 1, 1),
        new Portfolio.Setup(
            Portfolio.openings(problem), List.of(new SearchEngine()), EngineOptions.defaults()));
    assertNotNull(incumbent.placement());
    assertEquals("sweep-best-fit", incumbent.finder());
  }

  /** An engine whose memory runs out, as a real one's does on a small heap. */
  private static final class Greedy implements Engine {
    @Override
    public String name() {
      return "greedy-for-memory";
    }

    @Override
    public String kind() {
      return name();
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public EngineReport run(
        PackingProblem problem, Incumbent incumbent, RunControl control, EngineOptions options) {
      throw new OutOfMemoryError("Java heap space");
    }
  }

  private static final PackingProblem OPEN =
      PackingProblem.of(
          "open",
          List.of(new Buffer("a", 2, 0, 2), new Buffer("b", 4, 1, 3), new Buffer("c", 2, 2, 5)));

  @Test
  void anEngineThatRunsOutOfMemoryIsARemarkWhereThereIsAPlan() {
    for (int threads : new int[] {1, 2}) {
      Incumbent incumbent = new Incumbent(OPEN);
      incumbent.offer(Placement.of(new long[] {0, 10, 20}), "by hand");
      Portfolio.run(
          OPEN,
          incumbent,
          RunControl.ofSeconds(20, threads, 1),
          new Portfolio.Setup(List.of(), List.of(new Greedy()), EngineOptions.defaults()));
      assertEquals(1, incumbent.remarks().size(), incumbent.remarks().toString());
      assertTrue(incumbent.remarks().get(0).startsWith("greedy-for-memory ended early"));
      assertEquals("by hand", incumbent.finder());
    }
  }

  @Test
  void anEngineThatRunsOutOfMemoryBeforeThereIsAPlanIsAnError() {
    for (int threads : new int[] {1, 2}) {
      Incumbent incumbent = new Incumbent(OPEN);
      assertThrows(
          OutOfMemoryError.class,
          () ->
              Portfolio.run(
                  OPEN,
                  incumbent,
                  RunControl.ofSeconds(20, threads, 1),
                  new Portfolio.Setup(List.of(), List.of(new Greedy()), EngineOptions.defaults())));
    }
  }
}

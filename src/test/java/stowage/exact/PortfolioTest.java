package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
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
}

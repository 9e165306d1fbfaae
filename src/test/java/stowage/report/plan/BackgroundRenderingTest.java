package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.importer.io.AtomicFiles;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.planning.LoadedProblem;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.text.ChunkedBytes;

class BackgroundRenderingTest {
  private static final int LARGE = BackgroundRendering.FEWEST_BUFFERS;

  /** Buffers of 8 bytes, two alive at each step. */
  private static PackingProblem staircase(int count) {
    List<Buffer> buffers =
        IntStream.range(0, count).mapToObj(i -> new Buffer("b" + i, 8, i, i + 2)).toList();
    return PackingProblem.of("staircase", buffers);
  }

  /** Every other buffer at 0, the others at a height. */
  private static Placement placement(int count, long height) {
    return Placement.of(IntStream.range(0, count).mapToLong(i -> i % 2 * height).toArray());
  }

  private static RunReport report(Plan plan, RunReport before) {
    LoadedProblem planned = LoadedProblem.of(plan.problem());
    return RunReport.of(plan, planned, RunSettings.DEFAULTS, RunFacts.NONE, before);
  }

  private static byte[] bytes(AtomicFiles.Content content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    content.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void hasTheLongPartsOfThePlanReadyToTheByte() throws IOException {
    PackingProblem problem = staircase(LARGE);
    Incumbent incumbent = new Incumbent(problem);
    BackgroundRendering ahead =
        BackgroundRendering.watch(incumbent, BackgroundRenderingTest::report, true);
    incumbent.offer(placement(LARGE, 24), "first");
    Plan plan = Plan.of(incumbent);
    RenderedPlan made = ahead.finish(plan);
    assertSame(plan.placement(), made.report().plan().placement());
    RunReport report = report(plan, made.report());
    assertTrue(report.tellsSamePlan(made.report()));
    RenderedPlan streamed = RenderedPlan.streamed(report);
    assertArrayEquals(bytes(streamed.csv()), bytes(made.csv()));
    assertArrayEquals(bytes(streamed.placements()), bytes(made.placements()));
    assertEquals(streamed.panels().get(), made.panels().get());

    incumbent.offer(placement(LARGE, 8), "second");
    Plan better = Plan.of(incumbent);
    assertSame(made, ahead.finish(better), "it has ended");
    assertFalse(report(better, report).tellsSamePlan(made.report()));
  }

  @Test
  void waitsForNothingWithoutAPlan() {
    Incumbent incumbent = new Incumbent(staircase(LARGE));
    BackgroundRendering ahead =
        BackgroundRendering.watch(incumbent, BackgroundRenderingTest::report, true);
    assertNull(ahead.finish(Plan.of(incumbent)));
  }

  @Test
  void worksAheadOnlyForLargePlansThatFitTheMemory() {
    PackingProblem large = staircase(LARGE);
    PackingProblem small = staircase(LARGE - 1);
    assertTrue(BackgroundRendering.isWorthwhile(large, 4L << 30));
    assertFalse(BackgroundRendering.isWorthwhile(large, 100L << 20));
    assertFalse(BackgroundRendering.isWorthwhile(small, 4L << 30));
    assertNull(
        BackgroundRendering.watch(new Incumbent(small), BackgroundRenderingTest::report, true));
  }

  @Test
  void keepsBytesOfAnyNumberInOrder() throws IOException {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ChunkedBytes chunked = new ChunkedBytes();
    SplittableRandom random = new SplittableRandom(7);
    for (int k = 0; k < 60; k++) {
      byte[] piece = new byte[random.nextInt(1 << random.nextInt(20))];
      random.nextBytes(piece);
      for (OutputStream out : List.of(expected, chunked)) {
        out.write(k);
        out.write(piece, 0, piece.length);
      }
    }
    assertArrayEquals(expected.toByteArray(), bytes(chunked::writeTo));
  }
}

package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.Placement;
import stowage.report.SampleRuns;

class ProgressPrinterTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void printsALineForEachImprovement() {
    Incumbent incumbent = new Incumbent(SampleRuns.three());
    try (ProgressPrinter printer = new ProgressPrinter(out)) {
      incumbent.addListener(printer);
      incumbent.offer(Placement.of(new long[] {0, 20, 0}), "first");
      incumbent.offer(Bound.of(12, new Certificate.MaxLoad(0, 3, 0, new int[] {0, 1})), "max-load");
      incumbent.began("filling valleys", "search");
      incumbent.offer(Placement.of(new long[] {0, 8, 0}), "second");
    }
    List<String> lines = lines();
    assertEquals(5, lines.size());
    assertTrue(lines.get(0).contains("peak") && lines.get(0).contains("who"));
    assertTrue(lines.get(1).matches(".* 24 +- +-  plan by first"), lines.get(1));
    assertTrue(lines.get(2).matches(".* 24 +12 +100 %  bound by max-load"), lines.get(2));
    assertTrue(lines.get(3).matches(".* 24 +12 +100 %  search: filling valleys"), lines.get(3));
    assertTrue(lines.get(4).matches(".* 12 +12 +0 %  plan by second"), lines.get(4));
  }

  @Test
  void beatsWhileNothingImprovesAndStopsWhenClosed() throws InterruptedException {
    ProgressPrinter printer = new ProgressPrinter(out, "peak", 0.01);
    for (int wait = 0; wait < 1000 && lines().size() < 3; wait++) {
      Thread.sleep(10);
    }
    printer.close();
    assertTrue(lines().size() >= 3, "a heartbeat every hundredth of a second");
    assertTrue(lines().get(1).endsWith("..."), lines().get(1));
    final int before = lines().size();
    printer.improved(new Incumbent.Event(0, null, new Bound[1], "late"));
    assertEquals(before, lines().size());
    assertFalse(lines().stream().anyMatch(line -> line.contains("late")));
  }
}

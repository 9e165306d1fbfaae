package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
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
    try (ProgressPrinter printer = new ProgressPrinter(out, List.of("peak"))) {
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

  /** What a terminal of a width shows, an entry a rewriting, of a run with two improvements. */
  private List<String> onTerminal(int columns, String noColor) {
    Incumbent incumbent = new Incumbent(SampleRuns.three());
    Map<String, String> environment =
        Map.of("TERM", "xterm", "COLUMNS", Integer.toString(columns), "NO_COLOR", noColor);
    try (ProgressPrinter printer = new ProgressPrinter(out, List.of("peak"), 60, environment)) {
      incumbent.addListener(printer);
      incumbent.working("search", true);
      incumbent.offer(Bound.of(12, new Certificate.MaxLoad(0, 3, 0, new int[] {0, 1})), "max-load");
      incumbent.offer(Placement.of(new long[] {0, 20, 0}), "first");
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(text.endsWith("\r\u001b[K"), "the status is taken away at the end");
    return List.of(text.split("\r\u001b\\[K|\n"));
  }

  @Test
  void keepsOneLineUpToDateOnATerminal() {
    List<String> shown = onTerminal(100, "1");
    assertTrue(shown.stream().anyMatch(line -> line.endsWith("plan by first")), shown.toString());
    String status = "s/60s  peak 24  bound 12  gap 100 %  search  [Ctrl-C keeps the best]";
    assertTrue(shown.stream().anyMatch(line -> line.endsWith(status)), shown.toString());
    assertFalse(shown.toString().contains("\u001b["), "NO_COLOR is respected");
  }

  @Test
  void neverTakesMoreThanTheTerminalsWidth() {
    for (int columns : new int[] {20, 30, 50, 72, 80}) {
      bytes.reset();
      for (String line : onTerminal(columns, "1")) {
        assertTrue(line.length() < columns, columns + ": " + line);
      }
    }
    bytes.reset();
    List<String> coloured = onTerminal(40, "");
    assertTrue(coloured.toString().contains("\u001b[1m"));
    for (String line : coloured) {
      assertTrue(line.replaceAll("\u001b\\[[0-9]*m", "").length() < 40, line);
    }
  }

  @Test
  void beatsWhileNothingImprovesAndStopsWhenClosed() throws InterruptedException {
    ProgressPrinter printer = new ProgressPrinter(out, List.of("peak"), 0.01);
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

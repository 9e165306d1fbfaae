package stowage.report.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.network.memory.MemoryMap;
import stowage.packing.RunControl;
import stowage.residency.ResidencySolver;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyProblem;

/** The picture of a small plan names every buffer where it is, and every transfer. */
class MemoriesSvgTest {
  @Test
  void buffersAndTransfersAreThere() {
    MemoryMap map =
        new MemoryMap(
            "two",
            List.of(new MemoryMap.Space("fast", 8, 1, 0, 1000, 0, 1, true)),
            List.of(new MemoryMap.Space("slow", 100, 1, 0, 10, 5, 1, true)),
            true,
            List.of(MemoryMap.Kind.ACTIVATIONS),
            List.of(),
            List.of(),
            List.of());
    List<HeldBuffer> items = List.of(item("first & last", 6, 0, 2), item("between", 6, 1, 1));
    ResidencyProblem problem =
        new ResidencyProblem(map, List.of(op("one"), op("two"), op("three")), items, false);
    ResidencySolver.Answer answer = ResidencySolver.solve(problem, RunControl.ofSeconds(10, 1, 1));
    String picture = MemoriesSvg.of(problem, answer.plan(), "Two memories", "figures");
    assertEquals(12, answer.price());
    assertEquals(3, count(picture, "first &amp; last, 6 bytes at"), "twice fast, once at home");
    assertEquals(1, count(picture, "between, 6 bytes at"));
    assertEquals(1, count(picture, "write back first &amp; last"));
    assertEquals(1, count(picture, "fetch first &amp; last"));
    assertTrue(picture.contains(">slow<") && picture.contains(">three, "), picture);
    assertTrue(picture.contains(">activations<") && picture.contains(">fetch<"), picture);
    assertFalse(picture.contains(">weights<") || picture.contains(">scratch<"), "none is drawn");
  }

  private static ResidencyProblem.Step op(String name) {
    return new ResidencyProblem.Step(name, 0, false, 0);
  }

  private static HeldBuffer item(String id, long bytes, int from, int to) {
    List<HeldBuffer.Event> events =
        from == to
            ? List.of(new HeldBuffer.Event(from, 0, bytes))
            : List.of(new HeldBuffer.Event(from, 0, bytes), new HeldBuffer.Event(to, bytes, 0));
    return new HeldBuffer(id, bytes, MemoryMap.Kind.ACTIVATIONS, 1, false, false, events);
  }

  private static int count(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }
}

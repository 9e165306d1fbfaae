package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.report.svg.Markup;
import stowage.report.svg.SizeClasses;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;
import stowage.report.svg.Ticks;

class PictureHelpersTest {
  @Test
  void ticksAreRoundAndFew() {
    assertEquals(List.of(0L, 2L, 4L, 6L, 8L, 10L, 12L), Ticks.bytes(12));
    assertEquals(List.of(0L, 262144L, 524288L, 786432L, 1048576L), Ticks.bytes(1_200_000));
    assertEquals(List.of(20L, 40L, 60L, 80L, 100L), Ticks.steps(3, 117, 8));
    long seed = 11;
    Random random = new Random(seed);
    for (int k = 0; k < 1000; k++) {
      long most = random.nextLong() >>> (1 + random.nextInt(62));
      assertTrue(Ticks.bytes(most).size() <= 9, "seed " + seed + ", most " + most);
      long from = random.nextInt();
      long to = from + 1 + (random.nextInt() & 0xFFFFFFFFL) / (1 + random.nextInt(1000000));
      List<Long> steps = Ticks.steps(from, to, 11);
      assertTrue(steps.size() <= 11, "seed " + seed + ": " + from + " to " + to);
      assertTrue(steps.stream().allMatch(step -> from <= step && step <= to));
    }
  }

  @Test
  void numbersAreShort() {
    assertEquals("3", SvgWriter.number(3.001));
    assertEquals("3.5", SvgWriter.number(3.5));
    assertEquals("3.05", SvgWriter.number(3.049));
    assertEquals("-0.25", SvgWriter.number(-0.25));
    assertEquals("0", SvgWriter.number(-0.001));
  }

  @Test
  void textIsCutToItsRoom() {
    assertEquals("conv", TextWidth.fitted("conv", 10, 100));
    String cut = TextWidth.fitted("layer1.0.conv1/output", 10, 60);
    assertTrue(cut.endsWith("…") && cut.length() > 3, cut);
    assertTrue(TextWidth.of(cut, 10) <= 60, cut);
    assertEquals("", TextWidth.fitted("layer", 10, 3));
    assertEquals("😀…", TextWidth.fitted("😀😀😀", 10, 20), "no character is cut in two");
  }

  @Test
  void sizeClassesCoverEverySizeOnce() {
    long seed = 12;
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<Buffer> buffers = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        buffers.add(
            new Buffer("b" + i, 1 + (random.nextLong() >>> (6 + random.nextInt(57))), 0, 1));
      }
      SizeClasses classes = SizeClasses.of(PackingProblem.of("p", buffers));
      assertTrue(classes.count() >= 1 && classes.count() <= 6, "seed " + seed);
      for (Buffer buffer : buffers) {
        int index = classes.of(buffer.size());
        assertTrue(classes.from(index) <= buffer.size(), "seed " + seed);
        assertTrue(
            index == classes.count() - 1 || buffer.size() < classes.from(index + 1),
            "seed " + seed);
      }
    }
  }

  @Test
  void markupLosesNothingThatXmlAllows() {
    assertEquals("a&lt;b&gt;&amp;&quot;&#39;&#10;é漢😀", Markup.escape("a<b>&\"'\né漢😀"));
    assertEquals("\uFFFD\uFFFD", Markup.escape("\u0000\uD800"));
    assertEquals("\\u003c/script>\\u2028", Markup.scriptSafe("</script>\u2028"));
  }
}

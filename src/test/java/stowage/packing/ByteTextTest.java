package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteTextTest {

  @Test
  void writesBinaryUnitsWithoutNeedlessDecimals() {
    assertEquals("0 B", ByteText.human(0));
    assertEquals("1023 B", ByteText.human(1023));
    assertEquals("1 KiB", ByteText.human(1024));
    assertEquals("1.5 KiB", ByteText.human(1536));
    assertEquals("1015 KiB", ByteText.human(1_039_360));
    assertEquals("1.00 MiB", ByteText.human(1_052_672), "about a MiB is not a MiB");
    assertEquals("1.25 MiB", ByteText.human(1_310_720));
    assertEquals("100 MiB", ByteText.human(100L << 20));
    assertEquals("2 EiB", ByteText.human(Long.MAX_VALUE / 4));
  }

  @Test
  void writesBytesExactly() {
    assertEquals("1,048,576", ByteText.exact(1 << 20));
    assertEquals("1 MiB (1,048,576 bytes)", ByteText.both(1 << 20));
    assertEquals("12 bytes", ByteText.both(12));
    assertEquals("1 byte", ByteText.both(1));
  }

  @Test
  void agreesWithFormats() {
    SplittableRandom random = new SplittableRandom(1);
    for (int k = 0; k < 3_000; k++) {
      long bytes = random.nextLong() >> random.nextInt(64);
      assertEquals(String.format(Locale.ROOT, "%,d", bytes), ByteText.exact(bytes));
      double share = bytes / 1e6;
      String percent =
          String.format(Locale.ROOT, Math.abs(share) < 0.1 ? "%.2f" : "%.1f", share * 100);
      String said = ByteText.percent(share).replace(" %", "");
      assertTrue(percent.startsWith(said) || said.contains("0.01"), percent + " and " + said);
      double seconds = random.nextDouble() * 20;
      int decimals = seconds < 1 ? 3 : seconds < 10 ? 2 : 1;
      String time = String.format(Locale.ROOT, "%." + decimals + "f s", seconds);
      assertEquals(time, ByteText.seconds(seconds));
    }
  }

  @Test
  void writesNumbersAsPeopleDo() {
    assertEquals("60", ByteText.plain(60));
    assertEquals("-1", ByteText.plain(-1));
    assertEquals("0", ByteText.plain(-0.0));
    assertEquals("0.25", ByteText.plain(0.25));
    assertEquals("1000000", ByteText.plain(1e6));
    assertEquals("1.0E300", ByteText.plain(1e300), "not three hundred digits");
    assertEquals("NaN", ByteText.plain(Double.NaN));
  }

  @Test
  void neverShowsAGapAsNothing() {
    assertEquals("0 %", ByteText.percent(0));
    assertEquals("< 0.01 %", ByteText.percent(1e-9));
    assertEquals("0.42 %", ByteText.percent(0.0042));
    assertEquals("60 %", ByteText.percent(3 * 0.2), "rounding of the machine's is not shown");
    assertEquals("13.0 %", ByteText.percent(0.12999));
    assertEquals("12.5 %", ByteText.percent(0.125));
    assertEquals("-", ByteText.percent(Double.NaN));
    assertEquals("-", ByteText.percent(Double.POSITIVE_INFINITY));
  }
}

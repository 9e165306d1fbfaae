package stowage.rewrite.range;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranges next to cells that were marked one by one. */
class IndexMapTest {
  private static final int CASES = 20_000;

  @Test
  void windowsReadJustTheCellsTheirTapsFallOn() {
    Random random = new Random(1);
    for (int turn = 0; turn < CASES; turn++) {
      int in = 1 + random.nextInt(30);
      int kernel = 1 + random.nextInt(7);
      int stride = 1 + random.nextInt(3);
      int dilation = 1 + random.nextInt(2);
      int reach = (kernel - 1) * dilation + 1;
      int before = random.nextInt(reach);
      int after = random.nextInt(reach);
      if (in + before + after < reach) {
        continue;
      }
      int out = (in + before + after - reach) / stride + 1;
      Span need = span(random, out);
      Part part = new IndexMap.Window(reach, stride, before).part(need, in, out);
      String what = "turn " + turn + ": " + need + " of " + out + " from " + in;
      BitSet marked = new BitSet();
      int first = Integer.MAX_VALUE;
      int last = Integer.MIN_VALUE;
      for (long o = need.begin(); o < need.end(); o++) {
        for (int tap = 0; tap < reach; tap++) {
          int cell = (int) (o * stride - before + tap);
          first = Math.min(first, cell);
          last = Math.max(last, cell);
          if (cell >= 0 && cell < in) {
            marked.set(cell);
          }
        }
      }
      if (marked.isEmpty()) {
        assertNull(part, what);
        continue;
      }
      assertEquals(new Span(marked.nextSetBit(0), marked.length()), part.fed(), what);
      assertEquals(need, part.computed(), what);
      assertEquals(Math.max(0, -first), part.before(), what);
      assertEquals(Math.max(0, last + 1 - in), part.after(), what);
    }
  }

  private static Span span(Random random, int extent) {
    int begin = random.nextInt(extent);
    return new Span(begin, begin + 1 + random.nextInt(extent - begin));
  }

  /** Every piece is computed as TFLite computes SAME from its own rows, on numbers. */
  @Test
  void croppedPiecesOfPaddingSameAreRight() {
    Random random = new Random(2);
    int wrongRows = 0;
    for (int turn = 0; turn < CASES; turn++) {
      int in = 1 + random.nextInt(40);
      int kernel = 1 + random.nextInt(7);
      int stride = 1 + random.nextInt(3);
      int dilation = 1 + random.nextInt(2);
      long[] image = random.longs(in, 1, 1 << 30).toArray();
      long[] taps = random.longs(kernel, 1, 1 << 20).toArray();
      long[] whole = same(image, taps, stride, dilation);
      int reach = (kernel - 1) * dilation + 1;
      int before = Math.max(0, (whole.length - 1) * stride + reach - in) / 2;
      Span need = span(random, whole.length);
      Part part = new IndexMap.SameWindow(reach, stride, before).part(need, in, whole.length);
      String what =
          "turn " + turn + ": " + need + ", k " + kernel + ", s " + stride + ", d " + dilation
              + ", in " + in;
      assertNotNull(part, what);
      long[] rows = Arrays.copyOfRange(image, (int) part.fed().begin(), (int) part.fed().end());
      long[] made = same(rows, taps, stride, dilation);
      assertEquals(part.computed().size(), made.length, what);
      for (long o = need.begin(); o < need.end(); o++) {
        assertEquals(whole[(int) o], made[(int) (o - part.computed().begin())], what);
      }
      wrongRows += part.computed().size() > need.size() ? 1 : 0;
    }
    assertTrue(wrongRows > CASES / 10, wrongRows + " pieces compute wrong rows");
  }

  private static long[] same(long[] image, long[] taps, int stride, int dilation) {
    long[] result = new long[(image.length + stride - 1) / stride];
    int reach = (taps.length - 1) * dilation + 1;
    int before = Math.max(0, (result.length - 1) * stride + reach - image.length) / 2;
    for (int o = 0; o < result.length; o++) {
      for (int k = 0; k < taps.length; k++) {
        int cell = o * stride - before + k * dilation;
        result[o] += cell >= 0 && cell < image.length ? image[cell] * taps[k] : 0;
      }
    }
    return result;
  }

  @Test
  void transposedPiecesAreRight() {
    Random random = new Random(3);
    for (int turn = 0; turn < CASES; turn++) {
      int in = 1 + random.nextInt(20);
      int kernel = 1 + random.nextInt(5);
      int stride = 1 + random.nextInt(4);
      int dilation = 1 + random.nextInt(2);
      int reach = (kernel - 1) * dilation + 1;
      int before = random.nextInt(reach);
      int out = (in - 1) * stride + reach - before - random.nextInt(reach) + random.nextInt(stride);
      if (out < 1) {
        continue;
      }
      long[] image = random.longs(in, 1, 1 << 30).toArray();
      long[] taps = random.longs(kernel, 1, 1 << 20).toArray();
      Span need = span(random, out);
      boolean cuts = random.nextBoolean();
      Part part = new IndexMap.Transposed(reach, stride, before, cuts).part(need, in, out);
      String what = "turn " + turn + ": " + need + " of " + out + " from " + in + " " + part;
      long[] whole = spread(image, taps, stride, dilation, before, out);
      long[] rows = Arrays.copyOfRange(image, (int) part.fed().begin(), (int) part.fed().end());
      int cut = (int) (cuts ? part.before() : 0);
      assertTrue(part.computed().begin() <= need.begin() && cut >= 0, what);
      long[] made = spread(rows, taps, stride, dilation, cut, (int) part.computed().size());
      for (long o = need.begin(); o < need.end(); o++) {
        assertEquals(whole[(int) o], made[(int) (o - part.computed().begin())], what);
      }
    }
  }

  private static long[] spread(
      long[] image, long[] taps, int stride, int dilation, int before, int out) {
    long[] result = new long[out];
    for (int i = 0; i < image.length; i++) {
      for (int k = 0; k < taps.length; k++) {
        int o = i * stride - before + k * dilation;
        if (o >= 0 && o < out) {
          result[o] += image[i] * taps[k];
        }
      }
    }
    return result;
  }

  @Test
  void repeatedAndGatheredRowsByMarking() {
    Random random = new Random(4);
    for (int turn = 0; turn < CASES; turn++) {
      int factor = 1 + random.nextInt(4);
      int small = 1 + random.nextInt(12);
      Span need = span(random, small * factor);
      Part part = new IndexMap.Repeated(factor).part(need, small, (long) small * factor);
      BitSet marked = new BitSet();
      for (long o = need.begin(); o < need.end(); o++) {
        marked.set((int) (o / factor));
      }
      assertEquals(new Span(marked.nextSetBit(0), marked.length()), part.fed());
      assertEquals(part.fed().begin() * factor, part.computed().begin());
      assertEquals(part.fed().end() * factor, part.computed().end());
      Span rows = span(random, small);
      assertEquals(
          new Span(rows.begin() * factor, rows.end() * factor),
          new IndexMap.Gathered(factor).part(rows, (long) small * factor, small).fed());
    }
  }
}

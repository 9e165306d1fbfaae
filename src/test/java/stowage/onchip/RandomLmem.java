package stowage.onchip;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import stowage.network.Chip;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;

/** Random groups in LMEM: lives around the end, resident weights, scratch, and one sharing. */
public final class RandomLmem {
  private RandomLmem() {}

  /** So many buffers of up to so many bytes. */
  public static LmemProblem of(Random random, Chip chip, int steps, int count, int largest) {
    List<LmemBuffer> buffers = new ArrayList<>();
    for (int b = 0; b < count; b++) {
      boolean resident = random.nextInt(6) == 0;
      int start = random.nextInt(steps);
      int end = (start + random.nextInt(steps - 1)) % steps + 1;
      long size = 1 + random.nextInt(largest);
      LmemBuffer.Kind kind = LmemBuffer.Kind.values()[random.nextInt(3)];
      buffers.add(
          resident
              ? new LmemBuffer("b" + b, LmemBuffer.Kind.WEIGHT, 0, steps, size, true)
              : new LmemBuffer("b" + b, kind, start, end, size, false));
    }
    List<LmemProblem.Step> table = new ArrayList<>();
    for (int s = 0; s < steps; s++) {
      int step = s;
      List<Integer> live =
          IntStream.range(0, count)
              .filter(b -> buffers.get(b).isLive(step))
              .filter(b -> buffers.get(b).kind() != LmemBuffer.Kind.SCRATCH)
              .boxed()
              .toList();
      List<Integer> reads = third(random, live);
      List<Integer> writes = third(random, live);
      List<LmemProblem.Compute> computes =
          reads.isEmpty() && writes.isEmpty()
              ? List.of()
              : List.of(new LmemProblem.Compute("op" + s, reads, writes, -1));
      table.add(new LmemProblem.Step(computes, moves(random, live), moves(random, live)));
    }
    return new LmemProblem(chip, steps, buffers, table, sharings(buffers, steps, random));
  }

  private static List<Integer> third(Random random, List<Integer> from) {
    return from.stream().filter(b -> random.nextInt(3) == 0).toList();
  }

  private static List<LmemProblem.Move> moves(Random random, List<Integer> live) {
    return third(random, live).stream().map(b -> new LmemProblem.Move(b, "t" + b)).toList();
  }

  /** At most one result that begins in the last step of a buffer that is no smaller. */
  private static List<LmemProblem.Sharing> sharings(
      List<LmemBuffer> buffers, int steps, Random random) {
    for (int result = 0; result < buffers.size(); result++) {
      for (int operand = 0; operand < buffers.size(); operand++) {
        LmemBuffer r = buffers.get(result);
        LmemBuffer o = buffers.get(operand);
        long common = IntStream.range(0, steps).filter(s -> r.isLive(s) && o.isLive(s)).count();
        boolean fits = result != operand && !r.resident() && !o.resident() && r.size() <= o.size();
        boolean meetOnce =
            common == 1 && o.isLive(r.start()) && r.length(steps) > 1 && o.length(steps) > 1;
        if (fits && meetOnce && random.nextBoolean()) {
          return List.of(new LmemProblem.Sharing(result, operand));
        }
      }
    }
    return List.of();
  }
}

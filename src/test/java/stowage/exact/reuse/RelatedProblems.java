package stowage.exact.reuse;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.InvalidProblemException;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;

/** Small random problems that have every kind of relation and constraint, a few at a time. */
public final class RelatedProblems {
  private RelatedProblems() {}

  /** A problem of 2 to {@code most} buffers; the same seed gives the same one. */
  public static PackingProblem of(long seed, int most) {
    Random random = new Random(seed);
    while (true) {
      try {
        return attempt(random, seed, most);
      } catch (InvalidProblemException contradiction) {
        // Distances that contradict each other, or buffers too large for a bank: draw again.
      }
    }
  }

  /** A problem of one memory, in part with buffers that need nothing and alignments that clash. */
  public static PackingProblem withIdle(long seed, int most) {
    Random random = new Random(seed);
    for (long k = seed; ; k += 1_000_000) {
      PackingProblem drawn = of(k, most);
      if (drawn.memories().size() > 1) {
        continue;
      }
      List<Buffer> buffers = new ArrayList<>();
      for (Buffer buffer : drawn.buffers()) {
        int kind = random.nextInt(12);
        Buffer made =
            kind == 0
                ? buffer.withGaps(List.of()).withSize(0)
                : kind == 1 && !buffer.holdsPlace()
                    ? buffer.withGaps(List.of()).withLive(2, 2)
                    : buffer;
        buffers.add(kind == 2 && !made.isFixed() ? made.withAlignment(3) : made);
      }
      try {
        return drawn.withBuffers(buffers).withName("seed " + seed);
      } catch (InvalidProblemException tooLarge) {
        // Draw again.
      }
    }
  }

  private static PackingProblem attempt(Random random, long seed, int most) {
    int n = 2 + random.nextInt(most - 1);
    int steps = 2 + random.nextInt(6);
    int memories = random.nextInt(4) == 0 ? 2 : 1;
    List<Memory> made = new ArrayList<>();
    for (int m = 0; m < memories; m++) {
      made.add(memory(random, m, memories));
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      buffers.add(buffer(random, i, steps, memories));
    }
    Relations relations =
        Relations.none()
            .withReuse(reuse(random, n))
            .withExclusive(ConflictPairs.of(n, pairs(random, n, 0.15)))
            .withTogether(together(random, n));
    if (random.nextInt(3) == 0) {
      relations = relations.withOtherBank(ConflictPairs.of(n, pairs(random, n, 0.2)));
    }
    ConflictPairs apart = ConflictPairs.of(n, pairs(random, n, 0.1));
    return new PackingProblem("seed " + seed, buffers, made, apart, relations);
  }

  private static Memory memory(Random random, int m, int memories) {
    long bank = random.nextInt(3) == 0 ? 2 + random.nextInt(4) : 0;
    Memory memory =
        new Memory(
            "m" + m,
            memories == 1 ? 4 + random.nextInt(8) : 3 + random.nextInt(4),
            random.nextInt(4) == 0 ? 2 : 1,
            0,
            bank);
    List<ReservedRange> reserved = new ArrayList<>();
    while (random.nextInt(3) == 0) {
      long from = random.nextInt(8);
      reserved.add(new ReservedRange(from, from + 1 + random.nextInt(3)));
    }
    return memory.withReserved(reserved);
  }

  private static Buffer buffer(Random random, int i, int steps, int memories) {
    int start = random.nextInt(steps);
    int end = start + 1 + random.nextInt(steps - start);
    long size = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(3);
    Buffer buffer = new Buffer("b" + i, size, start, end);
    if (end - start > 2 && random.nextInt(3) == 0) {
      buffer =
          buffer.withGaps(
              List.of(
                  size > 1 && random.nextBoolean()
                      ? new Gap(new stowage.packing.LiveRange(start + 1, end - 1), 0, 1)
                      : Gap.empty(start + 1, end - 1)));
    }
    buffer = random.nextInt(5) == 0 ? buffer.withAlignment(2) : buffer;
    buffer = random.nextInt(8) == 0 ? buffer.withFixedOffset(2 * random.nextInt(3)) : buffer;
    buffer = random.nextInt(6) == 0 ? buffer.withinBank(true) : buffer;
    buffer = random.nextInt(10) == 0 ? buffer.holdsPlace(true) : buffer;
    buffer = random.nextInt(6) == 0 ? buffer.withHint(random.nextInt(6)) : buffer;
    return memories == 1 || random.nextBoolean()
        ? buffer
        : buffer.withMemories(List.of("m" + random.nextInt(memories)));
  }

  private static List<int[]> pairs(Random random, int n, double share) {
    return Buffers.pairs(n, () -> random.nextDouble() < share);
  }

  private static List<Relations.Reuse> reuse(Random random, int n) {
    List<Relations.Reuse> made = new ArrayList<>();
    for (int[] pair : pairs(random, n, 0.6)) {
      made.add(new Relations.Reuse(pair[0], pair[1], 1 + random.nextInt(4)));
    }
    return made;
  }

  private static List<Relations.Together> together(Random random, int n) {
    List<Relations.Together> made = new ArrayList<>();
    while (random.nextInt(3) == 0) {
      int i = random.nextInt(n);
      int j = random.nextInt(n);
      if (i != j) {
        made.add(new Relations.Together(i, j, random.nextBoolean() ? 0 : random.nextInt(4)));
      }
    }
    return made;
  }
}

package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * Problems as layer groups give them for a small on-chip memory with banks. A group runs its ops
 * once a slice; an op's operands are loaded one step before it and its result is stored one step
 * after it, so that most buffers live for two or three steps; weights that all slices share live
 * throughout. A share of the buffers must stay within one bank.
 *
 * <p>Buffers are drawn until the wanted number is reached or {@code fill} of the banks' bytes is
 * live at every step where more are tried, so that most instances fit into their banks; whether one
 * does is not known beforehand. O(n * life).
 */
final class BankedGenerator {
  private static final int TRIES_PER_BUFFER = 20;
  private static final int FEWEST_UNITS_OF_BANK = 4;

  private BankedGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
    int most = values.count("buffers", 1, 1_000_000);
    int steps = values.count("steps", 1, 1_000_000);
    int banks = values.count("banks", 1, 1_000_000);
    long alignment = values.whole("alignment", 1, 1L << 20);
    long bankSize = values.whole("bankSize", FEWEST_UNITS_OF_BANK * alignment, 1L << 40);
    if (bankSize % alignment != 0) {
      throw values.contradiction("bankSize", "a multiple of the alignment " + alignment);
    }
    double throughout = values.real("throughout", 0, 1);
    double bound = values.real("withinBank", 0, 1);
    long limit = (long) (values.real("fill", 0, 1) * banks * bankSize);
    Draws draws = values.draws();
    long[] load = new long[steps];
    List<Buffer> buffers = new ArrayList<>();
    for (long left = (long) most * TRIES_PER_BUFFER; left > 0 && buffers.size() < most; left--) {
      boolean whole = draws.happens(throughout);
      int life = whole ? steps : (int) Math.min(steps, 2 + draws.logUniform(1, 4) - 1);
      int start = draws.below(steps - life + 1);
      boolean kept = draws.happens(bound);
      long units = (kept || banks == 1 ? bankSize : 2 * bankSize) / alignment;
      long size = alignment * draws.logUniform(1, whole ? Math.max(1, units / 4) : units);
      if (addsUpTo(load, start, life, size, limit)) {
        buffers.add(
            new Buffer(String.valueOf(buffers.size()), size, start, start + life).withinBank(kept));
      }
    }
    long capacity = values.flag("bounded") ? banks * bankSize : Memory.UNBOUNDED;
    Memory memory = new Memory("lmem", capacity, alignment, 0, bankSize);
    return new PackingProblem("banked", buffers, List.of(memory), ConflictPairs.none());
  }

  /** Adds a load where it stays within a limit at every step; says whether it did. */
  private static boolean addsUpTo(long[] load, int start, int life, long size, long limit) {
    for (int step = start; step < start + life; step++) {
      if (load[step] + size > limit) {
        return false;
      }
    }
    for (int step = start; step < start + life; step++) {
      load[step] += size;
    }
    return true;
  }
}

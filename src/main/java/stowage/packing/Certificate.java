package stowage.packing;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Why a bound holds. A certificate of a kind with {@link #checkable()} can be checked by hand, and
 * the {@link Verifier} does; an {@link EngineWord} is the word of an exhausted search or solver,
 * with its statistics.
 *
 * <p>In every certificate buffers are indices into the problem, and {@code memory} is the index of
 * the memory whose peak is bounded.
 */
public sealed interface Certificate
    permits Certificate.MaxLoad,
        Certificate.Conflicts,
        Certificate.Alignment,
        Certificate.Banks,
        Certificate.FixedOffset,
        Certificate.BankFilling,
        Certificate.SubsetSum,
        Certificate.Energy,
        Certificate.Window,
        Certificate.EngineWord {

  /** The kind's name in reports, such as {@code max-load}. */
  String kind();

  /** The memory whose peak is bounded, by index; -1 for an engine's word. */
  default int memory() {
    return -1;
  }

  /** The buffers that the certificate names, by index; empty for an engine's word. */
  default int[] buffers() {
    return new int[0];
  }

  /** Whether the verifier can check the bound from the certificate alone. */
  default boolean checkable() {
    return true;
  }

  /**
   * The buffers alive at {@code step} lie side by side. Those that may also lie in other memories
   * count too when all those memories are bounded; then their capacities are taken off.
   *
   * @param memory the memory whose peak is bounded
   * @param step a step at which the load is as large as the bound says
   * @param alternatives the other memories that counted buffers may lie in, as a bit set; their
   *     capacities are subtracted
   * @param buffers the counted buffers alive at the step
   */
  record MaxLoad(int memory, int step, long alternatives, int[] buffers) implements Certificate {
    @Override
    public String kind() {
      return "max-load";
    }
  }

  /**
   * Buffers of which every two conflict, by time or by an extra pair, and that lie in this memory
   * alone: their sizes add up.
   */
  record Conflicts(int memory, int[] buffers) implements Certificate {
    @Override
    public String kind() {
      return "conflicts";
    }
  }

  /**
   * Buffers of which every two conflict, whose offsets are all multiples of {@code alignment}: each
   * but the highest fills its size rounded up, so the peak is at least the sum of the rounded sizes
   * less the largest rounding.
   *
   * <p>Example: sizes 5 and 6 at alignment 4: 8 + 8 - max(3, 2) = 13, while the load is 11.
   *
   * <p>Those that may also lie in other memories count too when all those memories are bounded. Of
   * a memory of c bytes, a highest buffer that rounding lengthens by r takes the rounded sizes to
   * at most c + r, rounded down to the alignment; each memory has a highest buffer of its own.
   *
   * @param alternatives the other memories that the buffers may lie in, as a bit set; what they
   *     hold is subtracted
   */
  record Alignment(int memory, long alignment, long alternatives, int[] buffers)
      implements Certificate {
    /** Buffers that lie in this memory alone. */
    public Alignment(int memory, long alignment, int[] buffers) {
      this(memory, alignment, 0, buffers);
    }

    @Override
    public String kind() {
      return "alignment";
    }
  }

  /**
   * Buffers of which every two conflict, none may cross a bank border and no two fit into one bank:
   * k buffers need k banks, and the highest bank holds at least the smallest of them.
   */
  record Banks(int memory, int[] buffers) implements Certificate {
    @Override
    public String kind() {
      return "banks";
    }
  }

  /** A buffer with a fixed offset, in this memory alone: the peak is not below its end. */
  record FixedOffset(int memory, int buffer) implements Certificate {
    @Override
    public String kind() {
      return "fixed-offset";
    }

    @Override
    public int[] buffers() {
      return new int[] {buffer};
    }
  }

  /**
   * Buffers of which every two conflict and none may cross a bank border, none smaller than {@code
   * threshold}, which is half a bank at most. Those above the bank less the threshold share their
   * bank with none; others above half a bank have one each, and those up to half fill what these
   * leave and then further banks. With m banks the peak is (m - 1) banks and the smallest of them.
   */
  record BankFilling(int memory, long threshold, int[] buffers) implements Certificate {
    @Override
    public String kind() {
      return "banks";
    }
  }

  /**
   * Buffers alive at {@code step}, of which some have given offsets: up to one of these, the holes
   * between them take at best the largest sums of the others' bytes that fit; all else is above.
   *
   * <p>Example: 2 bytes at offset 7 and four times 3 bytes: the hole of 7 takes 6, and 9 + 6 = 15.
   */
  record SubsetSum(int memory, int step, int[] buffers) implements Certificate {
    @Override
    public String kind() {
      return "subset-sum";
    }
  }

  /**
   * Buffers alive at {@code step} that below the bound have to lie in a stretch of addresses that
   * their bytes there exceed: for each, the lowest and the highest offset follow from the given
   * offsets of others in its way at any step, its alignment and its bank.
   */
  record Energy(int memory, int step, int[] buffers) implements Certificate {
    @Override
    public String kind() {
      return "energy";
    }
  }

  /**
   * A small sub-problem that alone needs this peak: what some buffers, all in this memory alone,
   * need during a stretch of steps. Checked by deciding it again by other methods than those that
   * found it.
   *
   * @param memory the memory whose peak is bounded
   * @param steps the stretch
   * @param buffers the buffers of the sub-problem, a part of the problem's
   */
  record Window(int memory, LiveRange steps, int[] buffers) implements Certificate {
    @Override
    public String kind() {
      return "window";
    }
  }

  /**
   * The word of a complete method that exhausted its search.
   *
   * @param kind {@code search}, {@code cp-sat} or {@code choco}
   * @param engine the engine and its version
   * @param statistics figures such as nodes, branches and conflicts
   * @param agreed another engine that proved the same, or null
   */
  record EngineWord(String kind, String engine, SortedMap<String, Long> statistics, String agreed)
      implements Certificate {

    /** A word without a second engine's agreement. */
    public static EngineWord of(String kind, String engine, Map<String, Long> statistics) {
      return new EngineWord(kind, engine, new TreeMap<>(statistics), null);
    }

    @Override
    public boolean checkable() {
      return false;
    }
  }
}

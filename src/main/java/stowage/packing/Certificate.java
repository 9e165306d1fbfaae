package stowage.packing;

import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Why a bound holds. A certificate of a kind with {@link #checkable()} can be checked by hand, and
 * the {@link Verifier} does; a {@link SolverClaim} is the claim of an exhausted search or solver,
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
        Certificate.SubsetSum,
        Certificate.Energy,
        Certificate.Window,
        ReuseProof,
        Certificate.Contradiction,
        SolverClaim {

  /** The kinds' names in reports, of all but {@link SolverClaim}, which each have their own. */
  Map<Class<? extends Certificate>, String> KINDS =
      Map.of(
          MaxLoad.class, "max-load",
          Conflicts.class, "conflicts",
          Alignment.class, "alignment",
          Banks.class, "banks",
          FixedOffset.class, "fixed-offset",
          SubsetSum.class, "subset-sum",
          Energy.class, "energy",
          Window.class, "window",
          ReuseProof.class, "reuse-cuts",
          Contradiction.class, "relations");

  /** {@return the kind's name in reports, such as {@code max-load}} */
  default String kind() {
    return KINDS.get(getClass());
  }

  /** {@return the memory whose peak is bounded, by index; -1 for a solver claim} */
  default int memory() {
    return -1;
  }

  /** {@return the buffers that the certificate names, by index; empty for a solver claim} */
  default int[] buffers() {
    return new int[0];
  }

  /** {@return whether the verifier can check the bound from the certificate alone} */
  default boolean checkable() {
    return true;
  }

  /**
   * What the certificate proves, by arithmetic that shares no code with what found the bound;
   * {@link BoundVerifier#fault} asks it.
   *
   * @param value the bound that it should prove, in bytes
   * @throws IllegalArgumentException when the problem is not what the certificate says of it, or
   *     nothing can be shown: one sentence
   */
  long proves(PackingProblem problem, long value);

  /** {@return in words why no plan has a lower figure than {@code value}, bytes for a peak} */
  String explanation(PackingProblem problem, long value);

  Certificate renumbered(IntUnaryOperator number);

  /** {@return whether it rests on no two of its buffers ever sharing a byte} */
  default boolean isClique() {
    return this instanceof Conflicts || this instanceof Alignment || this instanceof Banks;
  }

  /**
   * {@return what it says besides kind, memory and buffers, by field and in their order: strings,
   * numbers, null, and lists and maps of them, with memories under the problem's names}
   */
  default Map<String, Object> fields(PackingProblem problem) {
    return Map.of();
  }

  /**
   * The buffers alive at {@code step} are side by side. Those that may also be in other memories
   * count too when all those memories are bounded; then their capacities are taken off.
   *
   * @param step a step at which the load is as large as the bound says
   * @param alternatives the other memories that counted buffers may be in, as a bit set; their
   *     capacities are subtracted
   * @param buffers the counted buffers alive at the step
   */
  record MaxLoad(int memory, int step, long alternatives, int[] buffers) implements Certificate {
    @Override
    public MaxLoad renumbered(IntUnaryOperator number) {
      return new MaxLoad(memory, step, alternatives, IndexOrder.renumbered(buffers, number));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return BoundVerifier.maxLoad(problem, this);
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return ProofText.maxLoad(problem, this);
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      return CertificateFields.withAlternatives(problem, alternatives, "step", step);
    }
  }

  /**
   * Buffers of which every two conflict, by time or by an extra pair, and that are in this memory
   * alone: their sizes add up.
   */
  record Conflicts(int memory, int[] buffers) implements Certificate {
    @Override
    public Conflicts renumbered(IntUnaryOperator number) {
      return new Conflicts(memory, IndexOrder.renumbered(buffers, number));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return BoundVerifier.conflicts(problem, this);
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return ProofText.conflicts(problem, this);
    }
  }

  /**
   * Buffers of which every two conflict, whose offsets are all multiples of {@code alignment}: each
   * but the highest fills its size rounded up, so the peak is at least the sum of the rounded sizes
   * less the largest rounding.
   *
   * <p>Example: sizes 5 and 6 at alignment 4: 8 + 8 - max(3, 2) = 13, while the load is 11.
   *
   * <p>Those that may also be in other memories count too when all those memories are bounded. Of a
   * memory of c bytes, a highest buffer that rounding lengthens by r takes the rounded sizes to at
   * most c + r, rounded down to the alignment; each memory has a highest buffer of its own.
   *
   * @param alternatives other memories for the buffers, as a bit set; what they hold is subtracted
   */
  record Alignment(int memory, long alignment, long alternatives, int[] buffers)
      implements Certificate {

    @Override
    public Alignment renumbered(IntUnaryOperator number) {
      return new Alignment(memory, alignment, alternatives, IndexOrder.renumbered(buffers, number));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return BoundVerifier.alignment(problem, this);
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return ProofText.alignment(problem, this, value);
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      return CertificateFields.withAlternatives(problem, alternatives, "alignment", alignment);
    }
  }

  /**
   * Buffers of which every two conflict, none may cross a bank border and no two fit into one bank:
   * k buffers need k banks, and the highest bank holds at least the smallest of them.
   */
  record Banks(int memory, int[] buffers) implements Certificate {
    @Override
    public Banks renumbered(IntUnaryOperator number) {
      return new Banks(memory, IndexOrder.renumbered(buffers, number));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return BoundVerifier.banks(problem, this);
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return ProofText.banks(problem, this, value);
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      return Map.of("bankSize", problem.memories().get(memory).bankSize());
    }
  }

  /** A buffer with a fixed offset, in this memory alone: the peak is not below its end. */
  record FixedOffset(int memory, int buffer) implements Certificate {
    @Override
    public FixedOffset renumbered(IntUnaryOperator number) {
      return new FixedOffset(memory, number.applyAsInt(buffer));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return BoundVerifier.fixedOffset(problem, this);
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return "Buffer \"%s\" is fixed at offset %s and ends at %s."
          .formatted(
              problem.buffer(buffer).id(),
              ByteText.exact(problem.buffer(buffer).fixedOffset()),
              ByteText.both(value));
    }

    @Override
    public int[] buffers() {
      return new int[] {buffer};
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
    public SubsetSum renumbered(IntUnaryOperator number) {
      return new SubsetSum(memory, step, IndexOrder.renumbered(buffers, number));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return GivenOffsetCheck.subsetSum(problem, this);
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return ("%s memory at step %s. The given offsets of some leave holes that no "
              + "sums of the others' sizes fill, so that those above reach %s.")
          .formatted(ProofText.buffers(buffers.length, "need"), step, ByteText.both(value));
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      return Map.of("step", step);
    }
  }

  /**
   * Buffers alive at {@code step} that below the bound must be in a stretch of addresses that their
   * bytes there exceed: for each, the lowest and the highest offset follow from the given offsets
   * of others in its way at any step, its alignment and its bank.
   */
  record Energy(int memory, int step, int[] buffers) implements Certificate {
    @Override
    public Energy renumbered(IntUnaryOperator number) {
      return new Energy(memory, step, IndexOrder.renumbered(buffers, number));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return GivenOffsetCheck.excludes(problem, this, value - 1) ? value : 0;
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return ("%s memory at step %s, and given offsets, alignments and banks leave "
              + "each only some offsets: below %s all of them would have to fit in a "
              + "range of addresses smaller than their sum.")
          .formatted(ProofText.buffers(buffers.length, "need"), step, ByteText.both(value));
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      return Map.of("step", step);
    }
  }

  /**
   * A small sub-problem that alone needs this peak: what some buffers, all in this memory alone,
   * need during a stretch of steps. Checked by deciding it again by other methods.
   *
   * @param steps the stretch
   * @param buffers the buffers of the sub-problem, a part of the problem's
   */
  record Window(int memory, LiveRange steps, int[] buffers) implements Certificate {
    @Override
    public Window renumbered(IntUnaryOperator number) {
      return new Window(memory, steps, IndexOrder.renumbered(buffers, number));
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      return BoundVerifier.window(problem, this, value);
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return ProofText.window(problem, this, value);
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      return CertificateFields.both("start", steps.start(), "end", steps.end());
    }
  }

  /**
   * What makes a problem impossible at every capacity: buffers that must be together and may not.
   * Derived from the relations alone, and not checked again.
   *
   * @param buffers those that contradict each other, with all that ties them together
   * @param sentence what contradicts what, without a full stop
   */
  record Contradiction(int[] buffers, String sentence) implements Certificate {
    @Override
    public Contradiction renumbered(IntUnaryOperator number) {
      return new Contradiction(IndexOrder.renumbered(buffers, number), sentence);
    }

    @Override
    public long proves(PackingProblem problem, long value) {
      throw new IllegalArgumentException("a contradiction of relations is not checked again");
    }

    @Override
    public String explanation(PackingProblem problem, long value) {
      return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1) + ".";
    }

    @Override
    public boolean checkable() {
      return false;
    }
  }
}

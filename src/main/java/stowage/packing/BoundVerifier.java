package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Verifier of bounds from their certificates alone, by the arithmetic that each kind's
 * documentation gives. It shares no code with what derives the bounds.
 */
public final class BoundVerifier {
  private BoundVerifier() {}

  /** Decisions that the check of a window by pairs may try, and the buffers it is tried for. */
  private static final int NODES = 20_000;

  private static final int MOST_FOR_PAIRS = 18;

  private static final long PILE_WORK = 200_000_000;

  /**
   * {@return what is wrong with a bound's certificate; empty when it proves the bound} An {@link
   * SolverClaim} cannot be checked and is answered with a sentence that says so. A {@link
   * Certificate.Window} is decided again, by the piles of every step and by the order of every pair
   * of buffers, within limits of work.
   */
  public static Optional<String> fault(PackingProblem problem, Bound bound) {
    Certificate certificate = bound.certificate();
    long proven;
    try {
      checkNoneMayShare(problem, certificate.buffers());
      proven = certificate.proves(problem, bound.value());
    } catch (IllegalArgumentException wrong) {
      return Optional.of(wrong.getMessage());
    }
    return proven >= bound.value()
        ? Optional.empty()
        : Optional.of("the certificate proves " + proven + ", not " + bound.value());
  }

  /** Sizes add up only where every two buffers need bytes of their own. */
  private static void checkNoneMayShare(PackingProblem problem, int[] buffers) {
    Relations relations = problem.relations();
    if (relations.exclusive().isEmpty() && relations.together().isEmpty()) {
      return;
    }
    for (int i : buffers) {
      for (int j : buffers) {
        require(
            i == j || !relations.mayShare(i, j) || problem.conflicts().contains(i, j),
            problem,
            i,
            "may share bytes with \"" + problem.buffer(j).id() + "\"");
      }
    }
  }

  static long maxLoad(PackingProblem problem, Certificate.MaxLoad certificate) {
    checkDistinct(problem, certificate.buffers());
    long reach = certificate.alternatives() | 1L << certificate.memory();
    long sum = 0;
    for (int i : certificate.buffers()) {
      require((problem.allowedMask(i) & ~reach) == 0, problem, i, "may be in another memory");
      long bytes = problem.buffer(i).bytesAt(certificate.step());
      require(bytes > 0, problem, i, "needs nothing at step " + certificate.step());
      sum += bytes;
    }
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((certificate.alternatives() >> m & 1) != 0 && m != certificate.memory()) {
        sum -= Math.min(sum, problem.memories().get(m).capacity());
      }
    }
    return sum;
  }

  static long conflicts(PackingProblem problem, Certificate.Conflicts certificate) {
    checkClique(problem, 1L << certificate.memory(), certificate.buffers());
    return Arrays.stream(certificate.buffers()).mapToLong(i -> problem.buffer(i).size()).sum();
  }

  static long alignment(PackingProblem problem, Certificate.Alignment certificate) {
    long alignment = certificate.alignment();
    if (alignment < 1) {
      throw new IllegalArgumentException("the alignment " + alignment + " is below 1");
    }
    long reach = certificate.alternatives() | 1L << certificate.memory();
    checkClique(problem, reach, certificate.buffers());
    long[] roundings = new long[certificate.buffers().length];
    long sum = 0;
    for (int k = 0; k < roundings.length; k++) {
      int i = certificate.buffers()[k];
      Buffer buffer = problem.buffer(i);
      for (int m = 0; m < problem.memories().size(); m++) {
        boolean aligned =
            buffer.alignment() % alignment == 0
                || problem.memories().get(m).alignment() % alignment == 0;
        require((reach >> m & 1) == 0 || aligned, problem, i, "is not aligned to " + alignment);
      }
      roundings[k] = Math.floorMod(-buffer.size(), alignment);
      sum += buffer.size() + roundings[k];
    }
    Arrays.sort(roundings);
    return sum - heldElsewhere(problem, certificate, roundings, sum);
  }

  /**
   * The most that the other memories hold of the rounded sizes, and the largest rounding left for a
   * highest buffer of the memory itself. A memory's last bytes, short of the alignment, are of use
   * only under a highest buffer whose rounding reaches the next multiple; the memories that ask
   * most choose first, the least rounding that will do. What they hold is at most {@code all}.
   */
  private static long heldElsewhere(
      PackingProblem problem, Certificate.Alignment certificate, long[] roundings, long all) {
    long alignment = certificate.alignment();
    long held = 0;
    List<Long> missing = new ArrayList<>();
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((certificate.alternatives() >> m & 1) != 0 && m != certificate.memory()) {
        Memory other = problem.memories().get(m);
        if (!other.isBounded()) {
          throw new IllegalArgumentException(
              "memory \"" + other.name() + "\" is unbounded and may hold all");
        }
        held = Math.min(all, held + Math.min(all, other.capacity() - other.capacity() % alignment));
        if (other.capacity() % alignment > 0) {
          missing.add(alignment - other.capacity() % alignment);
        }
      }
    }
    missing.sort(Comparator.reverseOrder());
    List<Long> left = new ArrayList<>();
    Arrays.stream(roundings).forEach(left::add);
    for (long asked : missing) {
      int at = 0;
      while (at < left.size() && left.get(at) < asked) {
        at++;
      }
      if (at < left.size()) {
        left.remove(at);
        held += alignment;
      }
    }
    return held + (left.isEmpty() ? 0 : left.get(left.size() - 1));
  }

  static long banks(PackingProblem problem, Certificate.Banks certificate) {
    checkClique(problem, 1L << certificate.memory(), certificate.buffers());
    long bank = problem.memories().get(certificate.memory()).bankSize();
    long smallest = Long.MAX_VALUE;
    long second = Long.MAX_VALUE;
    for (int i : certificate.buffers()) {
      Buffer buffer = problem.buffer(i);
      require(buffer.withinBank() && bank > 0, problem, i, "may cross bank borders");
      if (buffer.size() < smallest) {
        second = smallest;
        smallest = buffer.size();
      } else {
        second = Math.min(second, buffer.size());
      }
    }
    int count = certificate.buffers().length;
    if (count > 1 && smallest + second <= bank) {
      throw new IllegalArgumentException("two of the buffers fit into one bank of " + bank);
    }
    return count == 0 ? 0 : (count - 1) * bank + smallest;
  }

  static long fixedOffset(PackingProblem problem, Certificate.FixedOffset certificate) {
    Buffer buffer = problem.buffer(certificate.buffer());
    require(buffer.isFixed(), problem, certificate.buffer(), "has no fixed offset");
    requireHere(problem, certificate.memory(), certificate.buffer());
    return buffer.needsMemory() ? buffer.fixedOffset() + buffer.size() : 0;
  }

  static long window(PackingProblem problem, Certificate.Window certificate, long value) {
    checkDistinct(problem, certificate.buffers());
    for (int i : certificate.buffers()) {
      requireHere(problem, certificate.memory(), i);
      require(problem.buffer(i).needsMemory(), problem, i, "needs no memory");
    }
    int memory = certificate.memory();
    int[] buffers = certificate.buffers();
    DisjunctiveProof.Answer answer =
        OrderDpProof.excludes(problem, memory, buffers, certificate.steps(), value - 1, PILE_WORK);
    if (answer == DisjunctiveProof.Answer.TOO_LONG && buffers.length <= MOST_FOR_PAIRS) {
      answer = DisjunctiveProof.fits(problem, memory, buffers, value - 1, NODES);
    }
    return switch (answer) {
      case EXCLUDED -> value;
      case FITS ->
          throw new IllegalArgumentException(
              "the " + buffers.length + " buffers fit below " + value);
      case TOO_LONG ->
          throw new IllegalArgumentException(
              "that the %s buffers do not fit below %s could not be shown again"
                  .formatted(buffers.length, value));
    };
  }

  static void checkDistinct(PackingProblem problem, int[] buffers) {
    int[] sorted = buffers.clone();
    Arrays.sort(sorted);
    for (int k = 0; k < sorted.length; k++) {
      if (sorted[k] < 0 || sorted[k] >= problem.size()) {
        throw new IllegalArgumentException("there is no buffer " + sorted[k]);
      }
      if (k > 0 && sorted[k] == sorted[k - 1]) {
        require(false, problem, sorted[k], "is counted twice");
      }
    }
  }

  static void requireHere(PackingProblem problem, int memory, int buffer) {
    require(
        problem.allowedMask(buffer) == 1L << memory, problem, buffer, "may be in other memories");
  }

  /** Checks that every two conflict, and that all are in the given memories, a bit set. */
  private static void checkClique(PackingProblem problem, long memories, int[] buffers) {
    checkDistinct(problem, buffers);
    for (int i = 0; i < buffers.length; i++) {
      int one = buffers[i];
      boolean here = (problem.allowedMask(one) & ~memories) == 0;
      require(here, problem, one, "may be in other memories");
      require(problem.buffer(one).needsMemory(), problem, one, "needs no memory");
      for (int j = 0; j < i; j++) {
        String not = "does not conflict with \"" + problem.buffer(buffers[j]).id() + "\"";
        require(conflict(problem, one, buffers[j]), problem, one, not);
      }
    }
  }

  /** Whether the whole extents of two buffers can never share bytes. */
  static boolean conflict(PackingProblem problem, int first, int second) {
    if (problem.conflicts().contains(first, second)) {
      return true;
    }
    // A step at which both need all their bytes; windows alone leave room for sharing.
    for (Buffer.Span a : problem.buffer(first).spans()) {
      for (Buffer.Span b : problem.buffer(second).spans()) {
        if (Math.max(a.start(), b.start()) < Math.min(a.end(), b.end())
            && a.high() - a.low() == problem.buffer(first).size()
            && b.high() - b.low() == problem.buffer(second).size()) {
          return true;
        }
      }
    }
    return false;
  }

  static void require(boolean holds, PackingProblem problem, int buffer, String what) {
    if (!holds) {
      throw new IllegalArgumentException("buffer \"" + problem.buffer(buffer).id() + "\" " + what);
    }
  }
}

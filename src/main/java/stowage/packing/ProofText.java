package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Plain words for why a bound holds, so that a reader can follow it with a pencil. */
public final class ProofText {
  /** Every pair is looked at; beyond so many buffers of given offset that would take too long. */
  private static final int MOST_FIXED = 4_000;

  private ProofText() {}

  /** {@return why no plan has a lower peak than {@code value} bytes} */
  public static String of(PackingProblem problem, Certificate certificate, long value) {
    if (certificate.isClique() && certificate.buffers().length == 1) {
      Buffer only = problem.buffer(certificate.buffers()[0]);
      return "Buffer \"%s\" takes %s, so every plan's peak is at least that."
          .formatted(only.id(), ByteText.both(only.size()));
    }
    return certificate.explanation(problem, value);
  }

  /** {@return why no plan has a lower price of reuse than {@code value}} */
  public static String ofReuse(PackingProblem problem, Certificate certificate, long value) {
    return certificate instanceof SolverClaim word
        ? word.searched("pay less than " + ByteText.exact(value))
            + " This is the solver's claim; it has no certificate that can be"
            + " checked."
        : certificate.explanation(problem, value);
  }

  /** {@return why no placement respects the capacities} */
  public static String infeasible(PackingProblem problem, Certificate certificate) {
    if (certificate instanceof Certificate.Contradiction) {
      return certificate.explanation(problem, 0);
    }
    int at = certificate.memory();
    Memory memory = problem.memories().get(Math.max(at, 0));
    if (!memory.isBounded()) {
      String clash = fixedClash(problem);
      return clash == null ? "Proven by " + certificate.kind() + "." : clash;
    }
    return "The capacity of %s is too small. %s"
        .formatted(
            ByteText.both(memory.capacity()), of(problem, certificate, memory.capacity() + 1));
  }

  static String maxLoad(PackingProblem problem, Certificate.MaxLoad load) {
    long sum =
        Arrays.stream(load.buffers()).mapToLong(i -> problem.buffer(i).bytesAt(load.step())).sum();
    String number = ByteText.exact(load.buffers().length);
    String who =
        load.buffers().length == 1
            ? "1 buffer is alive and takes "
            : number + " buffers are alive at once; side by side they take ";
    String alive =
        "At step %s, %s%s".formatted(ByteText.exact(load.step()), who, ByteText.both(sum));
    if (load.buffers().length == 0) {
      return "No buffer must use this memory, so the bound is the trivial one: a peak is not"
          + " negative.";
    }
    if (load.alternatives() == 0) {
      return alive + ", so every plan's peak is at least that.";
    }
    return alive
        + ", which "
        + leaves(problem, load.memory(), load.alternatives(), BoundVerifier.maxLoad(problem, load));
  }

  static String leaves(PackingProblem problem, int memory, long alternatives, long value) {
    List<String> others = new ArrayList<>();
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((alternatives >> m & 1) != 0 && m != memory) {
        Memory other = problem.memories().get(m);
        others.add(ByteText.both(other.capacity()) + " of \"" + other.name() + "\"");
      }
    }
    return "leaves %s for \"%s\" even with all %s full."
        .formatted(
            ByteText.both(value),
            problem.memories().get(memory).name(),
            String.join(" and ", others));
  }

  static String conflicts(PackingProblem problem, Certificate.Conflicts conflicts) {
    return ("%s with each other, by their live ranges or as an extra pair, so no two "
            + "may share a byte: their sizes add up to %s.")
        .formatted(
            buffers(conflicts.buffers().length, "conflict"),
            ByteText.both(
                Arrays.stream(conflicts.buffers()).mapToLong(i -> problem.buffer(i).size()).sum()));
  }

  static String alignment(PackingProblem problem, Certificate.Alignment clique, long value) {
    long others = clique.alternatives();
    String sum =
        others == 0
            ? "makes " + ByteText.both(value) + " at the least."
            : leaves(problem, clique.memory(), others, BoundVerifier.alignment(problem, clique));
    return ("%s with each other, and each must start at a multiple of %s. Every "
            + "one but the highest fills its size rounded up to that, which %s")
        .formatted(buffers(clique.buffers().length, "conflict"), clique.alignment(), sum);
  }

  static String banks(PackingProblem problem, Certificate.Banks banks, long value) {
    return ("%s with each other, none may cross a border between the banks of "
            + "%s, and no two fit into one bank: each needs a bank of its own, and "
            + "the highest bank holds at least the smallest of them, which ends at "
            + "%s.")
        .formatted(
            buffers(banks.buffers().length, "conflict"),
            ByteText.both(problem.memories().get(banks.memory()).bankSize()),
            ByteText.both(value));
  }

  static String window(PackingProblem problem, Certificate.Window window, long value) {
    boolean[] named = new boolean[problem.size()];
    for (int i : window.buffers()) {
      named[i] = true;
    }
    LoadProfile loads = LoadProfile.of(problem, i -> named[i]);
    long most = loads.loadAt(window.steps().start());
    for (int k = 0; k < loads.segments(); k++) {
      most = window.steps().contains(loads.start(k)) ? Math.max(most, loads.load(k)) : most;
    }
    return ("%s at most %s at once from step %s to %s, but whichever is placed "
            + "above which, one of them ends at %s or higher.")
        .formatted(
            buffers(window.buffers().length, "need"),
            ByteText.both(most),
            window.steps().start(),
            window.steps().end() - 1,
            ByteText.both(value));
  }

  static String buffers(int count, String verb) {
    return count == 1 ? "1 buffer " + verb + "s" : count + " buffers " + verb;
  }

  /**
   * The first two buffers that their given offsets put on each other, the plainest reason for no
   * plan, in a sentence; null where there are none, where there are several memories, or where too
   * many buffers have given offsets. O(n^2) spans.
   */
  private static String fixedClash(PackingProblem problem) {
    List<Buffer> fixed = problem.buffers().stream().filter(Buffer::isFixed).toList();
    if (problem.memories().size() > 1 || fixed.size() > MOST_FIXED) {
      return null;
    }
    List<List<Buffer.Span>> spans = fixed.stream().map(Buffer::spans).toList();
    for (int i = 0; i < fixed.size(); i++) {
      for (int j = i + 1; j < fixed.size(); j++) {
        long apart = fixed.get(j).fixedOffset() - fixed.get(i).fixedOffset();
        int step = commonStep(spans.get(i), spans.get(j), apart);
        if (step != Integer.MIN_VALUE) {
          return ("%s and %s, by their given offsets, and both need bytes there at " + "step %s.")
              .formatted(place(fixed.get(i)), place(fixed.get(j)), step);
        }
      }
    }
    return null;
  }

  /** A step at which both need one byte, the second so far above the first; else the least int. */
  private static int commonStep(List<Buffer.Span> first, List<Buffer.Span> second, long apart) {
    for (Buffer.Span a : first) {
      for (Buffer.Span b : second) {
        boolean together = a.start() < b.end() && b.start() < a.end();
        if (together && a.low() < apart + b.high() && apart + b.low() < a.high()) {
          return Math.max(a.start(), b.start());
        }
      }
    }
    return Integer.MIN_VALUE;
  }

  private static String place(Buffer buffer) {
    return "\"%s\" lies in [%s, %s)"
        .formatted(
            buffer.id(),
            ByteText.exact(buffer.fixedOffset()),
            ByteText.exact(buffer.fixedOffset() + buffer.size()));
  }
}

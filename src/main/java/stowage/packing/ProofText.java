package stowage.packing;

import java.util.ArrayList;
import java.util.List;

/** Says in plain words why a bound holds, so that a reader can follow it with a pencil. */
public final class ProofText {
  private ProofText() {}

  /**
   * {@return why no plan has a lower peak than {@code value} bytes}
   *
   * @param value the bound, in bytes where the figure is a peak
   */
  public static String of(PackingProblem problem, Certificate certificate, long value) {
    if (certificate.isClique() && certificate.buffers().length == 1) {
      Buffer only = problem.buffer(certificate.buffers()[0]);
      return "Buffer \"%s\" takes %s, so every plan's peak is at least that."
          .formatted(only.id(), ByteText.both(only.size()));
    }
    return certificate.explanation(problem, value);
  }

  /**
   * {@return why no plan has a lower price of reuse than {@code value}}
   *
   * @param value the bound, in bytes where the figure is a peak
   */
  public static String ofReuse(PackingProblem problem, Certificate certificate, long value) {
    return certificate instanceof Certificate.SolverClaim word
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
      String clash = FixedClash.text(problem);
      return clash == null ? "Proven by " + certificate.kind() + "." : clash;
    }
    return "The capacity of %s is too small. %s"
        .formatted(
            ByteText.both(memory.capacity()), of(problem, certificate, memory.capacity() + 1));
  }

  static String maxLoad(PackingProblem problem, Certificate.MaxLoad load, long value) {
    long sum = 0;
    for (int i : load.buffers()) {
      sum += problem.buffer(i).bytesAt(load.step());
    }
    String alive =
        "At step %s, %s%s"
            .formatted(
                ByteText.exact(load.step()),
                load.buffers().length == 1
                    ? "1 buffer is alive and takes "
                    : ByteText.exact(load.buffers().length)
                        + " buffers are alive at once; side by side they take ",
                ByteText.both(sum));
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

  /** What is left for a memory with other ones full. */
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

  /** A number of buffers that do something. */
  static String buffers(int count, String verb) {
    return count == 1 ? "1 buffer " + verb + "s" : count + " buffers " + verb;
  }
}

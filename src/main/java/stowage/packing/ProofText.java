package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Says in plain words why a bound holds, so that a reader can follow it with a pencil. */
public final class ProofText {
  private ProofText() {}

  /** Why no plan has a lower peak than {@code value} bytes. */
  public static String of(PackingProblem problem, Certificate certificate, long value) {
    int only = onlyBuffer(certificate);
    if (only >= 0) {
      return "Buffer \""
          + problem.buffer(only).id()
          + "\" takes "
          + ByteText.both(problem.buffer(only).size())
          + ", so every plan's peak is at least that.";
    }
    if (certificate instanceof Certificate.MaxLoad load) {
      return maxLoad(problem, load, value);
    } else if (certificate instanceof Certificate.Conflicts conflicts) {
      return buffers(conflicts.buffers().length, "conflict")
          + " with each other, by their lives or as an extra pair, so no two may share a byte:"
          + " their sizes add up to "
          + ByteText.both(
              Arrays.stream(conflicts.buffers()).mapToLong(i -> problem.buffer(i).size()).sum())
          + ".";
    } else if (certificate instanceof Certificate.Alignment alignment) {
      return buffers(alignment.buffers().length, "conflict")
          + " with each other, and each must start at a multiple of "
          + alignment.alignment()
          + ". Every one but the highest fills its size rounded up to that, which "
          + (alignment.alternatives() == 0
              ? "makes " + ByteText.both(value) + " at the least."
              : leaves(problem, alignment.memory(), alignment.alternatives(), value));
    } else if (certificate instanceof Certificate.Banks banks) {
      return buffers(banks.buffers().length, "conflict")
          + " with each other, none may cross a border between the banks of "
          + ByteText.both(problem.memories().get(banks.memory()).bankSize())
          + ", and no two fit into one bank: each needs a bank of its own, and the highest bank"
          + " holds at least the smallest of them, which ends at "
          + ByteText.both(value)
          + ".";
    } else if (certificate instanceof Certificate.FixedOffset fixed) {
      return "Buffer \""
          + problem.buffer(fixed.buffer()).id()
          + "\" is fixed at offset "
          + ByteText.exact(problem.buffer(fixed.buffer()).fixedOffset())
          + " and ends at "
          + ByteText.both(value)
          + ".";
    } else if (certificate instanceof Certificate.BankFilling filling) {
      return buffers(filling.buffers().length, "conflict")
          + " with each other, and none may cross a border between the banks of "
          + ByteText.both(problem.memories().get(filling.memory()).bankSize())
          + ". Those above half a bank have one each, and what the others need beyond the room"
          + " these leave takes further banks; the last one needed is filled up to "
          + ByteText.both(value)
          + " at the least.";
    } else if (certificate instanceof Certificate.SubsetSum holes) {
      return buffers(holes.buffers().length, "need")
          + " memory at step "
          + holes.step()
          + ". The given offsets of some leave holes that no sums of the others' sizes fill, so"
          + " that those above reach "
          + ByteText.both(value)
          + ".";
    } else if (certificate instanceof Certificate.Energy energy) {
      return buffers(energy.buffers().length, "need")
          + " memory at step "
          + energy.step()
          + ", and given offsets, alignments and banks leave each only some offsets: below "
          + ByteText.both(value)
          + " all of them would have to fit in a range of addresses smaller than their sum.";
    } else if (certificate instanceof Certificate.Window window) {
      return window(problem, window, value);
    } else if (certificate instanceof Certificate.EngineWord word) {
      return word.engine()
          + " searched every way to stay below "
          + ByteText.both(value)
          + " and found none. This is the solver's claim; it has no certificate that can be checked"
          + (word.agreed() == null ? "." : ", but " + word.agreed() + " proved the same.");
    }
    return "Proven by " + certificate.kind() + ": no plan is below " + ByteText.both(value) + ".";
  }

  /** The only buffer of a certificate on buffers of which no two may share a byte; -1 for more. */
  private static int onlyBuffer(Certificate certificate) {
    boolean clique =
        certificate instanceof Certificate.Conflicts
            || certificate instanceof Certificate.Alignment
            || certificate instanceof Certificate.Banks
            || certificate instanceof Certificate.BankFilling;
    return clique && certificate.buffers().length == 1 ? certificate.buffers()[0] : -1;
  }

  /** Why no placement respects the capacities. */
  public static String infeasible(PackingProblem problem, Certificate certificate) {
    int at = certificate.memory();
    Memory memory = problem.memories().get(Math.max(at, 0));
    if (!memory.isBounded()) {
      String clash = FixedClash.text(problem);
      return clash == null ? "Proven by " + certificate.kind() + "." : clash;
    }
    return "The capacity of "
        + ByteText.both(memory.capacity())
        + " is too small. "
        + of(problem, certificate, memory.capacity() + 1);
  }

  private static String maxLoad(PackingProblem problem, Certificate.MaxLoad load, long value) {
    long sum = 0;
    for (int i : load.buffers()) {
      sum += problem.buffer(i).bytesAt(load.step());
    }
    String alive =
        "At step "
            + ByteText.exact(load.step())
            + ", "
            + (load.buffers().length == 1
                ? "1 buffer is alive and takes "
                : ByteText.exact(load.buffers().length)
                    + " buffers are alive at once; side by side they take ")
            + ByteText.both(sum);
    if (load.buffers().length == 0) {
      return "No buffer must use this memory, so the bound is the trivial one: a peak is not"
          + " negative.";
    }
    if (load.alternatives() == 0) {
      return alive + ", so every plan's peak is at least that.";
    }
    return alive + ", which " + leaves(problem, load.memory(), load.alternatives(), value);
  }

  /** What is left for a memory with other ones full. */
  private static String leaves(PackingProblem problem, int memory, long alternatives, long value) {
    List<String> others = new ArrayList<>();
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((alternatives >> m & 1) != 0 && m != memory) {
        Memory other = problem.memories().get(m);
        others.add(ByteText.both(other.capacity()) + " of \"" + other.name() + "\"");
      }
    }
    return "leaves "
        + ByteText.both(value)
        + " for \""
        + problem.memories().get(memory).name()
        + "\" even with all "
        + String.join(" and ", others)
        + " full.";
  }

  private static String window(PackingProblem problem, Certificate.Window window, long value) {
    boolean[] named = new boolean[problem.size()];
    for (int i : window.buffers()) {
      named[i] = true;
    }
    LoadProfile loads = LoadProfile.of(problem, i -> named[i]);
    long most = loads.loadAt(window.steps().start());
    for (int k = 0; k < loads.segments(); k++) {
      most = window.steps().contains(loads.start(k)) ? Math.max(most, loads.load(k)) : most;
    }
    return buffers(window.buffers().length, "need")
        + " at most "
        + ByteText.both(most)
        + " at once from step "
        + window.steps().start()
        + " to "
        + (window.steps().end() - 1)
        + ", but whichever is placed above which, one of them ends at "
        + ByteText.both(value)
        + " or higher.";
  }

  private static String buffers(int count, String verb) {
    return count == 1 ? "1 buffer " + verb + "s" : count + " buffers " + verb;
  }
}

package stowage.importer.io;

import java.util.List;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;

/**
 * Where the tool that wrote a list of buffers put them: a plan to compare with.
 *
 * @param source who made it, such as {@code XLA}
 * @param placement an offset for every buffer of the problem, in its memory
 * @param bytes what the tool says each memory of the problem takes, in the problem's order
 * @param faults what is wrong with the tool's plan beyond what the problem can say, a sentence each
 */
public record PackingBaseline(
    String source, Placement placement, List<Long> bytes, List<String> faults) {

  /** Status of a plan with nothing wrong. */
  public static final String VALID = "VALID";

  /** Copies the lists. */
  public PackingBaseline {
    bytes = List.copyOf(bytes);
    faults = List.copyOf(faults);
  }

  /** {@link #VALID}, or one sentence that says what is wrong. O(n log n). */
  public String status(PackingProblem problem) {
    if (!faults.isEmpty()) {
      return faults.get(0);
    }
    return Verifier.violations(problem, placement).stream()
        .findFirst()
        .map(violation -> violation.text())
        .orElse(VALID);
  }

  /** Bytes that the tool says the memory takes whose peak counts first. */
  public long headline(PackingProblem problem) {
    return bytes.get(problem.memories().size() - 1);
  }

  /** The highest byte its offsets reach in the memory whose peak counts first. O(n). */
  public long peak(PackingProblem problem) {
    return Objective.peaks(problem).score(problem, placement).figure(0);
  }
}

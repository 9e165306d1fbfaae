package stowage.importer.io;

import java.util.List;
import java.util.stream.IntStream;
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

  /**
   * Whether its offsets hold and reach no further than the tool says it takes, so that it is a plan
   * of the problem; addresses that are spread over a device are none. O(n log n).
   */
  public boolean isPlan(PackingProblem problem) {
    return IntStream.range(0, bytes.size())
            .allMatch(m -> placement.peak(problem, m) <= bytes.get(m))
        && status(problem).equals(VALID);
  }
}

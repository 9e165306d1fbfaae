package stowage.onchip.lmem;

import java.util.List;
import java.util.stream.Stream;
import stowage.network.Chip;
import stowage.onchip.layer.LaneSize;

/**
 * Buffers of a group that need an address in LMEM, with their lives and with which of them are used
 * together.
 *
 * <p>Buffers alive in a common step must not overlap, but for a result that may take the place of
 * its op's first operand. Offsets are multiples of the execution unit's bytes; no buffer ends
 * beyond the lane.
 */
public final class LmemProblem {
  private final Chip chip;
  private final int steps;
  private final List<LmemBuffer> buffers;
  private final List<Step> table;
  private final List<Sharing> sharings;
  private final long[] loads;

  /** What happens in a step. */
  public record Step(List<Compute> computes, List<Move> loads, List<Move> stores) {
    /** The loads and the stores. */
    public List<Move> moves() {
      return Stream.concat(loads.stream(), stores.stream()).toList();
    }
  }

  /** An op of a step with the buffers of its operands, each once, of results, of scratch or -1. */
  public record Compute(String op, List<Integer> reads, List<Integer> writes, int scratch) {
    /** The operands' buffers and the results'. */
    public List<Integer> uses() {
      return Stream.concat(reads.stream(), writes.stream()).toList();
    }
  }

  /** A transfer of the tensor of a name in GMEM. */
  public record Move(int buffer, String tensor) {}

  /**
   * A result that may be where its op's operand is, at the same offset.
   *
   * @param operand a buffer, no smaller, whose life ends in the step where the result's starts
   */
  public record Sharing(int result, int operand) {}

  /**
   * A problem of buffers with unique ids, of what happens in each step, and of which results may
   * take an operand's place.
   */
  public LmemProblem(
      Chip chip, int steps, List<LmemBuffer> buffers, List<Step> table, List<Sharing> sharings) {
    this.chip = chip;
    this.steps = steps;
    this.buffers = List.copyOf(buffers);
    this.table = List.copyOf(table);
    this.sharings = List.copyOf(sharings);
    this.loads = loads();
  }

  /** The same problem with other lives or sizes of its buffers. */
  public LmemProblem withBuffers(List<LmemBuffer> others) {
    return new LmemProblem(chip, steps, others, table, sharings);
  }

  /** Lane, banks and alignment. */
  public Chip chip() {
    return chip;
  }

  /** How many steps. */
  public int steps() {
    return steps;
  }

  /** All buffers. */
  public List<LmemBuffer> buffers() {
    return buffers;
  }

  /** A buffer. */
  public LmemBuffer buffer(int index) {
    return buffers.get(index);
  }

  /** How many buffers. */
  public int size() {
    return buffers.size();
  }

  /** What happens in a step. */
  public Step step(int index) {
    return table.get(index);
  }

  /** Which results may take an operand's place. */
  public List<Sharing> sharings() {
    return sharings;
  }

  /** Whether two buffers are alive in a common step: then one of them begins while the other is. */
  public boolean together(int one, int other) {
    LmemBuffer first = buffers.get(one);
    LmemBuffer second = buffers.get(other);
    return first.isLive(second.start()) || second.isLive(first.start());
  }

  /** The bank of an address. */
  public int bank(long offset) {
    return (int) (offset / chip.bankBytes());
  }

  /** The last bank that a buffer at an offset touches; an empty buffer touches its offset's. */
  public int lastBank(int index, long offset) {
    return bank(offset + Math.max(1, buffers.get(index).size()) - 1);
  }

  /** Whether two placed buffers touch a common bank. */
  public boolean shareBank(int one, long oneOffset, int other, long otherOffset) {
    return bank(oneOffset) <= lastBank(other, otherOffset)
        && bank(otherOffset) <= lastBank(one, oneOffset);
  }

  /** The largest sum of live sizes at a step, each rounded up to the alignment but for sharing. */
  public long load(int step) {
    return loads[step];
  }

  /** The load of each step, from what begins and ends in it. O(buffers + sharings * steps). */
  private long[] loads() {
    long[] sums = new long[steps + 1];
    for (LmemBuffer buffer : buffers) {
      long size = LaneSize.alignUp(buffer.size(), chip.vectorBytes());
      sums[buffer.start()] += size;
      sums[buffer.end()] -= size;
      sums[0] += buffer.start() < buffer.end() ? 0 : size;
    }
    for (int step = 1; step < steps; step++) {
      sums[step] += sums[step - 1];
    }
    for (Sharing sharing : sharings) {
      LmemBuffer result = buffers.get(sharing.result());
      LmemBuffer operand = buffers.get(sharing.operand());
      for (int step = 0; step < steps; step++) {
        boolean both = result.isLive(step) && operand.isLive(step);
        sums[step] -= both ? LaneSize.alignUp(result.size(), chip.vectorBytes()) : 0;
      }
    }
    return sums;
  }

  /** A lower bound of the peak: the largest load of all steps, less the last rounding. */
  public long peakBound() {
    long bound = 0;
    for (int step = 0; step < steps; step++) {
      long slack = 0;
      for (LmemBuffer buffer : buffers) {
        if (buffer.isLive(step)) {
          long over = LaneSize.alignUp(buffer.size(), chip.vectorBytes()) - buffer.size();
          slack = Math.max(slack, over);
        }
      }
      bound = Math.max(bound, load(step) - slack);
    }
    return bound;
  }

  /** Whether some step needs more than a lane. */
  public boolean exceedsLane() {
    return load(fullestStep()) > chip.laneBytes();
  }

  private int fullestStep() {
    int fullest = 0;
    for (int step = 1; step < steps; step++) {
      fullest = load(step) > load(fullest) ? step : fullest;
    }
    return fullest;
  }

  /**
   * Why the buffers do not fit into a lane: the fullest step with what is there, where that alone
   * proves it, else what the search's verdict says.
   */
  public String whyNoFit(LmemEngine.Verdict verdict) {
    if (!exceedsLane()) {
      return "no addresses within a lane of %s bytes were found, %s"
          .formatted(
              chip.laneBytes(),
              verdict == LmemEngine.Verdict.CANNOT_FIT
                  ? "and an exhausted search proves that there are none"
                  : "though no step needs more");
    }
    int step = fullestStep();
    List<String> parts =
        buffers.stream().filter(b -> b.isLive(step)).map(b -> b.id() + " " + b.size()).toList();
    return "step %s needs %s bytes a lane of %s (%s)"
        .formatted(step, load(step), chip.laneBytes(), String.join(", ", parts));
  }
}

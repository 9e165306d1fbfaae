package stowage.onchip.lmem;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.network.Chip;
import stowage.onchip.layer.LaneSize;
import stowage.packing.DisjointSets;

/**
 * Buffers of a group that need an address in LMEM, with their live ranges and with which of them
 * are used together.
 *
 * <p>Buffers alive in a common step must not overlap, except for a result that may take the place
 * of its op's first operand. Offsets are multiples of the execution unit's bytes; no buffer ends
 * beyond the lane.
 *
 * @param chip lane, banks and alignment
 * @param buffers of unique ids
 * @param table what happens in each step
 * @param sharings which results may take an operand's place
 * @param loads by step, the sum of live sizes, each rounded up to the alignment except for sharing
 */
public record LmemProblem(
    Chip chip,
    int steps,
    List<LmemBuffer> buffers,
    List<Step> table,
    List<Sharing> sharings,
    long[] loads) {

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
   * @param operand a buffer, no smaller, whose live range ends in the step where the result's
   *     starts, the only one in which both are alive
   */
  public record Sharing(int result, int operand) {}

  public LmemProblem {
    buffers = List.copyOf(buffers);
    table = List.copyOf(table);
    sharings = List.copyOf(sharings);
  }

  /** A problem with its loads. */
  public LmemProblem(
      Chip chip, int steps, List<LmemBuffer> buffers, List<Step> table, List<Sharing> sharings) {
    this(chip, steps, buffers, table, sharings, loads(chip, steps, buffers, sharings));
  }

  /** The same problem with other live ranges or sizes of its buffers. */
  public LmemProblem withBuffers(List<LmemBuffer> others) {
    return new LmemProblem(chip, steps, others, table, sharings);
  }

  public LmemBuffer buffer(int index) {
    return buffers.get(index);
  }

  public int size() {
    return buffers.size();
  }

  /** What happens in a step. */
  public Step step(int index) {
    return table.get(index);
  }

  /** Whether two buffers are alive in a common step: then one of them begins while the other is. */
  public boolean together(int one, int other) {
    LmemBuffer first = buffers.get(one);
    LmemBuffer second = buffers.get(other);
    return first.isLive(second.start()) || second.isLive(first.start());
  }

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

  public long load(int step) {
    return loads[step];
  }

  /** The load of each step, from what begins and ends in it. O(buffers + sharings + steps). */
  private static long[] loads(
      Chip chip, int steps, List<LmemBuffer> buffers, List<Sharing> sharings) {
    long[] sums = new long[steps + 1];
    for (LmemBuffer buffer : buffers) {
      long size = LaneSize.alignUp(buffer.size(), chip.vectorBytes());
      sums[buffer.start()] += size;
      sums[buffer.end()] -= size;
      sums[0] += buffer.start() < buffer.end() ? 0 : size;
    }
    Arrays.parallelPrefix(sums, 0, steps, Long::sum);
    for (Sharing sharing : sharings) {
      LmemBuffer result = buffers.get(sharing.result());
      LmemBuffer operand = buffers.get(sharing.operand());
      boolean both = operand.isLive(result.start());
      sums[result.start()] -= both ? LaneSize.alignUp(result.size(), chip.vectorBytes()) : 0;
    }
    return sums;
  }

  /**
   * A lower bound of the peak: the largest load of all steps, less the last rounding. The buffers
   * that are rounded up most come first, and each step counts the first of them. O(buffers * log
   * buffers + steps).
   */
  public long peakBound() {
    ToLongFunction<LmemBuffer> over =
        buffer -> LaneSize.alignUp(buffer.size(), chip.vectorBytes()) - buffer.size();
    DisjointSets counted = new DisjointSets(steps + 1); // joined with the step after
    long bound = 0;
    for (LmemBuffer buffer :
        buffers.stream().sorted(Comparator.comparingLong(over).reversed()).toList()) {
      boolean around = buffer.start() >= buffer.end();
      long load = uncounted(counted, buffer.start(), around ? steps : buffer.end());
      load = around ? Math.max(load, uncounted(counted, 0, buffer.end())) : load;
      bound = Math.max(bound, load - over.applyAsLong(buffer));
    }
    return bound;
  }

  /**
   * The largest load of the steps of a range that no one has counted, which then are; 0 of none.
   */
  private long uncounted(DisjointSets counted, int from, int to) {
    long most = 0;
    for (int step = counted.root(from); step < to; step = counted.root(step)) {
      most = Math.max(most, load(step));
      counted.join(step, step + 1);
    }
    return most;
  }

  /** Whether some step needs more than a lane. */
  public boolean exceedsLane() {
    return load(fullestStep()) > chip.laneBytes();
  }

  private int fullestStep() {
    return IntStream.range(0, steps).reduce(0, (most, s) -> load(s) > load(most) ? s : most);
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

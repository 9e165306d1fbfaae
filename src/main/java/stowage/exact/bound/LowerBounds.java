package stowage.exact.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.LeftOut;
import stowage.packing.LoadBound;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.PlainForm;

/**
 * Lower bounds of the peaks that follow from the problem alone, each with a certificate that {@link
 * stowage.packing.BoundVerifier} accepts.
 *
 * <ul>
 *   <li>{@code max-load}: the largest load of a step. Where buffers may be in other memories too,
 *       the load of all of them less the other memories' capacities.
 *   <li>{@code fixed-offset}: the highest end of a fixed buffer.
 *   <li>{@code alignment}: conflicting buffers whose offsets are multiples of a: the sum of their
 *       sizes rounded up to a, less the largest rounding. Example: 5 and 6 at 4: 8 + 8 - 3.
 *   <li>{@code banks}: k buffers of which no two fit into a bank need k banks; and how many banks
 *       are filled by buffers of a step ({@link BankFillingBound}).
 *   <li>{@code subset-sum}: holes between given offsets that no sums fill ({@link SubsetSumBound}).
 *   <li>{@code conflicts}: the heaviest set of buffers of which every two conflict; above the max
 *       load only where extra pairs or gaps make sets that share no step.
 *   <li>{@code energy}: buffers of a step that given offsets, alignments and banks push into too
 *       few addresses ({@link EnergyBound}).
 * </ul>
 *
 * <p>Every kind but {@code max-load} is looked for only where the problem has the constraints it
 * speaks of. All take O(n log n) for n spans, but for the heaviest conflict set, which is NP-hard
 * and is searched within a limit of work.
 */
public final class LowerBounds {
  private static final int MOST_ALIGNMENTS = 8;
  private static final int MOST_ALTERNATIVES = 6;

  private final PackingProblem problem;
  private final List<Timed> bounds = new ArrayList<>();
  private long lap = System.nanoTime();

  /**
   * A bound and how long it took.
   *
   * @param seconds from the end of the one before to its own
   */
  public record Timed(Bound bound, double seconds) {}

  /** Kinds of constraints that no buffer of the problem has are not looked for. */
  private boolean gaps;

  private boolean fixed;
  private boolean aligned;
  private boolean banked;

  private LowerBounds(PackingProblem problem) {
    this.problem = problem;
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      gaps |= !buffer.gaps().isEmpty();
      fixed |= buffer.isFixed();
      aligned |= buffer.alignment() != 1;
      banked |= buffer.withinBank();
    }
    for (Memory memory : problem.memories()) {
      aligned |= memory.alignment() != 1;
    }
  }

  /**
   * The best bound of every kind for every figure of {@link stowage.packing.Objective#peaks}: by
   * figure, then from the highest down; of equal ones the kind listed first above comes first.
   */
  public static List<Bound> of(PackingProblem problem) {
    return timed(problem).stream().map(Timed::bound).toList();
  }

  /** As {@link #of}, with the time each took. */
  public static List<Timed> timed(PackingProblem problem) {
    if (!problem.isPlain()) {
      return ofPlainForm(problem);
    }
    LowerBounds found = new LowerBounds(problem);
    for (int m = problem.memories().size() - 1; m >= 0; m--) {
      found.ofMemory(m);
    }
    return found.bounds;
  }

  /**
   * The max loads, and where the problem's {@linkplain PlainForm plain form} is exact its bounds:
   * those above the reserved ranges, which are buffers there and none here.
   */
  private static List<Timed> ofPlainForm(PackingProblem problem) {
    List<Timed> found = new ArrayList<>();
    long begin = System.nanoTime();
    PlainForm plain = PlainForm.of(problem);
    int last = problem.memories().size() - 1;
    for (int m = last; m >= 0; m--) {
      Bound load = LoadBound.of(problem, m);
      found.add(new Timed(load, (System.nanoTime() - begin) / 1e9));
      begin = System.nanoTime();
    }
    if (plain.problem() != null && plain.isExact()) {
      for (Timed timed : timed(plain.problem())) {
        Bound bound = timed.bound();
        if (bound.value() > plain.reservedTop(last - bound.figure())) {
          found.add(new Timed(plain.expand(bound), timed.seconds()));
        }
      }
    }
    found.sort(
        Comparator.comparingInt((Timed timed) -> timed.bound().figure())
            .thenComparingLong(timed -> -timed.bound().value()));
    return found;
  }

  /** The best bound of each figure; entries are null where nothing bounds it. */
  public static Bound[] best(PackingProblem problem) {
    Bound[] best = new Bound[problem.memories().size()];
    for (Bound bound : of(problem)) {
      if (best[bound.figure()] == null) {
        best[bound.figure()] = bound;
      }
    }
    return best;
  }

  /**
   * Offers bounds to an incumbent, with the proof of infeasibility where one is above a capacity.
   *
   * @return whether nothing is left to do
   */
  public static boolean offer(List<Bound> bounds, Incumbent incumbent) {
    bounds.forEach(bound -> incumbent.offer(bound, bound.kind()));
    infeasibility(incumbent.problem(), bounds)
        .ifPresent(proof -> incumbent.provenInfeasible(proof, proof.kind()));
    return incumbent.isClosed();
  }

  /**
   * A certificate among the bounds that puts a peak above its memory's capacity, if there is one.
   */
  public static Optional<Certificate> infeasibility(PackingProblem problem, List<Bound> bounds) {
    int last = problem.memories().size() - 1;
    for (Bound bound : bounds) {
      if (bound.value() > problem.memories().get(last - bound.figure()).capacity()) {
        return Optional.of(bound.certificate());
      }
    }
    return Optional.empty();
  }

  private void ofMemory(int memory) {
    List<Timed> own = new ArrayList<>();
    add(own, memory, maxLoad(memory));
    if (fixed) {
      add(own, memory, fixedOffset(memory));
    }
    if (aligned && problem.memories().size() > 1) {
      alternatives(memory, others -> add(own, memory, bestAlignment(memory, others)));
    }
    if (confined(memory)) {
      if (fixed) {
        add(own, SubsetSumBound.best(problem, memory, i -> here(i, memory)));
      }
      if (aligned) {
        add(own, memory, bestAlignment(memory, 0));
      }
      if (banked) {
        add(own, memory, banks(memory));
        add(own, BankFillingBound.best(problem, memory, i -> here(i, memory)));
      }
      if (gaps || !problem.conflicts().isEmpty()) {
        add(own, memory, conflicts(memory));
      }
      if (fixed) {
        long known = own.stream().mapToLong(found -> found.bound.value()).max().orElse(0);
        add(own, EnergyBound.best(problem, memory, i -> here(i, memory), known));
      }
    }
    own.sort(Comparator.comparingLong((Timed found) -> found.bound.value()).reversed());
    bounds.addAll(own);
  }

  private void add(List<Timed> own, Bound found) {
    long now = System.nanoTime();
    if (found != null && !LeftOut.has(found.kind())) {
      own.add(new Timed(found, (now - lap) / 1e9));
    }
    lap = now;
  }

  private record Found(long value, Certificate certificate) {}

  private void add(List<Timed> own, int memory, Found found) {
    int figure = problem.memories().size() - 1 - memory;
    add(own, found == null ? null : new Bound(figure, found.value, found.certificate));
  }

  /** Whether the memory has constraints, other than loads, on buffers that are in it alone. */
  private boolean confined(int memory) {
    for (int i = 0; i < problem.size(); i++) {
      if (here(i, memory)) {
        return true;
      }
    }
    return false;
  }

  private boolean here(int buffer, int memory) {
    return problem.allowedMask(buffer) == 1L << memory && problem.buffer(buffer).needsMemory();
  }

  private Found maxLoad(int memory) {
    Found[] best = {maxLoad(memory, 0)};
    alternatives(
        memory,
        others -> {
          Found found = maxLoad(memory, others);
          best[0] = found.value > best[0].value ? found : best[0];
        });
    return best[0];
  }

  /** All non-empty subsets of the other bounded memories where they are few, else all together. */
  private void alternatives(int memory, LongConsumer visitor) {
    long bounded = 0;
    for (int m = 0; m < problem.memories().size(); m++) {
      bounded |= m != memory && problem.memories().get(m).isBounded() ? 1L << m : 0;
    }
    boolean few = Long.bitCount(bounded) <= MOST_ALTERNATIVES;
    for (long others = bounded; others != 0; others = few ? (others - 1) & bounded : 0) {
      visitor.accept(others);
    }
  }

  private Found maxLoad(int memory, long others) {
    long reach = others | 1L << memory;
    LoadProfile profile = LoadProfile.of(problem, i -> (problem.allowedMask(i) & ~reach) == 0);
    long load = profile.maxLoad();
    for (int m = 0; m < problem.memories().size() && load > 0; m++) {
      if ((others >> m & 1) != 0) {
        load -= Math.min(load, problem.memories().get(m).capacity());
      }
    }
    int step = profile.maxLoadStep();
    int[] alive = new int[problem.size()];
    int count = 0;
    for (int i = 0; i < alive.length; i++) {
      if ((problem.allowedMask(i) & ~reach) == 0
          && problem.buffer(i).size() > 0
          && problem.buffer(i).bytesAt(step) > 0) {
        alive[count++] = i;
      }
    }
    return new Found(
        load, new Certificate.MaxLoad(memory, step, others, Arrays.copyOf(alive, count)));
  }

  private Found fixedOffset(int memory) {
    int highest = -1;
    long end = 0;
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      if (buffer.isFixed() && here(i, memory) && buffer.fixedOffset() + buffer.size() > end) {
        highest = i;
        end = buffer.fixedOffset() + buffer.size();
      }
    }
    return highest < 0 ? null : new Found(end, new Certificate.FixedOffset(memory, highest));
  }

  /** Whether a buffer is in one of some memories, a bit set, for certain. */
  private boolean within(int buffer, long memories) {
    return (problem.allowedMask(buffer) & ~memories) == 0 && problem.buffer(buffer).needsMemory();
  }

  /** The highest bound of an alignment, of those worth a look; null where there is none. */
  private Found bestAlignment(int memory, long others) {
    Found best = null;
    for (long alignment : alignments(memory, others | 1L << memory)) {
      Found found = alignment(memory, others, alignment);
      best = best == null || found != null && found.value > best.value ? found : best;
    }
    return best;
  }

  /** Alignments worth a look: those that some buffer of the memories is not a multiple of. */
  private long[] alignments(int memory, long reach) {
    long common = problem.memories().get(memory).alignment();
    long[] distinct = new long[MOST_ALIGNMENTS];
    int count = 0;
    for (int i = 0; i < problem.size() && count < MOST_ALIGNMENTS; i++) {
      if (within(i, reach)) {
        count = note(distinct, count, common, problem.buffer(i).size());
        count = note(distinct, count, problem.buffer(i).alignment(), problem.buffer(i).size());
      }
    }
    return Arrays.copyOf(distinct, count);
  }

  private static int note(long[] distinct, int count, long alignment, long size) {
    if (count == distinct.length || size % alignment == 0) {
      return count;
    }
    for (int k = 0; k < count; k++) {
      if (distinct[k] == alignment) {
        return count;
      }
    }
    distinct[count] = alignment;
    return count + 1;
  }

  private Found alignment(int memory, long others, long alignment) {
    long reach = others | 1L << memory;
    boolean common = true;
    for (int m = 0; m < problem.memories().size(); m++) {
      common &= (reach >> m & 1) == 0 || problem.memories().get(m).alignment() % alignment == 0;
    }
    boolean all = common;
    CliqueFinder sweep =
        new CliqueFinder(
            problem,
            i -> within(i, reach) && (all || problem.buffer(i).alignment() % alignment == 0));
    ToLongFunction<int[]> worth = buffers -> aligned(buffers, others, alignment);
    int[] best = sweep.bestStep(roundedSizes(alignment), worth);
    int[] members = best;
    if (!problem.conflicts().isEmpty()) {
      int[] wider = sweep.withConflicts(best, i -> roundUp(problem.buffer(i).size(), alignment));
      members = worth.applyAsLong(wider) > worth.applyAsLong(best) ? wider : best;
    }
    long value = worth.applyAsLong(members);
    return value <= 0
        ? null
        : new Found(value, new Certificate.Alignment(memory, alignment, others, members));
  }

  private IntToLongFunction roundedSizes(long alignment) {
    return i -> roundUp(problem.buffer(i).size(), alignment);
  }

  private static long roundUp(long size, long alignment) {
    long rest = size % alignment;
    return rest == 0 ? size : size - rest + alignment;
  }

  /**
   * What is left of the rounded sizes for a memory: less what the others hold at most, and less the
   * rounding of a highest buffer. What a memory of c bytes holds is c rounded down to the
   * alignment, and as much again as the alignment where its highest buffer's rounding reaches the
   * next multiple. Memories that ask for a larger rounding choose first, each the least that will
   * do: that serves the most of them, and each is worth more than any rounding left over.
   */
  private long aligned(int[] buffers, long others, long alignment) {
    long sum = 0;
    long[] rounding = new long[buffers.length];
    for (int k = 0; k < buffers.length; k++) {
      long size = problem.buffer(buffers[k]).size();
      long rounded = roundUp(size, alignment);
      sum += rounded;
      rounding[k] = rounded - size;
    }
    Arrays.sort(rounding);
    long[] asked = new long[Long.bitCount(others)];
    int memories = 0;
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((others >> m & 1) != 0) {
        long rest = problem.memories().get(m).capacity() % alignment;
        sum -= Math.min(sum, problem.memories().get(m).capacity() - rest);
        asked[memories++] = rest == 0 ? Long.MAX_VALUE : alignment - rest;
      }
    }
    Arrays.sort(asked);
    for (int m = memories - 1; m >= 0; m--) {
      int at = 0;
      while (at < rounding.length && rounding[at] < asked[m]) {
        at++;
      }
      if (at < rounding.length) {
        sum -= Math.min(sum, alignment);
        rounding[at] = 0;
        Arrays.sort(rounding);
      }
    }
    return rounding.length == 0 ? 0 : sum - rounding[rounding.length - 1];
  }

  private Found banks(int memory) {
    long bank = problem.memories().get(memory).bankSize();
    if (bank == 0) {
      return null;
    }
    CliqueFinder sweep =
        new CliqueFinder(problem, i -> here(i, memory) && problem.buffer(i).withinBank());
    int[] best =
        sweep.bestStep(
            i -> problem.buffer(i).size() * 2 > bank ? bank : 1,
            buffers -> banked(apartInBanks(buffers, bank), bank));
    int[] members = apartInBanks(best, bank);
    long value = banked(members, bank);
    return value == 0 ? null : new Found(value, new Certificate.Banks(memory, members));
  }

  /** The most of the given buffers of which no two fit into one bank: the large, and one more. */
  private int[] apartInBanks(int[] buffers, long bank) {
    int[] kept = new int[buffers.length];
    int count = 0;
    long smallest = Long.MAX_VALUE;
    int extra = -1;
    for (int i : buffers) {
      long size = problem.buffer(i).size();
      if (size * 2 > bank) {
        kept[count++] = i;
        smallest = Math.min(smallest, size);
      } else if (extra < 0 || size > problem.buffer(extra).size()) {
        extra = i;
      }
    }
    if (extra >= 0 && (count == 0 || problem.buffer(extra).size() + smallest > bank)) {
      kept[count++] = extra;
    }
    return Arrays.copyOf(kept, count);
  }

  private long banked(int[] buffers, long bank) {
    long smallest = Long.MAX_VALUE;
    for (int i : buffers) {
      smallest = Math.min(smallest, problem.buffer(i).size());
    }
    return buffers.length == 0 ? 0 : (buffers.length - 1) * bank + smallest;
  }

  private Found conflicts(int memory) {
    CliqueFinder sweep = new CliqueFinder(problem, i -> here(i, memory));
    int[] clique = sweep.heaviestConflicting(i -> problem.buffer(i).size());
    long sum = 0;
    for (int i : clique) {
      sum += problem.buffer(i).size();
    }
    return new Found(sum, new Certificate.Conflicts(memory, clique));
  }
}

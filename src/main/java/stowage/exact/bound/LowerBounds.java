package stowage.exact.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.LeftOut;
import stowage.packing.LoadBound;
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
 *   <li>{@code banks}: k buffers of which no two fit into a bank need k banks.
 *   <li>{@code subset-sum}: holes between given offsets that no sums fill ({@link SubsetSumBound}).
 *   <li>{@code conflicts}: the heaviest set of buffers of which every two conflict; above the max
 *       load only where extra pairs or gaps make sets that share no step.
 *   <li>{@code energy}: buffers of a step that given offsets, alignments and banks push into too
 *       few addresses ({@link EnergyBound}).
 * </ul>
 *
 * <p>Every kind but {@code max-load} is looked for only where the problem has the constraints it
 * speaks of. All take O(n log n) for n spans, except for the heaviest conflict set, which is
 * NP-hard and is searched within a limit of work.
 */
public final class LowerBounds {
  private static final int MOST_ALTERNATIVES = 6;

  private final PackingProblem problem;
  private final List<Timed> bounds = new ArrayList<>();
  private long lap = System.nanoTime();

  /** A bound and the seconds since the end of the one before it. */
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

  /** Offers bounds, and infeasibility where it follows; answers whether nothing is left to do. */
  public static boolean offer(List<Bound> bounds, Incumbent incumbent) {
    for (Bound bound : bounds) {
      incumbent.offer(bound, bound.kind());
    }
    infeasibility(incumbent.problem(), bounds)
        .ifPresent(proof -> incumbent.provenInfeasible(proof, proof.kind()));
    return incumbent.isClosed();
  }

  /** A certificate among the bounds that puts a peak above its memory's capacity, if any. */
  public static Optional<Certificate> infeasibility(PackingProblem problem, List<Bound> bounds) {
    int last = problem.memories().size() - 1;
    return bounds.stream()
        .filter(bound -> bound.value() > problem.memories().get(last - bound.figure()).capacity())
        .map(Bound::certificate)
        .findFirst();
  }

  private void ofMemory(int memory) {
    List<Timed> own = new ArrayList<>();
    IntPredicate here = i -> here(i, memory);
    add(own, maxLoad(memory));
    if (fixed) {
      add(own, fixedOffset(memory));
    }
    if (aligned && problem.memories().size() > 1) {
      alternatives(memory, others -> add(own, AlignmentBound.best(problem, memory, others)));
    }
    if (IntStream.range(0, problem.size()).anyMatch(here)) {
      if (fixed) {
        add(own, SubsetSumBound.best(problem, memory, here));
      }
      if (aligned) {
        add(own, AlignmentBound.best(problem, memory, 0));
      }
      if (banked) {
        add(own, apartInBanks(memory));
      }
      if (gaps || !problem.conflicts().isEmpty()) {
        add(own, conflicts(memory));
      }
      if (fixed) {
        long known = own.stream().mapToLong(found -> found.bound.value()).max().orElse(0);
        add(own, EnergyBound.best(problem, memory, here, known));
      }
    }
    own.sort((one, other) -> Long.compare(other.bound.value(), one.bound.value()));
    bounds.addAll(own);
  }

  private void add(List<Timed> own, Bound found) {
    long now = System.nanoTime();
    if (found != null && !LeftOut.has(found.kind())) {
      own.add(new Timed(found, (now - lap) / 1e9));
    }
    lap = now;
  }

  static Bound bound(PackingProblem problem, int memory, long value, Certificate why) {
    return new Bound(problem.memories().size() - 1 - memory, value, why);
  }

  private boolean here(int buffer, int memory) {
    return problem.allowedMask(buffer) == 1L << memory && problem.buffer(buffer).needsMemory();
  }

  private Bound maxLoad(int memory) {
    Bound[] best = {maxLoad(memory, 0)};
    alternatives(
        memory,
        others -> {
          Bound found = maxLoad(memory, others);
          best[0] = found.value() > best[0].value() ? found : best[0];
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

  private Bound maxLoad(int memory, long others) {
    long reach = others | 1L << memory;
    LoadBound.Heaviest most =
        LoadBound.heaviest(problem, i -> (problem.allowedMask(i) & ~reach) == 0);
    long load = most.bytes();
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((others >> m & 1) != 0) {
        load -= Math.min(load, problem.memories().get(m).capacity());
      }
    }
    Certificate why = new Certificate.MaxLoad(memory, most.step(), others, most.buffers());
    return bound(problem, memory, load, why);
  }

  private Bound fixedOffset(int memory) {
    int highest = -1;
    long end = 0;
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      if (buffer.isFixed() && here(i, memory) && buffer.fixedOffset() + buffer.size() > end) {
        highest = i;
        end = buffer.fixedOffset() + buffer.size();
      }
    }
    return highest < 0
        ? null
        : bound(problem, memory, end, new Certificate.FixedOffset(memory, highest));
  }

  private Bound conflicts(int memory) {
    CliqueFinder finder = new CliqueFinder(problem, i -> here(i, memory));
    int[] clique = finder.heaviestConflicting(i -> problem.buffer(i).size());
    long sum = IntStream.of(clique).mapToLong(i -> problem.buffer(i).size()).sum();
    return bound(problem, memory, sum, new Certificate.Conflicts(memory, clique));
  }

  /** Conflicting buffers that must not cross a border, of which no two fit into one bank. */
  private Bound apartInBanks(int memory) {
    long bank = problem.memories().get(memory).bankSize();
    if (bank == 0) {
      return null;
    }
    CliqueFinder finder =
        new CliqueFinder(problem, i -> here(i, memory) && problem.buffer(i).withinBank());
    int[] best =
        finder.bestStep(
            i -> problem.buffer(i).size() * 2 > bank ? bank : 1,
            buffers -> worth(apart(buffers, bank), bank));
    int[] members = apart(best, bank);
    long value = worth(members, bank);
    Certificate why = new Certificate.Banks(memory, members);
    return value == 0 ? null : bound(problem, memory, value, why);
  }

  /** The most of the given buffers of which no two fit into one bank: the large, and one more. */
  private int[] apart(int[] buffers, long bank) {
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

  private long worth(int[] buffers, long bank) {
    long smallest = Arrays.stream(buffers).mapToLong(i -> problem.buffer(i).size()).min().orElse(0);
    return Math.max(0, buffers.length - 1) * bank + smallest;
  }
}

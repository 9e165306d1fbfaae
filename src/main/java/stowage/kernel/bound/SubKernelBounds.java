package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.SubKernel;

/**
 * Lower bound of the spill traffic over all orders from parts of a kernel ({@link SubKernel}), each
 * bounded by milestones whose steps are priced by {@link MomentTraffic}: small parts before larger
 * ones, and the whole kernel first or, where its cuts take long, last.
 *
 * <p>A part is what some results need. It begins with one result, an op that no op follows, and
 * takes the one that shares most with those it has, not the one that adds least: results at a
 * border add little and overflow nothing. Parts of 2, 3, 4, 6, 8, 12, ... results are asked in
 * turn, and asked again with more nodes and cuts.
 */
public final class SubKernelBounds {
  private static final int FIRST_NODES = 24;
  private static final int FIRST_CUTS = 400;
  private static final int GROWTH = 4;
  private static final int MOST_RESULTS = 1024;
  private static final int MOST_PARTS_OPS = 40_000;

  /** A kernel of no more ops is asked as a whole first. */
  private static final int SOON_OPS = 6_000;

  private final KernelOps graph;
  private final LongSupplier known;
  private final BooleanSupplier stopped;
  private final Consumer<Long> bounds;
  private long best;

  /**
   * @param floor a bound that is known already
   * @param known a value that is known to be reached
   * @param stopped ends the work
   * @param bounds takes each better bound
   */
  public SubKernelBounds(
      KernelOps graph,
      long floor,
      LongSupplier known,
      BooleanSupplier stopped,
      Consumer<Long> bounds) {
    this.graph = graph;
    this.known = known;
    this.stopped = stopped;
    this.bounds = bounds;
    best = KernelBounds.whole(graph, floor);
  }

  /** Raises the bound until stopped or out of questions; returns the best. */
  public long traffic() {
    List<Part> open = new ArrayList<>();
    for (KernelOps part : parts()) {
      Part question = new Part(part);
      if (!stopped.getAsBoolean() && question.round()) {
        open.add(question);
      }
    }
    while (!open.isEmpty() && !isOver()) {
      open.removeIf(question -> !question.round());
    }
    return best;
  }

  private boolean isOver() {
    return stopped.getAsBoolean() || best >= known.getAsLong();
  }

  /** Parts of the kernel in the order in which they are asked, and the kernel itself. */
  private List<KernelOps> parts() {
    int[] results =
        IntStream.range(0, graph.ops).filter(v -> graph.succAt[v] == graph.succAt[v + 1]).toArray();
    List<KernelOps> parts = new ArrayList<>();
    if (results.length > 2 && results.length <= MOST_RESULTS) {
      BitSet[] needs =
          Arrays.stream(results).mapToObj(v -> SubKernel.closure(graph, v)).toArray(BitSet[]::new);
      BitSet[] uses = Arrays.stream(needs).map(this::uses).toArray(BitSet[]::new);
      grow(needs, uses, results.length / 2, parts);
    }
    parts.add(graph.ops <= SOON_OPS ? 0 : parts.size(), graph);
    return parts;
  }

  private BitSet uses(BitSet ops) {
    BitSet uses = new BitSet(graph.buffers);
    ops.stream()
        .forEach(
            v -> {
              for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
                uses.set(graph.use[k]);
              }
            });
    return uses;
  }

  private void grow(BitSet[] needs, BitSet[] uses, int first, List<KernelOps> parts) {
    BitSet part = new BitSet(graph.ops);
    BitSet used = new BitSet(graph.buffers);
    boolean[] taken = new boolean[needs.length];
    int next = first;
    long budget = MOST_PARTS_OPS;
    for (int count = 1; count < needs.length && budget > 0; count++) {
      taken[next] = true;
      part.or(needs[next]);
      used.or(uses[next]);
      if (count > 1
          && (Integer.bitCount(count) == 1 || count % 3 == 0 && Integer.bitCount(count / 3) == 1)) {
        parts.add(SubKernel.of(graph, part));
        budget -= part.cardinality();
      }
      long most = -1;
      for (int k = 0; k < needs.length; k++) {
        long shared = taken[k] ? -1 : shared(uses[k], used);
        if (shared > most) {
          most = shared;
          next = k;
        }
      }
    }
  }

  private long shared(BitSet uses, BitSet used) {
    long shared = 0;
    for (int b = uses.nextSetBit(0); b >= 0; b = uses.nextSetBit(b + 1)) {
      shared += used.get(b) ? graph.size[b] : 0;
    }
    return shared;
  }

  /**
   * A part: asks for each kind of its ops, the fewest first, whether some order of them passes only
   * moments that cost less than a target. Where none does, the target is a bound, and a higher one
   * is asked for. Kinds whose steps could not all be decided are asked again with more nodes.
   * Traffic is a sum of prices, so bounds are rounded up to a multiple of their greatest common
   * divisor.
   */
  private final class Part {
    private final KernelOps part;
    private final KernelSymmetry symmetry;
    private final MomentTraffic moments;
    private final List<List<Integer>> open;
    private int nodes = FIRST_NODES;
    private long cuts = FIRST_CUTS;

    Part(KernelOps part) {
      this.part = part;
      symmetry = new KernelSymmetry(part);
      moments = new MomentTraffic(part, stopped);
      open = new ArrayList<>(MilestoneBounds.MilestoneSets.of(part, symmetry, false).sets());
      open.sort(Comparator.comparingInt(List::size));
    }

    /** Asks each kind, with more nodes and cuts from round to round; false when none is left. */
    boolean round() {
      for (List<Integer> kind : List.copyOf(open)) {
        if (!isOver() && !ask(kind)) {
          open.remove(kind);
        }
      }
      nodes *= GROWTH;
      cuts *= GROWTH;
      return !open.isEmpty();
    }

    /** Raises the target by one kind as far as it goes; false where more nodes would not help. */
    private boolean ask(List<Integer> kind) {
      int[] milestones = kind.stream().mapToInt(v -> v).toArray();
      while (!isOver()) {
        long target = Math.min(known.getAsLong(), best + Math.max(1, best / 2));
        MomentPrice price = new MomentPrice(part, moments, nodes);
        MilestoneSearch search =
            new MilestoneSearch(part, price, symmetry, milestones, 0, () -> target, stopped);
        search.advance(cuts);
        long bound = KernelBounds.whole(part, search.bound());
        if (bound > best) {
          best = bound;
          bounds.accept(bound);
        }
        if (bound < target) {
          return !search.isDone() || price.isLimited() || stopped.getAsBoolean();
        }
      }
      return true;
    }
  }

  /**
   * Price of a step by {@link MomentTraffic}.
   *
   * <p><b>Commitment.</b> The overflow is a sum over caches, which is not submodular; so a
   * milestone is committed to where it adds nothing to what is live, whatever else has run. Proof:
   * let Z be the milestone and the ops before it that S does not imply. Each buffer of Z has a user
   * that S implies, so it is live before and is at most live after, or has no users but Z, so it
   * has ended after. Any later downset without Z can be joined with Z, and no cache holds more. An
   * example: a product whose two blocks and whose sum are live, with the moves of the blocks. Not
   * thread-safe.
   */
  private static final class MomentPrice implements StepPrice {
    private final KernelOps graph;
    private final MomentTraffic moments;
    private final int mostNodes;
    private boolean limited;

    /**
     * @param moments with nothing pinned; shared by searches that run one after another
     * @param mostNodes nodes of its search for each step
     */
    MomentPrice(KernelOps graph, MomentTraffic moments, int mostNodes) {
      this.graph = graph;
      this.moments = moments;
      this.mostNodes = mostNodes;
    }

    /** Whether some step might cost more than it was taken to, because its search ended early. */
    boolean isLimited() {
      return limited;
    }

    /** The ops that have run, and which others add nothing then. */
    private final class Ran implements Rest {
      private final BitSet ran;
      private final Map<Integer, Boolean> free = new HashMap<>();

      Ran(BitSet ran) {
        this.ran = ran;
      }

      @Override
      public boolean isFree(int op) {
        return free.computeIfAbsent(op, key -> addsNothing(op, ran));
      }
    }

    @Override
    public LiveCut cut() {
      return moments.cut();
    }

    @Override
    public long cuts() {
      return moments.cuts();
    }

    @Override
    public Rest rest(Supplier<BitSet> ran) {
      return new Ran(ran.get());
    }

    @Override
    public long step(long worth, long most) {
      MomentTraffic.Answer answer = moments.least(worth, most, mostNodes);
      limited |= !answer.reached() && answer.bound() < most;
      return answer.bound();
    }

    @Override
    public Rest after(Rest before, int op) {
      if (!before.isFree(op)) {
        return null;
      }
      BitSet ran = (BitSet) ((Ran) before).ran.clone();
      ran.set(op);
      SubKernel.close(graph, ran);
      return new Ran(ran);
    }

    @Override
    public boolean asksImagesOnce() {
      return true;
    }

    /**
     * Whether a milestone adds nothing to what is live, once it has run, whatever else has run:
     * each buffer of it and of the ops still missing before it has a user that has run, so that it
     * is live already, or no users but these ops.
     */
    private boolean addsNothing(int op, BitSet ran) {
      BitSet more = new BitSet(graph.ops);
      more.set(op);
      SubKernel.close(graph, more);
      more.andNot(ran);
      for (int v = more.nextSetBit(0); v >= 0; v = more.nextSetBit(v + 1)) {
        for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
          int b = graph.use[k];
          boolean live = false;
          boolean own = true;
          for (int u = graph.userAt[b]; u < graph.userAt[b + 1]; u++) {
            live |= ran.get(graph.user[u]);
            own &= more.get(graph.user[u]);
          }
          if (!live && !own) {
            return false;
          }
        }
      }
      return true;
    }
  }
}

package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.SubKernel;

/**
 * Lower bound of the spill traffic over all orders from parts of a kernel ({@link SubKernel}), each
 * bounded by {@link OverflowMilestoneBound}: small parts before larger ones, and the whole kernel
 * first or, where its cuts take long, last.
 *
 * <p>A part is what some results need. It begins with one result, an op that no op follows, and
 * takes the one that shares most with those it has, not the one that adds least: results at a
 * border add little and overflow nothing. Parts of 2, 3, 4, 6, 8, 12, ... results are asked in
 * turn, and asked again with more nodes and cuts.
 */
public final class SubKernelBounds {
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
    List<OverflowMilestoneBound> open = new ArrayList<>();
    for (KernelOps part : parts()) {
      OverflowMilestoneBound search =
          new OverflowMilestoneBound(part, () -> best, known, stopped, this::raise);
      if (!stopped.getAsBoolean() && search.round()) {
        open.add(search);
      }
    }
    while (!open.isEmpty() && !stopped.getAsBoolean() && best < known.getAsLong()) {
      open.removeIf(search -> !search.round());
    }
    return best;
  }

  private void raise(long bound) {
    best = bound;
    bounds.accept(bound);
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
}

package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.packing.IndexOrder;

/**
 * Lower bound over all orders from the sequence in which some ops, the milestones, run.
 *
 * <p><b>Bottleneck.</b> In every order the milestones run one after another. While milestone g runs
 * and exactly the set S of others has run, S is in the downset of {@link LiveCut}, the rest is not,
 * and g's buffers are live; the least cut under these pins, p(S, g), bounds what is live then. So
 * each order is a path from the empty set to the whole one whose largest step is at most the
 * order's peak, and the least such bottleneck over all paths bounds all orders. The search takes
 * sets by the bottleneck that leads to them, lowest first; the last one taken bounds all orders,
 * even where the search is cut off. With all ops as milestones it is exact; with few the cuts stand
 * in for the ops between.
 *
 * <p><b>Commitment.</b> Where a step costs no more than the bottleneck so far, and its price proves
 * that running it next costs no order anything ({@link CutPrice}), nothing else need be tried.
 *
 * <p><b>Symmetry.</b> A set that an isomorphism maps onto one taken before is dropped: see {@link
 * KernelSymmetry}. Not thread-safe.
 */
public final class MilestoneSearch {
  private static final int NODE_BYTES = 160;

  private static final class Node {
    private final BitSet set;
    private final long key;
    private final int size;
    private boolean committed;

    /** The least price once exactly the set has run; negative where it is not known. */
    private long rest = -1;

    Node(BitSet set, long key, int size) {
      this.set = set;
      this.key = key;
      this.size = size;
    }
  }

  private final KernelOps graph;
  private final int[] milestones;
  private final int[] index;

  /** The milestones that have to run before each. */
  private final BitSet[] before;

  private final StepPrice price;
  private final KernelSymmetry symmetry;
  private final BooleanSupplier stopped;
  private final LongSupplier known;
  private final PriorityQueue<Node> queue =
      new PriorityQueue<>(
          Comparator.comparingLong((Node node) -> node.key)
              .thenComparingInt((Node node) -> -node.size));
  private final Set<BitSet> taken = new HashSet<>();
  private final Map<Long, List<KernelSymmetry.Labelling>> classes = new HashMap<>();
  private long labelled;
  private long bound;
  private boolean done;

  /**
   * @param price what steps cost; shared by searches that run one after another
   * @param milestones the ops, ascending
   * @param floor a lower bound over all orders that is known already; paths cost as much at least
   * @param known a value that is known to be reached; what costs as much is not followed
   * @param stopped ends the work early; the bound is then weaker
   */
  public MilestoneSearch(
      KernelOps graph,
      StepPrice price,
      KernelSymmetry symmetry,
      int[] milestones,
      long floor,
      LongSupplier known,
      BooleanSupplier stopped) {
    this.graph = graph;
    this.price = price;
    this.milestones = milestones;
    this.symmetry = symmetry;
    this.stopped = stopped;
    this.known = known;
    index = IndexOrder.places(milestones, graph.ops);
    BitSet[] above = new BitSet[graph.ops];
    for (int v = 0; v < graph.ops; v++) {
      above[v] = new BitSet(milestones.length);
      for (int u : graph.preds[v]) {
        above[v].or(above[u]);
        if (index[u] >= 0) {
          above[v].set(index[u]);
        }
      }
    }
    before = Arrays.stream(milestones).mapToObj(v -> above[v]).toArray(BitSet[]::new);
    queue.add(new Node(new BitSet(milestones.length), floor, 0));
  }

  /** A lower bound over all orders. */
  public long bound() {
    return bound;
  }

  /** Whether nothing is left to do. */
  public boolean isDone() {
    return done;
  }

  public int milestones() {
    return milestones.length;
  }

  /** Bytes that the sets in memory take, about. */
  long bytes() {
    long set = milestones.length / 8 + NODE_BYTES;
    return set * (queue.size() + taken.size()) + 4L * labelled;
  }

  /** Ends the search and lets go of its sets; the bound remains. */
  void close() {
    done = true;
    queue.clear();
    taken.clear();
    classes.clear();
    labelled = 0;
  }

  /** Goes on for so many least cuts, about. */
  public void advance(long more) {
    if (!done) {
      follow(more);
    }
    if (done) {
      close();
    }
  }

  private void follow(long more) {
    long until = price.cut().runs() + more;
    while (!done && price.cut().runs() < until && !stopped.getAsBoolean()) {
      Node node = queue.poll();
      if (node == null || node.key >= known.getAsLong()) {
        bound = Math.max(bound, known.getAsLong());
        done = true;
        return;
      }
      bound = Math.max(bound, node.key);
      if (node.size == milestones.length) {
        done = true;
        return;
      }
      boolean branched = !node.committed;
      if (!taken.add(node.set) || branched && isImage(node)) {
        continue;
      }
      pin(node.set, true);
      List<Node> next = expand(node);
      pin(node.set, false);
      if (stopped.getAsBoolean()) {
        done = true; // some sets may be missing: the bound stays at the node's own
        return;
      }
      if (branched || next.size() == 1 && next.get(0).committed || !isImage(node)) {
        queue.addAll(next);
      }
    }
  }

  private boolean isImage(Node node) {
    return milestones.length >= 3 && node.size > 0 && isImage(marks(node.set));
  }

  private byte[] marks(BitSet set) {
    byte[] marks = new byte[graph.ops];
    for (int m = 0; m < milestones.length; m++) {
      marks[milestones[m]] = (byte) (set.get(m) ? 2 : 1);
    }
    return marks;
  }

  /** Whether a symmetry maps marks to some that were asked for before. */
  private boolean isImage(byte[] marks) {
    KernelSymmetry.Labelling labelling = symmetry.label(marks);
    List<KernelSymmetry.Labelling> same =
        classes.computeIfAbsent(labelling.hash(), key -> new ArrayList<>(1));
    for (KernelSymmetry.Labelling other : same) {
      if (symmetry.maps(other, labelling)) {
        return true;
      }
    }
    same.add(labelling);
    labelled += labelling.order().length;
    return false;
  }

  private void pin(BitSet set, boolean on) {
    for (int m = 0; m < milestones.length; m++) {
      if (set.get(m)) {
        price.cut().pinDone(milestones[m], on);
      } else {
        price.cut().pinOpen(milestones[m], on);
      }
    }
  }

  /** The sets that follow: the one that is committed to, or all below what is known. */
  private List<Node> expand(Node node) {
    node.rest = node.rest < 0 ? price.rest() : node.rest;
    int[] ready =
        IndexOrder.of(
            IntStream.range(0, milestones.length)
                .filter(m -> !node.set.get(m) && isReady(node.set, m)),
            Comparator.comparingLong(this::toBegin));
    List<Node> children = new ArrayList<>();
    for (int m : ready) {
      if (stopped.getAsBoolean()) {
        break;
      }
      long most = known.getAsLong();
      int v = milestones[m];
      if (node.rest < 0 && isImageOfStep(node.set, m)) {
        continue;
      }
      running(v, true);
      long cost = Math.max(node.key, price.step(node.key, most));
      running(v, false);
      if (cost >= most) {
        continue;
      }
      BitSet set = (BitSet) node.set.clone();
      set.set(m);
      Node child = new Node(set, cost, node.size + 1);
      if (node.rest >= 0 && cost <= node.key) {
        long after = restAfter(v);
        if (after <= node.rest) {
          child.rest = after;
          child.committed = true;
          return List.of(child);
        }
      }
      children.add(child);
    }
    return children;
  }

  private long restAfter(int v) {
    price.cut().pinOpen(v, false);
    price.cut().pinDone(v, true);
    long rest = price.rest();
    price.cut().pinDone(v, false);
    price.cut().pinOpen(v, true);
    return rest;
  }

  /** Bytes of a milestone's buffers that the sets so far have not begun; these are tried last. */
  private long toBegin(int m) {
    int v = milestones[m];
    long bytes = toBeginUsesOf(v);
    for (int u : graph.preds[v]) {
      bytes += toBeginUsesOf(u);
    }
    return bytes;
  }

  private long toBeginUsesOf(int v) {
    long bytes = 0;
    for (int b : graph.uses[v]) {
      bytes += price.cut().isBegun(b) ? 0 : graph.size[b];
    }
    return bytes;
  }

  private boolean isReady(BitSet set, int m) {
    BitSet missing = (BitSet) before[m].clone();
    missing.andNot(set);
    return missing.isEmpty();
  }

  /**
   * Whether a symmetry maps a step to one judged before. That one came from a set of no higher
   * bottleneck, so what follows it costs no more.
   */
  private boolean isImageOfStep(BitSet set, int m) {
    byte[] marks = marks(set);
    marks[milestones[m]] = 3;
    return isImage(marks);
  }

  private void running(int v, boolean on) {
    LiveCut cut = price.cut();
    if (on) {
      cut.pinOpen(v, false);
    }
    cut.pinRunning(v, on);
    if (!on) {
      cut.pinOpen(v, true);
      for (int w : graph.succs[v]) {
        cut.pinOpen(w, index[w] >= 0);
      }
    }
  }
}

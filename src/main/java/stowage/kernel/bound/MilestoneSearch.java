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
import stowage.kernel.model.SubKernel;

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
 * <p><b>Commitment.</b> Let f(S) be the least cut after exactly S has run. Where p(S, h) is at most
 * the bottleneck so far, and f(S + h) at most f(S), h may run next and nothing else need be tried.
 * Proof: let D1 be the least cut of a later step (X, g) without h, and D2 that of f(S + h). D1 and
 * D2 meet in a downset that holds exactly S, so it costs at least f(S), which is at least f(S + h).
 * Costs are submodular, so D1 and D2 together cost at most D1, and they hold X + h: every later
 * step costs no more after h. A worked example: the products (i, j) of a blocked matrix product as
 * milestones; once some of row i and some of column j have run, both their blocks are live, so (i,
 * j) may run at once, and only full rectangles of products remain as sets.
 *
 * <p><b>Steps priced by {@link MomentTraffic}</b> add up overflow over caches, which is not
 * submodular; there a milestone is committed to where it adds nothing to what is live, whatever
 * else has run. Proof: let Z be the milestone and the ops before it that S does not imply. Each
 * buffer of Z has a user that S implies, so it is live before and is at most live after, or has no
 * users but Z, so it has ended after. Any later downset without Z can be joined with Z, and no
 * cache holds more. An example: a product whose two blocks and whose sum are live, with the moves
 * of the blocks.
 *
 * <p><b>Symmetry.</b> A set that an isomorphism maps onto one taken before is dropped: see {@link
 * KernelSymmetry}.
 *
 * <p><b>Measures.</b> A step may be judged by several weights of buffers, of which the largest
 * value counts; commitment then asks f of each weight. Residency has the sizes; traffic has for
 * each cache what lies beyond its capacity, at the least price of spilling it. Not thread-safe.
 */
public final class MilestoneSearch {
  /**
   * What is asked of a moment: the weight of the live buffers, less what is free.
   *
   * @param weight of each buffer
   * @param free not counted
   */
  public record Measure(long[] weight, long free) {}

  private static final int NODE_BYTES = 160;

  private static final class Node {
    private final long[] set;
    private final long key;
    private final int size;
    private final Node parent;
    private final int step;
    private long[] rest;
    private boolean committed;

    Node(long[] set, long key, int size, Node parent, int step) {
      this.set = set;
      this.key = key;
      this.size = size;
      this.parent = parent;
      this.step = step;
    }
  }

  private static final class Key {
    private final long[] set;

    Key(long[] set) {
      this.set = set;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && Arrays.equals(set, key.set);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(set);
    }
  }

  private final KernelOps graph;
  private final int[] milestones;
  private final int[] index;
  private final long[][] before;
  private final Measure[] measures;
  private final LiveCut[] cuts;
  private final LiveCut[] pinned;
  private final MomentTraffic moments;
  private final int mostNodes;
  private final KernelSymmetry symmetry;
  private final BooleanSupplier stopped;
  private final LongSupplier known;
  private boolean limited;
  private final PriorityQueue<Node> queue =
      new PriorityQueue<>(
          Comparator.comparingLong((Node node) -> node.key)
              .thenComparingInt((Node node) -> -node.size));
  private final Set<Key> taken = new HashSet<>();
  private final Map<Long, List<KernelSymmetry.Labelling>> classes = new HashMap<>();
  private long cutCount;
  private long labelled;
  private long bound;
  private Node goal;
  private boolean done;

  /**
   * A search by measures.
   *
   * @param cuts one for each measure, with its weights and nothing pinned; shared by searches that
   *     run one after another
   * @param milestones the ops, ascending
   * @param floor a lower bound over all orders that is known already; paths cost as much at least
   * @param known a value that is known to be reached; what costs as much is not followed
   * @param stopped ends the work early; the bound is then weaker
   */
  public MilestoneSearch(
      KernelOps graph,
      Measure[] measures,
      LiveCut[] cuts,
      KernelSymmetry symmetry,
      int[] milestones,
      long floor,
      LongSupplier known,
      BooleanSupplier stopped) {
    this(graph, measures, cuts, null, 0, symmetry, milestones, floor, known, stopped);
  }

  /**
   * A search that prices each step by {@link MomentTraffic}, without commitment.
   *
   * @param moments with nothing pinned; shared by searches that run one after another
   * @param mostNodes nodes of its search for each step
   */
  MilestoneSearch(
      KernelOps graph,
      MomentTraffic moments,
      int mostNodes,
      KernelSymmetry symmetry,
      int[] milestones,
      LongSupplier known,
      BooleanSupplier stopped) {
    this(
        graph,
        new Measure[0],
        new LiveCut[0],
        moments,
        mostNodes,
        symmetry,
        milestones,
        0,
        known,
        stopped);
  }

  private MilestoneSearch(
      KernelOps graph,
      Measure[] measures,
      LiveCut[] cuts,
      MomentTraffic moments,
      int mostNodes,
      KernelSymmetry symmetry,
      int[] milestones,
      long floor,
      LongSupplier known,
      BooleanSupplier stopped) {
    this.graph = graph;
    this.milestones = milestones;
    this.symmetry = symmetry;
    this.stopped = stopped;
    this.known = known;
    this.measures = measures;
    this.cuts = cuts;
    this.moments = moments;
    this.mostNodes = mostNodes;
    pinned = moments == null ? cuts : new LiveCut[] {moments.cut()};
    index = new int[graph.ops];
    Arrays.fill(index, -1);
    for (int m = 0; m < milestones.length; m++) {
      index[milestones[m]] = m;
    }
    before = before();
    queue.add(new Node(new long[words()], floor, 0, null, -1));
  }

  private int words() {
    return (milestones.length + 63) / 64;
  }

  /** The milestones that have to run before each. */
  private long[][] before() {
    long[][] above = new long[graph.ops][];
    long[][] result = new long[milestones.length][];
    long[] nothing = new long[words()];
    for (int v = 0; v < graph.ops; v++) {
      long[] set = nothing;
      boolean own = false;
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
        int u = graph.pred[k];
        long[] other = above[u];
        if (set == nothing && index[u] < 0) {
          set = other;
          continue;
        }
        if (!own) {
          set = set.clone();
          own = true;
        }
        for (int w = 0; w < set.length; w++) {
          set[w] |= other[w];
        }
        if (index[u] >= 0) {
          set[index[u] >> 6] |= 1L << index[u];
        }
      }
      above[v] = set;
      if (index[v] >= 0) {
        result[index[v]] = set;
      }
    }
    return result;
  }

  /** A lower bound over all orders. */
  public long bound() {
    return bound;
  }

  /** Whether nothing is left to do. */
  public boolean isDone() {
    return done;
  }

  /** How many milestones there are. */
  public int milestones() {
    return milestones.length;
  }

  /** Bytes that the sets in memory take, about. */
  long bytes() {
    long set = 8L * words() + NODE_BYTES;
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
    long until = cutCount + more;
    while (!done && cutCount < until && !stopped.getAsBoolean()) {
      Node node = queue.poll();
      if (node == null || node.key >= known.getAsLong()) {
        bound = Math.max(bound, known.getAsLong());
        done = true;
        return;
      }
      bound = Math.max(bound, node.key);
      if (node.size == milestones.length) {
        goal = node;
        done = true;
        return;
      }
      boolean branched = !node.committed;
      if (!taken.add(new Key(node.set)) || branched && isImage(node)) {
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
    if (milestones.length < 3 || node.parent == null) {
      return false;
    }
    return isImage(marks(node.set));
  }

  private byte[] marks(long[] set) {
    byte[] marks = new byte[graph.ops];
    for (int m = 0; m < milestones.length; m++) {
      marks[milestones[m]] = (byte) (has(set, m) ? 2 : 1);
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

  private static boolean has(long[] set, int m) {
    return (set[m >> 6] >> m & 1) != 0;
  }

  private void pin(long[] set, boolean on) {
    for (LiveCut cut : pinned) {
      for (int m = 0; m < milestones.length; m++) {
        if (has(set, m)) {
          cut.pinDone(milestones[m], on);
        } else {
          cut.pinOpen(milestones[m], on);
        }
      }
    }
  }

  /** The sets that follow: the one that is committed to, or all below what is known. */
  private List<Node> expand(Node node) {
    if (node.rest == null) {
      node.rest = new long[cuts.length];
      for (int c = 0; c < cuts.length; c++) {
        node.rest[c] = cuts[c].run();
        cutCount++;
      }
    }
    int[] ready =
        IntStream.range(0, milestones.length)
            .filter(m -> !has(node.set, m) && isReady(node.set, m))
            .boxed()
            .sorted(Comparator.comparingLong(this::toBegin))
            .mapToInt(m -> m)
            .toArray();
    List<Node> children = new ArrayList<>();
    Boolean[] free = new Boolean[milestones.length];
    if (moments != null) {
      BitSet ran = closure(node.set);
      for (int m : ready) {
        free[m] = addsNothing(m, ran);
      }
      ready =
          IntStream.of(ready)
              .boxed()
              .sorted(Comparator.comparing(m -> !free[m]))
              .mapToInt(m -> m)
              .toArray();
    }
    for (int m : ready) {
      if (stopped.getAsBoolean()) {
        break;
      }
      long most = known.getAsLong();
      if (moments != null && !free[m] && isImageOfStep(node.set, m)) {
        continue;
      }
      long price =
          Math.max(node.key, moments == null ? step(node.set, m, most) : least(node, m, most));
      if (price >= most) {
        continue;
      }
      long[] set = node.set.clone();
      set[m >> 6] |= 1L << m;
      Node child = new Node(set, price, node.size + 1, node, m);
      if (price <= node.key && (moments == null ? rests(node, child, m) : free[m])) {
        child.committed = true;
        return List.of(child);
      }
      children.add(child);
    }
    return children;
  }

  /** Bytes of a milestone's buffers that the sets so far have not begun; these are tried last. */
  private long toBegin(int m) {
    long bytes = 0;
    int v = milestones[m];
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      bytes += pinned[0].isBegun(graph.use[k]) ? 0 : graph.size[graph.use[k]];
    }
    for (int p = graph.predAt[v]; p < graph.predAt[v + 1]; p++) {
      int u = graph.pred[p];
      for (int k = graph.useAt[u]; k < graph.useAt[u + 1]; k++) {
        bytes += pinned[0].isBegun(graph.use[k]) ? 0 : graph.size[graph.use[k]];
      }
    }
    return bytes;
  }

  private boolean isReady(long[] set, int m) {
    for (int w = 0; w < set.length; w++) {
      if ((before[m][w] & ~set[w]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The largest measure of the moment at which a milestone runs; exact below a limit. */
  private long step(long[] set, int m, long most) {
    int v = milestones[m];
    long worst = 0;
    for (int c = 0; c < cuts.length && worst < most; c++) {
      running(cuts[c], set, v, true);
      long enough = most > Long.MAX_VALUE / 4 ? MaxFlow.INFINITE : most + measures[c].free();
      worst = Math.max(worst, cuts[c].run(enough) - measures[c].free());
      cutCount++;
      running(cuts[c], set, v, false);
    }
    return worst;
  }

  /** The milestones of a set and all ops before them. */
  private BitSet closure(long[] set) {
    BitSet ran = new BitSet(graph.ops);
    for (int m = 0; m < milestones.length; m++) {
      if (has(set, m)) {
        ran.set(milestones[m]);
      }
    }
    SubKernel.close(graph, ran);
    return ran;
  }

  /**
   * Whether a milestone adds nothing to what is live, once it has run, whatever else has run: each
   * buffer of it and of the ops still missing before it has a user that has run, so that it is live
   * already, or no users but these ops.
   */
  private boolean addsNothing(int m, BitSet ran) {
    BitSet more = new BitSet(graph.ops);
    more.set(milestones[m]);
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

  /**
   * Whether a symmetry maps a step to one judged before. That one came from a set of no higher
   * bottleneck, so what follows it costs no more.
   */
  private boolean isImageOfStep(long[] set, int m) {
    byte[] marks = marks(set);
    marks[milestones[m]] = 3;
    return isImage(marks);
  }

  /** The bound of the moment at which a milestone runs, by branch and bound. */
  private long least(Node node, int m, long most) {
    long begin = moments.cuts();
    running(moments.cut(), node.set, milestones[m], true);
    MomentTraffic.Answer answer = moments.least(node.key, most, mostNodes);
    running(moments.cut(), node.set, milestones[m], false);
    cutCount += moments.cuts() - begin;
    limited |= !answer.reached() && answer.bound() < most;
    return answer.bound();
  }

  /** Whether some step might cost more than it was taken to, because its search ended early. */
  boolean isLimited() {
    return limited;
  }

  private void running(LiveCut cut, long[] set, int v, boolean on) {
    if (on) {
      cut.pinOpen(v, false);
    }
    cut.pinRunning(v, on);
    if (!on) {
      cut.pinOpen(v, true);
      for (int k = graph.succAt[v]; k < graph.succAt[v + 1]; k++) {
        cut.pinOpen(graph.succ[k], index[graph.succ[k]] >= 0);
      }
    }
  }

  /** Whether no measure rests higher after a milestone than before; fills the child's rests. */
  private boolean rests(Node node, Node child, int m) {
    child.rest = new long[cuts.length];
    boolean lower = true;
    for (int c = 0; c < cuts.length && lower; c++) {
      cuts[c].pinOpen(milestones[m], false);
      cuts[c].pinDone(milestones[m], true);
      child.rest[c] = cuts[c].run();
      cutCount++;
      lower = child.rest[c] <= node.rest[c];
      cuts[c].pinDone(milestones[m], false);
      cuts[c].pinOpen(milestones[m], true);
    }
    if (!lower) {
      child.rest = null;
    }
    return lower;
  }

  /**
   * An order along the best path: before each milestone run the ops of its least cut by the first
   * measure. Null before a path is known, without measures, and where the work is stopped
   * meanwhile.
   */
  public int[] order() {
    if (goal == null || cuts.length == 0) {
      return null;
    }
    List<Node> path = new ArrayList<>();
    for (Node node = goal; node.parent != null; node = node.parent) {
      path.add(0, node);
    }
    ChunkedOrder order = new ChunkedOrder(graph);
    LiveCut cut = cuts[0];
    for (Node node : path) {
      if (stopped.getAsBoolean()) {
        return null;
      }
      pin(node.parent.set, true);
      int v = milestones[node.step];
      running(cut, node.parent.set, v, true);
      cut.run();
      order.run(u -> u != v && cut.hasRun(u));
      order.run(u -> u == v);
      running(cut, node.parent.set, v, false);
      pin(node.parent.set, false);
    }
    return order.rest();
  }
}

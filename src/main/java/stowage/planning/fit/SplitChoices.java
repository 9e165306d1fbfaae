package stowage.planning.fit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.packing.IndexOrder;
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.Stretch;
import stowage.planning.fit.piece.StretchChain;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;

/** The stretches of ops evaluated so far, as ways between cuts of the order, and their loads. */
final class SplitChoices {
  /** How far from a stretch an op above the target may be: what it touches may be in pieces. */
  private static final int NEAR = 2;

  /** Most bytes kept for added ops, as a share of the bytes saved. */
  static final double KEPT_SHARE = 0.75;

  /** Work of what is evaluated of one stretch, where limits count work. */
  private static final long STRETCH_WORK = 20_000;

  private static final int WEIGHTS = 16;
  private static final double STEP = 0.98;

  private final RunControl control;
  private final Stretches stretches;
  private final StretchChain chain;

  /** By stretch the load below which its choices are known. */
  private final Map<Long, Long> evaluated = new HashMap<>();

  /** By op of the given network its place in the order. */
  private final int[] places;

  /** The load of the network as it is. */
  private final long whole;

  /** The network as it is, given in the order that is rewritten. */
  SplitChoices(FitRequest request, Rewriting base, RunControl control) {
    this.control = control;
    this.stretches = new Stretches(base.network(), request);
    this.chain = new StretchChain(stretches.ops());
    this.places =
        IndexOrder.places(base.ops().stream().mapToInt(OpOrigin::op).toArray(), base.ops().size());
    this.whole = IntStream.range(0, stretches.ops()).mapToLong(stretches::load).max().orElse(0);
    for (int op = 0; op < stretches.ops(); op++) {
      chain.add(stretches.plain(op));
    }
  }

  /** The load of the network as it is, in bytes. */
  long whole() {
    return whole;
  }

  /** Kinds of cuts for a limit: where pieces lie in their source, rows say what even ones do. */
  Stretches.Cuts[] limited(boolean patches) {
    Stretches.Cuts cuts = patches ? Stretches.Cuts.PATCHES : Stretches.Cuts.ROWS;
    return patches || stretches.contiguous()
        ? new Stretches.Cuts[] {cuts}
        : new Stretches.Cuts[] {Stretches.Cuts.EVEN, cuts};
  }

  /** Whether pieces lie in their sources and results, and are not copied. */
  boolean contiguous() {
    return stretches.contiguous();
  }

  /** The ops whose load is above a target in the network as it is. */
  BitSet above(long target) {
    BitSet hot = new BitSet();
    IntStream.range(0, stretches.ops()).filter(op -> stretches.load(op) > target).forEach(hot::set);
    return hot;
  }

  /** The ops of which a part runs in a plan where its load is above a target. */
  BitSet above(FitPlan plan, long target) {
    BitSet hot = new BitSet();
    LoadProfile profile = LoadProfile.of(plan.planned().problem());
    List<OpOrigin> ops = plan.rewriting().ops();
    IntStream.range(0, ops.size())
        .filter(step -> profile.loadAt(step) > target)
        .forEach(step -> hot.set(places[ops.get(step).op()]));
    return hot;
  }

  /** Whether there is a choice of no higher load, whatever it keeps. */
  boolean any(long load) {
    return chain.cheapest(load, 0) != null;
  }

  /**
   * Evaluates the stretches of a length near ops above a target; says how many there were.
   *
   * @param most extra compute above which a choice is of no use
   * @param below load from which on a choice is of no use
   * @param isOver whether to leave the rest for another time
   */
  int explore(
      long target, int length, long most, long below, Stretches.Cuts cuts, BooleanSupplier isOver) {
    long useful = Math.min(whole, below);
    List<Integer> open = new ArrayList<>();
    int ops = stretches.ops();
    for (int from = 0; from + length <= ops; from++) {
      int to = from + length;
      boolean hot = false;
      for (int op = Math.max(0, from - NEAR); op < Math.min(ops, to + NEAR) && !hot; op++) {
        hot = stretches.load(op) > target;
      }
      long before = evaluated.getOrDefault(key(from, length, cuts), -1L);
      if (hot
          && (cuts == Stretches.Cuts.EVEN ? before < useful : before != useful)
          && stretches.mayBeRun(from, to)) {
        open.add(from);
      }
    }
    Stream<Integer> spans = open.stream();
    List<Optional<List<Stretch>>> found =
        (control.threads() > 1 ? spans.parallel() : spans)
            .map(
                from ->
                    isOver.getAsBoolean()
                        ? Optional.<List<Stretch>>empty()
                        : Optional.of(stretches.of(from, from + length, most, useful, cuts)))
            .toList();
    int count = 0;
    for (int k = 0; k < found.size(); k++) {
      if (found.get(k).isPresent()) {
        found.get(k).get().forEach(chain::add);
        evaluated.put(key(open.get(k), length, cuts), useful);
        count++;
      }
    }
    return count;
  }

  /** Does so for some kinds of cuts until a stage is over; says whether there were some. */
  boolean explored(
      SplitClock clock, long target, int length, long most, long below, Stretches.Cuts... cuts) {
    boolean some = false;
    for (Stretches.Cuts one : cuts) {
      int count = explore(target, length, most, below, one, clock::isStopped);
      clock.did(STRETCH_WORK * count);
      some |= count > 0;
    }
    return some;
  }

  private long key(int from, int length, Stretches.Cuts cuts) {
    int kinds = Stretches.Cuts.values().length;
    return ((long) from * (stretches.ops() + 1) + length) * kinds + cuts.ordinal();
  }

  /**
   * The cheapest choice found of no higher load that keeps fewer bytes for added ops than it saves,
   * by its own load; null where there is none. The cheapest ones of falling loads are looked at,
   * and with them those of which a price on the bytes kept makes enough.
   */
  List<Stretch> cheapest(long load) {
    List<Stretch> found = null;
    for (long at = load; ; ) {
      List<Stretch> path = chain.cheapest(at, 0);
      if (path == null || found != null && StretchChain.extra(path) >= StretchChain.extra(found)) {
        return found;
      }
      if (saves(path)) {
        return path;
      }
      List<Stretch> weighted = weighted(at);
      if (weighted != null
          && (found == null || StretchChain.extra(weighted) < StretchChain.extra(found))) {
        found = weighted;
      }
      at = Math.min((long) (at * STEP), StretchChain.load(path) - 1);
    }
  }

  /** The cheapest choices of all loads and of no more extra compute, the lowest first. */
  List<List<Stretch>> staircase(long most, BooleanSupplier isOver) {
    List<List<Stretch>> steps = new ArrayList<>();
    for (long load = whole; !isOver.getAsBoolean(); ) {
      List<Stretch> path = cheapest(load);
      if (path == null || StretchChain.extra(path) > most) {
        break;
      }
      steps.add(path);
      load = StretchChain.load(path) - 1;
    }
    Collections.reverse(steps);
    return steps;
  }

  /** The same at one load, by a price on the bytes kept that is raised until it is enough. */
  private List<Stretch> weighted(long load) {
    List<Stretch> found = null;
    double low = 0;
    double high = 1;
    for (int k = 0; k < WEIGHTS; k++) {
      double weight = found == null ? high : (low + high) / 2;
      List<Stretch> path = chain.cheapest(load, weight);
      if (saves(path)) {
        found = path;
        high = weight;
      } else if (found == null) {
        low = high;
        high *= 8;
      } else {
        low = weight;
      }
    }
    return found;
  }

  private boolean saves(List<Stretch> path) {
    return StretchChain.kept(path) <= KEPT_SHARE * Math.max(0, whole - StretchChain.load(path));
  }

  /** Forgets the runs of a path, which cannot be executed together. */
  void drop(List<Stretch> path) {
    path.stream().filter(way -> way.run() != null).forEach(chain::remove);
  }
}

package stowage.onchip.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.Literal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.onchip.GroupModel;
import stowage.onchip.GroupOptions;
import stowage.onchip.GroupOutcome;
import stowage.onchip.GroupSearch;
import stowage.onchip.IntervalPartitioner;
import stowage.onchip.Layer;
import stowage.onchip.LayerGraph;
import stowage.onchip.Partition;
import stowage.onchip.Partitioner;
import stowage.packing.RunControl;

/**
 * The cheapest partition into convex groups: sets of ops that need not follow each other in the
 * execution order, as long as no path leaves a group and comes back.
 *
 * <p>The groups looked at are the stretches of three topological orders: the network's own, one
 * that follows each branch to its end, and one that goes by the distance from the inputs. Each
 * stretch is convex. CP-SAT covers every op once at least cost; a group counts what it would cost
 * if nothing had to be cut, until it is chosen. Then it is searched, and the LMEM model's answer
 * goes back into the cover: its true cost, or a cut that rules it out. Groups that wait for each
 * other in a circle are cut too. When the cheapest cover holds only searched groups without a
 * circle, it is the optimum over all groups looked at. It starts from the best contiguous
 * partition.
 */
public final class ConvexPartitioner implements Partitioner {
  /** The most ops of a group that is looked at besides the contiguous ones. */
  private static final int LONGEST = 64;

  /** Of the time left the cover gets no more than this share. */
  private static final double SHARE = 0.6;

  private final RunControl control;
  private boolean proven;

  /**
   * @param control the run's limits
   */
  public ConvexPartitioner(RunControl control) {
    this.control = control;
  }

  @Override
  public String name() {
    return "cp";
  }

  /** A group that could be chosen. */
  private static final class Candidate {
    private final int[] members;
    private double cost;
    private boolean searched;
    private boolean excluded;

    Candidate(int[] members, double cost, boolean searched) {
      this.members = members;
      this.cost = cost;
      this.searched = searched;
    }
  }

  @Override
  public Partition partition(LayerGraph graph, GroupSearch search) {
    Partition contiguous = new IntervalPartitioner().partition(graph, search);
    GroupOptions.GroupObjective objective = search.options().objective();
    double best = 0;
    for (int[] members : contiguous.groups()) {
      best += cost(graph, search, members, objective);
    }
    List<int[]> groups = contiguous.groups();
    List<Candidate> pool = pool(graph, search, objective);
    List<List<Candidate>> circles = new ArrayList<>();
    RunControl limited = control.within(Math.min(1e6, control.secondsLeft() * SHARE));
    double least = IntervalPartitioner.lowerBound(graph, search);
    double lower = least;
    proven = true;
    while (!limited.isStopped()) {
      Cover cover = cover(graph, pool, circles, best, limited);
      lower = proven ? Math.max(lower, Math.min(best, cover.bound)) : least;
      if (cover.chosen == null) {
        break;
      }
      boolean complete = true;
      for (Candidate candidate : cover.chosen) {
        if (!candidate.searched) {
          complete &= judge(graph, search, candidate, objective);
        }
      }
      if (!complete) {
        continue;
      }
      List<Candidate> order = new ArrayList<>();
      List<Candidate> circle = ordered(graph, cover.chosen, order);
      if (circle != null) {
        circles.add(circle);
        continue;
      }
      double found = order.stream().mapToDouble(candidate -> candidate.cost).sum();
      if (found >= best) {
        break; // lower only by what rounding down to whole units took away
      }
      best = found;
      groups = order.stream().map(candidate -> candidate.members).toList();
    }
    return new Partition(groups, Math.min(lower, best));
  }

  private static double cost(
      LayerGraph graph, GroupSearch search, int[] members, GroupOptions.GroupObjective objective) {
    if (members.length == 1) {
      return Partitioner.alone(graph, search.cost(), members[0], objective);
    }
    GroupOutcome outcome = search.search(new GroupModel(graph, members));
    return objective == GroupOptions.GroupObjective.CYCLES
        ? outcome.cycles()
        : outcome.trafficBytes();
  }

  /**
   * Searches a chosen group; says whether its cost was as low as it had counted. What the search
   * did not prove can bound no cover from then on.
   */
  private boolean judge(
      LayerGraph graph,
      GroupSearch search,
      Candidate candidate,
      GroupOptions.GroupObjective objective) {
    GroupOutcome outcome = search.search(new GroupModel(graph, candidate.members));
    double counted = candidate.cost;
    candidate.searched = true;
    candidate.excluded = !outcome.fits();
    double found = outcome.fits() ? outcome.cost(objective) : Double.POSITIVE_INFINITY;
    proven &= outcome.lowerCost(objective) >= found;
    if (outcome.fits()) {
      candidate.cost = found;
    }
    return outcome.fits() && candidate.cost <= counted + 1e-9;
  }

  private static List<Candidate> pool(
      LayerGraph graph, GroupSearch search, GroupOptions.GroupObjective objective) {
    Map<List<Integer>, Candidate> pool = new LinkedHashMap<>();
    int n = graph.size();
    for (int p = 0; p < n; p++) {
      double alone = Partitioner.alone(graph, search.cost(), p, objective);
      pool.put(List.of(p), new Candidate(new int[] {p}, alone, true));
    }
    for (int[] order : List.of(Partitioner.interval(0, n - 1), deep(graph), wide(graph))) {
      for (int i = 0; i < n; i++) {
        List<Integer> members = new ArrayList<>();
        for (int j = i; j < Math.min(n, i + LONGEST); j++) {
          if (!graph.layer(order[j]).groupable()) {
            break;
          }
          members.add(order[j]);
          if (members.size() > 1) {
            int[] sorted = members.stream().mapToInt(Integer::intValue).sorted().toArray();
            List<Integer> key = Arrays.stream(sorted).boxed().toList();
            if (!pool.containsKey(key)) {
              GroupModel group = new GroupModel(graph, sorted);
              if (!search.cannotFit(group)) {
                pool.put(key, new Candidate(sorted, search.leastCost(group), false));
              }
            }
          }
        }
      }
    }
    return new ArrayList<>(pool.values());
  }

  /** A topological order that follows each branch to its end. */
  private static int[] deep(LayerGraph graph) {
    int n = graph.size();
    int[] waiting = waiting(graph);
    Deque<Integer> ready = new ArrayDeque<>();
    for (int p = n - 1; p >= 0; p--) {
      if (waiting[p] == 0) {
        ready.push(p);
      }
    }
    int[] order = new int[n];
    for (int k = 0; k < n; k++) {
      int p = ready.pop();
      order[k] = p;
      List<Integer> next = successors(graph, p);
      for (int s = next.size() - 1; s >= 0; s--) {
        if (--waiting[next.get(s)] == 0) {
          ready.push(next.get(s));
        }
      }
    }
    return order;
  }

  /** A topological order by the number of ops on the longest way from an input. */
  private static int[] wide(LayerGraph graph) {
    int n = graph.size();
    int[] level = new int[n];
    for (int p = 0; p < n; p++) {
      for (int next : successors(graph, p)) {
        level[next] = Math.max(level[next], level[p] + 1);
      }
    }
    return java.util.stream.IntStream.range(0, n)
        .boxed()
        .sorted(java.util.Comparator.comparingInt((Integer p) -> level[p]).thenComparing(p -> p))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static int[] waiting(LayerGraph graph) {
    int[] waiting = new int[graph.size()];
    for (int p = 0; p < waiting.length; p++) {
      for (int next : successors(graph, p)) {
        waiting[next]++;
      }
    }
    return waiting;
  }

  /** The ops that read what an op makes, each once. */
  private static List<Integer> successors(LayerGraph graph, int position) {
    Layer layer = graph.layer(position);
    return Arrays.stream(layer.results())
        .flatMap(result -> Arrays.stream(graph.consumers(result)))
        .distinct()
        .boxed()
        .toList();
  }

  /**
   * The cheapest cover found below a cost.
   *
   * @param chosen null when there is none, or none was found in time
   * @param bound no cover costs less
   */
  private record Cover(List<Candidate> chosen, double bound) {}

  private Cover cover(
      LayerGraph graph,
      List<Candidate> pool,
      List<List<Candidate>> circles,
      double below,
      RunControl limited) {
    NativeLibraries.load();
    CpModel model = new CpModel();
    List<BoolVar> choices = new ArrayList<>();
    List<List<Literal>> covering = new ArrayList<>();
    for (int p = 0; p < graph.size(); p++) {
      covering.add(new ArrayList<>());
    }
    long[] costs = new long[pool.size()];
    Map<Candidate, BoolVar> chosenBy = new java.util.IdentityHashMap<>();
    for (int k = 0; k < pool.size(); k++) {
      Candidate candidate = pool.get(k);
      BoolVar choice = model.newBoolVar("");
      choices.add(choice);
      chosenBy.put(candidate, choice);
      costs[k] = (long) Math.floor(candidate.cost);
      if (candidate.excluded) {
        model.addEquality(choice, 0);
      }
      for (int member : candidate.members) {
        covering.get(member).add(choice);
      }
    }
    covering.forEach(model::addExactlyOne);
    for (List<Candidate> circle : circles) {
      List<Literal> apart = new ArrayList<>();
      circle.forEach(candidate -> apart.add(chosenBy.get(candidate).not()));
      model.addBoolOr(apart);
    }
    LinearExpr total = LinearExpr.weightedSum(choices.toArray(new BoolVar[0]), costs);
    model.addLessOrEqual(total, (long) Math.ceil(below) - 1);
    model.minimize(total);
    CpSatRun.Result result = CpSatRun.solve(model, limited, Double.MAX_VALUE);
    if (result.isInfeasible()) {
      return new Cover(null, below);
    }
    if (!result.hasSolution()) {
      return new Cover(null, result.bound(0));
    }
    List<Candidate> chosen = new ArrayList<>();
    for (int k = 0; k < pool.size(); k++) {
      if (result.solver().booleanValue(choices.get(k))) {
        chosen.add(pool.get(k));
      }
    }
    return new Cover(chosen, result.bound(0));
  }

  /**
   * Puts groups into an order in which they can run; gives those in a circle when there is none.
   */
  private static List<Candidate> ordered(
      LayerGraph graph, List<Candidate> chosen, List<Candidate> order) {
    int[] groupOf = new int[graph.size()];
    for (int k = 0; k < chosen.size(); k++) {
      for (int member : chosen.get(k).members) {
        groupOf[member] = k;
      }
    }
    int n = chosen.size();
    boolean[][] before = new boolean[n][n];
    int[] waiting = new int[n];
    for (int p = 0; p < graph.size(); p++) {
      for (int next : successors(graph, p)) {
        int from = groupOf[p];
        int to = groupOf[next];
        if (from != to && !before[from][to]) {
          before[from][to] = true;
          waiting[to]++;
        }
      }
    }
    boolean[] done = new boolean[n];
    boolean moved = true;
    while (moved) {
      moved = false;
      int next = -1;
      for (int k = 0; k < n; k++) {
        boolean free = !done[k] && waiting[k] == 0;
        if (free && (next < 0 || chosen.get(k).members[0] < chosen.get(next).members[0])) {
          next = k;
        }
      }
      if (next >= 0) {
        done[next] = true;
        order.add(chosen.get(next));
        moved = true;
        for (int k = 0; k < n; k++) {
          waiting[k] -= before[next][k] ? 1 : 0;
        }
      }
    }
    if (order.size() == n) {
      return null;
    }
    List<Candidate> circle = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      if (!done[k]) {
        circle.add(chosen.get(k));
      }
    }
    return circle;
  }
}

package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

/**
 * Choices of runs next to a given one: a bound between pieces moved, a piece more or less, another
 * first or last op, another direction or padding, runs taken apart, joined, dropped or added; and
 * where rows are not contiguous, runs at all ops that touch a tensor, so that it stays in pieces.
 *
 * <p>Whether the ops of a run can be cut as drawn is not looked at.
 */
public final class RunNeighbours {
  private static final int MOST_ADDED = 4;
  private static final int MOST_SHIFT = 3;
  private static final int MOST_PIECES = 6;
  private static final int MOST_FLOWING = 16;

  private final Network network;
  private final boolean last;
  private final Random random;

  /** The ops that touch a tensor which an op makes and others read, rising. */
  private final Map<String, List<Integer>> touching = new LinkedHashMap<>();

  /** Neighbours in a network, its ops in the order in which they run. */
  public RunNeighbours(Network network, long seed) {
    this.network = network;
    this.last = AxisRules.isTflite(network);
    this.random = new Random(seed);
    for (int k = 0; k < network.ops().size(); k++) {
      for (String input : new LinkedHashSet<>(network.ops().get(k).presentInputs())) {
        int maker = network.producer(input);
        if (maker >= 0) {
          touching.computeIfAbsent(input, made -> new ArrayList<>(List.of(maker))).add(k);
        }
      }
    }
  }

  /**
   * A choice that differs in one thing or a few.
   *
   * @param runs of consecutive ops, no op in two of them, in the order in which they run
   * @param hot an op that is to need less
   */
  public List<RunSplit> of(List<RunSplit> runs, int hot) {
    List<RunSplit> drawn = new ArrayList<>(runs);
    for (int more = 0; more == 0 || more < 3 && random.nextInt(3) == 0; more++) {
      change(drawn, hot);
    }
    return drawn;
  }

  private static int from(RunSplit run) {
    return run.ops()[0];
  }

  private static int to(RunSplit run) {
    return from(run) + run.ops().length;
  }

  private void change(List<RunSplit> runs, int hot) {
    if (!last && random.nextInt(5) == 0) {
      flow(runs, hot);
      return;
    }
    int at = runs.size() - 1;
    while (at >= 0 && from(runs.get(at)) > hot) {
      at--;
    }
    boolean inRun = at >= 0 && to(runs.get(at)) > hot;
    if (runs.isEmpty() || !inRun && random.nextBoolean()) {
      if (!inRun) {
        add(runs, at + 1, hot);
      }
      return;
    }
    at = inRun && random.nextInt(3) > 0 ? at : random.nextInt(runs.size());
    RunSplit run = runs.get(at);
    List<AxisSplit> axes = new ArrayList<>(run.axes());
    int axis = random.nextInt(axes.size());
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        AxisSplit counted = counted(run, axes.get(axis));
        for (int shifts = random.nextInt(counted.pieces() + 1); shifts > 0; shifts--) {
          counted = shifted(run, counted);
        }
        axes.set(axis, counted);
        runs.set(at, new RunSplit(run.ops(), axes, run.topDown(), run.pads()));
      }
      case 2, 3, 4 -> {
        axes.set(axis, shifted(run, axes.get(axis)));
        runs.set(at, new RunSplit(run.ops(), axes, run.topDown(), run.pads()));
      }
      case 5 -> move(runs, at, from(run) + step(), to(run));
      case 6 -> move(runs, at, from(run), to(run) + step());
      case 7 -> turn(runs, at);
      case 8 -> takeApart(runs, at);
      default -> {
        if (at + 1 < runs.size() && to(run) == from(runs.get(at + 1)) && random.nextBoolean()) {
          move(runs, at, from(run), to(runs.get(at + 1)));
        } else {
          runs.remove(at);
        }
      }
    }
  }

  private int step() {
    return random.nextBoolean() ? 1 : -1;
  }

  private int extent(int to, SplitAxis axis) {
    List<String> made = network.ops().get(to - 1).presentOutputs();
    Tensor result = made.isEmpty() ? null : network.tensor(made.get(0));
    int dim = result == null ? -1 : axis.dimension(result, last);
    return dim < 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, result.extent(dim));
  }

  /** One piece more or less, all of one size. */
  private AxisSplit counted(RunSplit run, AxisSplit cut) {
    int extent = extent(to(run), cut.axis());
    int pieces = Math.max(2, Math.min(extent, cut.pieces() + step()));
    return extent < 2 ? cut : AxisSplit.even(cut.axis(), extent, pieces);
  }

  /** One bound moved by a few rows. */
  private AxisSplit shifted(RunSplit run, AxisSplit cut) {
    int[] bounds = cut.bounds();
    if (bounds.length > 0) {
      int at = random.nextInt(bounds.length);
      int low = at == 0 ? 1 : bounds[at - 1] + 1;
      int end = at + 1 < bounds.length ? bounds[at + 1] : extent(to(run), cut.axis());
      int moved = bounds[at] + step() * (1 + random.nextInt(MOST_SHIFT));
      bounds[at] = Math.max(low, Math.min(end - 1, moved));
    }
    return new AxisSplit(cut.axis(), bounds);
  }

  /** Gives a run other ops, and takes them from its neighbours. */
  private void move(List<RunSplit> runs, int at, int from, int to) {
    if (from < 0 || to > network.ops().size() || from >= to) {
      return;
    }
    RunSplit run = runs.remove(at);
    for (int k = runs.size() - 1; k >= 0; k--) {
      RunSplit other = runs.get(k);
      int begin = from(other) >= from ? Math.max(from(other), to) : from(other);
      int end = from(other) < from ? Math.min(to(other), from) : to(other);
      RunSplit left = begin < end ? over(other, begin, end) : null;
      if (left == null) {
        runs.remove(k);
        at -= k < at ? 1 : 0;
      } else {
        runs.set(k, left);
      }
    }
    RunSplit moved = over(run, from, to);
    if (moved != null) {
      runs.add(at, moved);
    }
  }

  /** A run over other ops, cut at the same shares of its result; null where that is too small. */
  private RunSplit over(RunSplit run, int from, int to) {
    if (from == from(run) && to == to(run)) {
      return run;
    }
    List<AxisSplit> axes = new ArrayList<>();
    for (AxisSplit cut : run.axes()) {
      int before = extent(to(run), cut.axis());
      int extent = extent(to, cut.axis());
      if (extent < 2 || before < 2) {
        return null;
      }
      int[] bounds =
          Arrays.stream(cut.bounds())
              .map(bound -> (int) ((long) bound * extent / before))
              .filter(bound -> bound > 0 && bound < extent)
              .distinct()
              .toArray();
      axes.add(new AxisSplit(cut.axis(), bounds.length > 0 ? bounds : new int[] {extent / 2}));
    }
    return new RunSplit(IntStream.range(from, to).toArray(), axes, run.topDown(), run.pads());
  }

  private void turn(List<RunSplit> runs, int at) {
    RunSplit run = runs.get(at);
    boolean turned = random.nextBoolean();
    PadForm other = run.pads() == PadForm.CROP ? PadForm.PAD : PadForm.CROP;
    runs.set(
        at,
        new RunSplit(run.ops(), run.axes(), turned != run.topDown(), turned ? run.pads() : other));
  }

  private void takeApart(List<RunSplit> runs, int at) {
    RunSplit run = runs.get(at);
    int ops = run.ops().length;
    int cut = from(run) + 1 + random.nextInt(Math.max(1, ops - 1));
    RunSplit first = ops < 2 ? null : over(run, from(run), cut);
    if (first != null) {
      runs.set(at, first);
      runs.add(at + 1, over(run, cut, to(run)));
    }
  }

  /** The ops that touch a tensor alive while one of some ops runs, rising. */
  public SortedSet<Integer> touching(BitSet hot) {
    SortedSet<Integer> ops = new TreeSet<>();
    for (List<Integer> touched : touching.values()) {
      int next = hot.nextSetBit(touched.get(0));
      if (next >= 0 && next <= touched.get(touched.size() - 1)) {
        ops.addAll(touched);
      }
    }
    return ops;
  }

  /** Puts all ops that touch a tensor which is alive while one runs into runs. */
  private void flow(List<RunSplit> runs, int hot) {
    List<List<Integer>> alive =
        touching.values().stream()
            .filter(ops -> ops.get(0) <= hot && ops.get(ops.size() - 1) >= hot)
            .toList();
    int pieces =
        runs.stream()
            .filter(run -> from(run) <= hot && to(run) > hot && random.nextBoolean())
            .mapToInt(run -> run.axes().get(0).pieces())
            .findFirst()
            .orElse(2 + random.nextInt(MOST_FLOWING - 1));
    for (int op : alive.isEmpty() ? List.<Integer>of() : alive.get(random.nextInt(alive.size()))) {
      int at = (int) runs.stream().filter(run -> from(run) <= op).count();
      if (at == 0 || to(runs.get(at - 1)) <= op) {
        addRun(runs, at, op, op + 1, pieces);
      }
    }
  }

  /** Puts a run of a few ops around one that is in none. */
  private void add(List<RunSplit> runs, int at, int hot) {
    int low = at == 0 ? 0 : to(runs.get(at - 1));
    int high = at < runs.size() ? from(runs.get(at)) : network.ops().size();
    int from = Math.max(low, hot - random.nextInt(MOST_ADDED));
    int to = Math.min(high, hot + 1 + random.nextInt(MOST_ADDED));
    addRun(runs, at, from, to, 0);
  }

  /** Adds a run in so many pieces, from the first to the last; of 0 how many and how is drawn. */
  private void addRun(List<RunSplit> runs, int at, int from, int to, int wanted) {
    SplitAxis axis = extent(to, SplitAxis.ROWS) > 1 ? SplitAxis.ROWS : SplitAxis.TOKENS;
    int extent = extent(to, axis);
    if (extent > 1) {
      int pieces = wanted > 0 ? wanted : 2 + random.nextInt(Math.min(extent, MOST_PIECES) - 1);
      boolean topDown = wanted > 0 || random.nextBoolean();
      AxisSplit cut = AxisSplit.even(axis, extent, Math.min(extent, pieces));
      int[] ops = IntStream.range(from, to).toArray();
      runs.add(at, new RunSplit(ops, List.of(cut), topDown, PadForm.CROP));
    }
  }
}

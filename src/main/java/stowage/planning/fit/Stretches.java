package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.packing.LoadProfile;
import stowage.planning.fit.piece.Crossing;
import stowage.planning.fit.piece.PieceLoad;
import stowage.planning.fit.piece.Stretch;
import stowage.planning.fit.piece.TightCuts;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.MacCount;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.RunModel;
import stowage.rewrite.RunProgram;
import stowage.rewrite.RunSplit;
import stowage.rewrite.RunTiles;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

/**
 * What it takes to execute a stretch of consecutive ops piece by piece, estimated by {@link
 * PieceLoad}; what is live across the stretch is added.
 */
final class Stretches {
  private static final List<SplitAxis> AXES =
      List.of(SplitAxis.ROWS, SplitAxis.TOKENS, SplitAxis.BATCH);

  private static final int[] FEW = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16};

  /** Shares of the load asked for at which cuts are looked for. */
  private static final double[] CLOSER = {1, 0.96, 0.92, 0.86};

  /** Most results of a stretch that later ops read. */
  private static final int MOST_RESULTS = 4;

  /** Cuts into even pieces; at any rows, made for a load; and these along columns as well. */
  enum Cuts {
    EVEN,
    ROWS,
    PATCHES
  }

  private final Network network;
  private final FitRequest request;
  private final SplitModel model;
  private final Crossing crossing;
  private final long[] loads;
  private final boolean costs;
  private final Map<String, Integer> lastRead = new HashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();

  /** For each axis which ops can be in no run along it. */
  private final Map<SplitAxis, boolean[]> barriers = new EnumMap<>(SplitAxis.class);

  /** Follows a network as it is, its ops in the order in which they run. */
  Stretches(Network network, FitRequest request) {
    this.network = network;
    this.request = request;
    this.model = new SplitModel(network);
    PlanningCase base = request.buffers(network);
    this.crossing = new Crossing(base, lastRead);
    this.costs = FitCompute.unit(network).equals("cost");
    int ops = network.ops().size();
    LoadProfile profile = LoadProfile.of(base.problem());
    loads = IntStream.range(0, ops).mapToLong(profile::loadAt).toArray();
    for (int k = 0; k < ops; k++) {
      for (String input : network.ops().get(k).presentInputs()) {
        lastRead.put(input, k);
      }
    }
    network.outputs().forEach(output -> lastRead.put(output, ops));
    if (request.liveness().inputs() == LivenessOptions.Inputs.KEEP) {
      network.inputs().forEach(input -> lastRead.put(input, ops));
    }
    for (int b = 0; b < base.contents().size(); b++) {
      if (base.problem().buffer(b).size() > 0) {
        base.contents().get(b).parts().forEach(part -> sizes.put(part.tensor(), 0L));
      }
    }
    sizes.replaceAll((name, none) -> network.tensor(name).bytes());
    findBarriers();
  }

  int ops() {
    return loads.length;
  }

  /** The load while an op runs in the network as it is. */
  long load(int op) {
    return loads[op];
  }

  /** Whether slices of rows show their source, and pieces are made in the result. */
  boolean contiguous() {
    return AxisRules.isTflite(network) && request.allows(Lever.SHARING);
  }

  Stretch plain(int op) {
    return new Stretch(op, op + 1, null, 0, 0, loads[op], new long[] {0, 0, 1}, 0);
  }

  private void findBarriers() {
    for (SplitAxis axis : AXES) {
      boolean[] found = new boolean[ops()];
      for (int op = 0; op < found.length; op++) {
        try {
          model.run(new int[] {op}, List.of(axis), PadForm.CROP);
        } catch (BarrierException barrier) {
          found[op] = true;
        }
      }
      barriers.put(axis, found);
    }
  }

  /** Whether few results of the ops {@code [from, to)} are read after them: a run is possible. */
  boolean mayBeRun(int from, int to) {
    int leaving = 0;
    for (int k = from; k < to; k++) {
      for (String output : network.ops().get(k).presentOutputs()) {
        leaving += lastRead.getOrDefault(output, to) >= to ? 1 : 0;
      }
    }
    return leaving <= MOST_RESULTS
        && network.ops().get(to - 1).presentOutputs().size() == 1
        && AXES.stream().anyMatch(axis -> !crosses(axis, from, to));
  }

  /**
   * The choices for a stretch, of which none is worse than another in load and price.
   *
   * @param most extra compute above which a choice is of no use
   * @param below load from which on a choice is of no use
   */
  List<Stretch> of(int from, int to, long most, long below, Cuts cuts) {
    List<Stretch> found = new ArrayList<>();
    Tensor result = network.tensor(network.ops().get(to - 1).presentOutputs().get(0));
    boolean last = AxisRules.isTflite(network) || result.rank() != 4;
    for (SplitAxis axis : AXES) {
      int dimension = axis.dimension(result, last);
      boolean again =
          dimension > 0
              && axis != SplitAxis.ROWS
              && result.rank() == 4
              && !(axis == SplitAxis.BATCH && turns(from, to))
              && !crosses(SplitAxis.ROWS, from, to);
      long extent = dimension < 0 ? 0 : result.extent(dimension);
      if (again || extent < 2 || extent > Integer.MAX_VALUE || crosses(axis, from, to)) {
        continue;
      }
      boolean pads = AxisRules.isTflite(network) && axis == SplitAxis.ROWS;
      int columns = SplitAxis.COLUMNS.dimension(result, last);
      for (PadForm form : pads ? PadForm.values() : new PadForm[] {PadForm.CROP}) {
        try {
          Local local = new Local(from, to, axis, form, below);
          boolean patches = cuts == Cuts.PATCHES;
          if (cuts == Cuts.EVEN) {
            local.along(extent, most, found);
          } else if (axis == SplitAxis.ROWS
              && (columns >= 0 || !patches)
              && (contiguous() || to - from > 1)) { // pieces copied by one op save nothing
            local.bounded(patches ? result.extent(columns) : 1, patches, most, found);
          }
        } catch (BarrierException barrier) {
          continue; // as a run these ops cannot be cut along this axis
        }
      }
    }
    return found;
  }

  /** Whether an op that a run of this axis holds cannot be in it; unknown before a transpose. */
  private boolean crosses(SplitAxis axis, int from, int to) {
    for (int op = to - 1; op >= from; op--) {
      if (barriers.get(axis)[op]) {
        return true;
      }
      if (turns(op, op + 1)) {
        return false;
      }
    }
    return false;
  }

  /** Whether a stretch has a transposition: in front of it an axis is another dimension. */
  private boolean turns(int from, int to) {
    return IntStream.range(from, to)
        .anyMatch(op -> OpTypes.key(network.ops().get(op)).equals("TRANSPOSE"));
  }

  private static int[] pieces(long extent) {
    TreeSet<Integer> counts = new TreeSet<>();
    Arrays.stream(FEW).filter(count -> count < extent).forEach(counts::add);
    for (long count = 20; count < extent; count = count * 3 / 2) {
      counts.add((int) count);
    }
    counts.add((int) Math.min(extent, 1024));
    return counts.stream().mapToInt(Integer::intValue).toArray();
  }

  /** A stretch that is cut along an axis. */
  private final class Local implements PieceLoad.Sources {
    private final int from;
    private final int to;
    private final SplitAxis axis;
    private final PadForm form;
    private final long below;
    private final int[] places;
    private final RunModel run;
    private final long across;
    private final long compute;

    /** The tensor that the op before makes, where it may be in pieces; else null. */
    private final String source;

    /** Whether the last op's result may stay in pieces. */
    private final boolean flows;

    Local(int from, int to, SplitAxis axis, PadForm form, long below) throws BarrierException {
      this.from = from;
      this.to = to;
      this.axis = axis;
      this.form = form;
      this.below = below;
      this.places = IntStream.range(from, to).toArray();
      this.run = model.run(places, List.of(axis), form);
      Set<String> touched = new HashSet<>();
      long sum = 0;
      for (int k : places) {
        Op op = network.ops().get(k);
        touched.addAll(op.presentInputs());
        touched.addAll(op.presentOutputs());
        sum += compute(op);
      }
      this.compute = sum;
      this.across = crossing.bytes(from, to, touched);
      String made =
          from == 0
              ? ""
              : network.ops().get(from - 1).presentOutputs().stream().findFirst().orElse("");
      this.source = flows(made, from) && model.readers(made).get(0) < to ? made : null;
      String result = network.ops().get(to - 1).presentOutputs().get(0);
      this.flows = flows(result, to);
    }

    /** Whether a tensor may stay in pieces, since all its readers may be in runs. */
    private boolean flows(String tensor, int first) {
      List<Integer> readers = model.readers(tensor);
      return !readers.isEmpty()
          && lastRead.get(tensor) < ops()
          && readers.stream().allMatch(k -> k >= first && !barriers.get(axis)[k]);
    }

    @Override
    public long bytes(Tensor tensor) {
      return sizes.getOrDefault(tensor.name(), 0L);
    }

    @Override
    public boolean isKept(Tensor tensor) {
      return lastRead.get(tensor.name()) >= to;
    }

    void along(long extent, long most, List<Stretch> found) throws BarrierException {
      int worse = 0;
      long least = Long.MAX_VALUE;
      TightCuts cuts = cuts(run);
      for (int pieces : pieces(extent)) {
        List<AxisSplit> split = List.of(AxisSplit.even(axis, extent, pieces));
        TightCuts.Cut about = cuts.about(split, true);
        if (about == null || about.extra() > most && !costs) {
          break;
        }
        if (about.load() >= below) {
          worse = about.load() < least ? 0 : worse + 1;
          least = Math.min(least, about.load());
          if (worse == 3) {
            break;
          }
          continue;
        }
        RunProgram program = run.program(split, true);
        long extra = extra(program);
        if (extra > most) {
          break;
        }
        if (form == PadForm.PAD
            && program.steps().stream().noneMatch(step -> step.kind() == OpOrigin.Kind.PAD)) {
          break; // nothing is padded, so the forms are one
        }
        long load = evaluate(program, split, true, extra, pieces, found);
        if (AxisRules.isTflite(network)) {
          RunProgram upwards = run.program(split, false);
          load = Math.min(load, evaluate(upwards, split, false, extra, 0, found));
        }
        worse = load < least ? 0 : worse + 1;
        least = Math.min(least, load);
        if (worse == 3) {
          break;
        }
      }
    }

    /**
     * Cuts along rows at any places, and along columns too where they are to be: of those whose
     * load is below some bytes the cheapest, at each of some shares of what is asked for.
     */
    void bounded(long columns, boolean patches, long most, List<Stretch> found)
        throws BarrierException {
      List<SplitAxis> axes =
          patches ? List.of(SplitAxis.ROWS, SplitAxis.COLUMNS) : List.of(SplitAxis.ROWS);
      RunModel cut = patches ? model.run(places, axes, form) : run;
      List<AxisSplit> beside = new ArrayList<>();
      for (int right : patches ? pieces(columns) : new int[] {1}) {
        beside.add(patches ? AxisSplit.even(SplitAxis.COLUMNS, columns, right) : null);
      }
      TightCuts cuts = cuts(cut);
      boolean more = true; // what is within less is within more
      for (int k = 0; more && k < CLOSER.length; k++) {
        more =
            cuts.below(
                (long) (CLOSER[k] * below),
                beside,
                most,
                one -> {
                  RunProgram program = cut.program(one.split(), one.down());
                  return evaluate(program, one.split(), one.down(), extra(program), 0, found);
                });
      }
    }

    private TightCuts cuts(RunModel cut) {
      RunTiles tiles = new RunTiles(cut, this::compute, this::bytes, contiguous());
      return new TightCuts(tiles, compute, across, contiguous());
    }

    private long compute(Op op) {
      return costs ? op.cost() : MacCount.of(network, op);
    }

    private long extra(RunProgram program) {
      if (!costs) {
        return program.macs() - compute;
      }
      double sum = 0;
      for (RunProgram.Step step : program.steps()) {
        if (step.kind() == OpOrigin.Kind.PIECE) {
          RunProgram.Value made = program.values().get(step.writes()[0]);
          double part = Arrays.stream(made.shape()).asDoubleStream().reduce(1, (a, b) -> a * b);
          long whole = Math.max(1, made.tensor().elements());
          sum += Math.ceil(network.ops().get(step.op()).cost() * part / whole);
        }
      }
      return (long) sum - compute;
    }

    /** The least load of a choice, with what comes in and goes out whole or in so many pieces. */
    private long evaluate(
        RunProgram program,
        List<AxisSplit> split,
        boolean topDown,
        long extra,
        int pieces,
        List<Stretch> found) {
      boolean shares = request.allows(Lever.SHARING);
      PieceLoad loads =
          new PieceLoad(program, network, this, shares, request.liveness().alignment());
      boolean copies = pieces > 0 && pieces <= FEW[FEW.length - 1];
      boolean in = copies && source != null && loads.mayFlow(source);
      boolean out = copies && flows && loads.copies();
      long least = Long.MAX_VALUE;
      long kept = request.keepsOps() ? kept(program) : 0;
      long[] price = {extra, loads.moved(), program.steps().size()};
      for (int way = 0; way < 4; way++) {
        boolean whole = (way & 1) == 0;
        boolean stays = (way & 2) != 0;
        if (!whole && !in || stays && !out) {
          continue;
        }
        long load = across + loads.load(whole ? null : source, whole ? 0 : pieces, stays);
        least = Math.min(least, load);
        if (load < below && extra >= 0) { // below 0 where rows are left out that no op reads
          RunSplit chosen = new RunSplit(places, split, topDown, form);
          int first = whole ? 0 : pieces;
          new Stretch(from, to, chosen, first, stays ? pieces : 0, load, price, kept).addTo(found);
        }
      }
      return least;
    }

    private long kept(RunProgram program) {
      Set<Integer> seen = new HashSet<>();
      long sum = 0;
      for (RunProgram.Step step : program.steps()) {
        if (step.kind() != OpOrigin.Kind.PIECE || !seen.add(step.op())) {
          boolean channels = FitCompute.keepsChannels(network, network.ops().get(step.op()));
          Tensor made = program.values().get(step.writes()[0]).tensor();
          sum += FitCompute.kept(step.kind(), channels, made);
        }
      }
      return sum;
    }
  }
}

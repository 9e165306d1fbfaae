package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.LoadProfile;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunCost;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

/**
 * What it takes to execute a stretch of consecutive ops piece by piece: each choice is rewritten
 * and its buffers are followed, for the ops of the stretch alone; what lives across it is added.
 */
final class Stretches {
  private static final List<SplitAxis> AXES =
      List.of(SplitAxis.ROWS, SplitAxis.TOKENS, SplitAxis.BATCH);

  private static final int[] FEW = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16};
  private static final int[] PATCHES = {2, 3, 4};

  private final Network network;
  private final FitRequest request;
  private final PlanningCase base;
  private final long[] loads;
  private final Map<String, Integer> lastRead = new HashMap<>();
  private final Map<String, Integer> madeAt = new HashMap<>();
  private final int[] touchedFrom;
  private final int[] touchedTo;

  /** For each axis which ops can be in no run along it. */
  private final Map<SplitAxis, boolean[]> barriers = new EnumMap<>(SplitAxis.class);

  /**
   * Follows a network as it is.
   *
   * @param network with its ops in the order in which they run
   */
  Stretches(Network network, FitRequest request) {
    this.network = network;
    this.request = request;
    this.base = request.buffers(network);
    int ops = network.ops().size();
    LoadProfile profile = LoadProfile.of(base.problem());
    loads = IntStream.range(0, ops).mapToLong(profile::loadAt).toArray();
    for (int k = 0; k < ops; k++) {
      Op op = network.ops().get(k);
      for (String input : op.presentInputs()) {
        lastRead.put(input, k);
      }
      for (String output : op.presentOutputs()) {
        madeAt.put(output, k);
      }
    }
    network.outputs().forEach(output -> lastRead.put(output, ops));
    if (request.liveness().inputs() == LivenessOptions.Inputs.KEEP) {
      network.inputs().forEach(input -> lastRead.put(input, ops));
    }
    int buffers = base.contents().size();
    touchedFrom = new int[buffers];
    touchedTo = new int[buffers];
    follow();
    findBarriers();
  }

  /** Finds for each buffer the tensors' first and last touches. */
  private void follow() {
    for (int b = 0; b < touchedFrom.length; b++) {
      touchedFrom[b] = base.problem().buffer(b).live().start();
      touchedTo[b] = base.problem().buffer(b).live().end();
    }
  }

  /** The number of ops. */
  int ops() {
    return loads.length;
  }

  /** The load while an op runs in the network as it is. */
  long load(int op) {
    return loads[op];
  }

  /** An op as it is. */
  Stretch plain(int op) {
    return new Stretch(op, op + 1, null, loads[op], new long[] {0, 0, 1}, 0);
  }

  private void findBarriers() {
    SplitModel model = new SplitModel(network);
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

  /**
   * Whether only the last op's results are read after a stretch, so that it may be a run.
   *
   * @param from first op
   * @param to first op after
   */
  boolean mayBeRun(int from, int to) {
    for (int k = from; k < to - 1; k++) {
      for (String output : network.ops().get(k).presentOutputs()) {
        if (lastRead.getOrDefault(output, k) >= to) {
          return false;
        }
      }
    }
    return network.ops().get(to - 1).presentOutputs().size() == 1;
  }

  /**
   * The choices for a stretch, of which none is worse than another in load and price.
   *
   * @param most extra compute above which a choice is of no use
   * @param patches whether cuts along rows and columns are tried too
   */
  List<Stretch> of(int from, int to, long most, boolean patches) {
    Local local = new Local(from, to);
    List<Stretch> found = new ArrayList<>();
    Tensor result =
        local.network.tensor(local.network.ops().get(to - from - 1).presentOutputs().get(0));
    boolean last = AxisRules.isTflite(network) || result.rank() != 4;
    for (SplitAxis axis : AXES) {
      int dimension = axis.dimension(result, last);
      boolean again =
          axis == SplitAxis.TOKENS && result.rank() == 4 && !crosses(SplitAxis.ROWS, from, to);
      if (again || dimension < 0 || result.extent(dimension) < 2 || crosses(axis, from, to)) {
        continue;
      }
      try {
        along(local, axis, result.extent(dimension), most, found);
        int columns = SplitAxis.COLUMNS.dimension(result, last);
        if (patches && axis == SplitAxis.ROWS && columns >= 0) {
          patches(local, result.extent(dimension), result.extent(columns), most, found);
        }
      } catch (BarrierException barrier) {
        continue; // as a run these ops cannot be cut along this axis
      }
    }
    return found;
  }

  private boolean crosses(SplitAxis axis, int from, int to) {
    for (int op = from; op < to; op++) {
      if (barriers.get(axis)[op]) {
        return true;
      }
    }
    return false;
  }

  private void along(Local local, SplitAxis axis, long extent, long most, List<Stretch> found)
      throws BarrierException {
    boolean pads = AxisRules.isTflite(network) && axis == SplitAxis.ROWS;
    for (PadForm form : PadForm.values()) {
      if (form != PadForm.CROP && !pads) {
        continue;
      }
      int worse = 0;
      long least = Long.MAX_VALUE;
      for (int pieces : pieces(extent)) {
        AxisSplit split = AxisSplit.even(axis, extent, pieces);
        if (local.extra(split, form) > most) {
          break;
        }
        Stretch one = local.evaluate(List.of(split), true, form);
        Stretch other = local.evaluate(List.of(split), false, form);
        if (form == PadForm.PAD && !local.padded) {
          break; // nothing is padded, so the forms are one
        }
        keep(one, found);
        keep(other, found);
        long load = Math.min(one.load(), other.load());
        worse = load < least ? 0 : worse + 1;
        least = Math.min(least, load);
        if (worse == 4) {
          break;
        }
      }
    }
  }

  private void patches(Local local, long rows, long columns, long most, List<Stretch> found)
      throws BarrierException {
    for (int pieces : PATCHES) {
      if (pieces > rows || pieces > columns) {
        return;
      }
      for (PadForm form : PadForm.values()) {
        Stretch one =
            local.evaluate(
                List.of(
                    AxisSplit.even(SplitAxis.ROWS, rows, pieces),
                    AxisSplit.even(SplitAxis.COLUMNS, columns, pieces)),
                true,
                form);
        if (one.price()[0] <= most) {
          keep(one, found);
        }
      }
    }
  }

  private static int[] pieces(long extent) {
    TreeSet<Integer> counts = new TreeSet<>();
    Arrays.stream(FEW).filter(count -> count < extent).forEach(counts::add);
    for (long count = 20; count < extent; count = count * 5 / 4) {
      counts.add((int) count);
    }
    counts.add((int) Math.min(extent, 1024));
    return counts.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Keeps a choice that no other is no worse than. One that leaves out rows that no op reads, and
   * so computes less than the whole, is passed over: prices are never below 0.
   */
  private static void keep(Stretch one, List<Stretch> found) {
    if (one.price()[0] < 0) {
      return;
    }
    for (Stretch other : found) {
      if (other.dominates(one)) {
        return;
      }
    }
    found.removeIf(one::dominates);
    found.add(one);
  }

  /** The ops of a stretch as a network of their own. */
  private final class Local {
    private final int from;
    private final int to;
    private final Network network;
    private final SplitModel model;
    private final int[] own;
    private final boolean costs;
    private final long across;

    /** Whether the last choice evaluated had a pad. */
    private boolean padded;

    Local(int from, int to) {
      this.from = from;
      this.to = to;
      Map<String, Tensor> tensors = new LinkedHashMap<>();
      Set<String> inputs = new LinkedHashSet<>();
      Set<String> outputs = new LinkedHashSet<>();
      for (int k = from; k < to; k++) {
        Op op = Stretches.this.network.ops().get(k);
        for (String input : op.presentInputs()) {
          Tensor tensor = Stretches.this.network.tensor(input);
          tensors.put(input, tensor);
          boolean outside = madeAt.getOrDefault(input, -1) < from;
          if (outside && !tensor.isWeight()) {
            inputs.add(input);
            if (lastRead.get(input) >= to) {
              outputs.add(input);
            }
          }
        }
        for (String output : op.presentOutputs()) {
          tensors.put(output, Stretches.this.network.tensor(output));
          if (lastRead.getOrDefault(output, k) >= to) {
            outputs.add(output);
          }
        }
      }
      Network whole = Stretches.this.network;
      network =
          new Network(
              whole.name(),
              whole.format(),
              tensors.values(),
              whole.ops().subList(from, to),
              List.copyOf(inputs),
              List.copyOf(outputs),
              List.of());
      model = new SplitModel(network);
      own = IntStream.range(0, to - from).toArray();
      costs = FitCompute.unit(network).equals("cost");
      across = across(tensors.keySet());
    }

    /** Bytes of the buffers that live across the stretch and that it does not touch. */
    private long across(Set<String> touched) {
      long sum = 0;
      for (int b = 0; b < touchedFrom.length; b++) {
        Buffer buffer = base.problem().buffer(b);
        if (touchedFrom[b] < from
            && touchedTo[b] > to
            && base.contents().get(b).parts().stream()
                .noneMatch(part -> touched.contains(part.tensor()))) {
          sum += buffer.size();
        }
      }
      return sum;
    }

    /** The extra compute of a choice; where ops have costs it is known only once rewritten. */
    long extra(AxisSplit split, PadForm form) throws BarrierException {
      return costs
          ? 0
          : RunCost.of(model, new RunSplit(own, List.of(split), true, form)).extraMacs();
    }

    Stretch evaluate(List<AxisSplit> axes, boolean topDown, PadForm form) throws BarrierException {
      Rewriting rewriting = Splitter.split(model, List.of(new RunSplit(own, axes, topDown, form)));
      padded = rewriting.ops().stream().anyMatch(op -> op.kind() == OpOrigin.Kind.PAD);
      PlanningCase planned = request.buffers(rewriting.network());
      long load = LoadProfile.of(planned.problem()).maxLoad() + across;
      long[] price = {
        FitCompute.extra(rewriting),
        FitCompute.moved(rewriting, planned),
        rewriting.network().ops().size()
      };
      int[] places = IntStream.range(from, to).toArray();
      return new Stretch(
          from,
          to,
          new RunSplit(places, axes, topDown, form),
          load,
          price,
          request.kept(rewriting));
    }
  }
}

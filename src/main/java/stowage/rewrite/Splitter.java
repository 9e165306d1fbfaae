package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.network.TopologicalOrder;
import stowage.rewrite.range.AxisRules;

/**
 * Rewriting of a network so that runs of its ops are executed piece by piece.
 *
 * <p>A piece of op {@code NAME} is {@code NAME#2of4}, the tensor it makes {@code TENSOR#2of4};
 * added ops are {@code NAME.slice#2of4}, {@code NAME.pad#2of4} and {@code NAME.concat} after the op
 * they serve. Where a name is taken, {@code @2} follows. Constants are shared by all pieces; what a
 * piece's op has in attributes it no longer reads as a constant, see {@link ConstantOperands}.
 *
 * <p>All ops of a run stand where the last of them was, or later where another op of the run's
 * sources is in the way.
 */
public final class Splitter {
  private final Network given;
  private final List<RunSplit> runs;
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<OpOrigin> origins = new ArrayList<>();
  private final Map<String, TensorOrigin> regions = new LinkedHashMap<>();
  private final Set<String> opNames = new HashSet<>();
  private final Set<String> tensorNames = new HashSet<>();

  private Splitter(Network given, List<RunSplit> runs) {
    this.given = given;
    this.runs = runs;
    given.ops().forEach(op -> opNames.add(op.name()));
    tensorNames.addAll(given.tensors().keySet());
  }

  /**
   * Splits runs that have no op in common.
   *
   * @return the rewriting; runs of one piece are left as they are
   * @throws BarrierException naming an op that cannot be run in pieces, and why
   * @throws IllegalArgumentException when runs overlap, or an op between a run's ops both depends
   *     on the run and is needed by it
   */
  public static Rewriting split(SplitModel model, List<RunSplit> runs) throws BarrierException {
    return new Splitter(model.network(), List.copyOf(runs)).rewriting(model);
  }

  private Rewriting rewriting(SplitModel model) throws BarrierException {
    int[] runOf = new int[given.ops().size()];
    Arrays.fill(runOf, -1);
    for (int r = 0; r < runs.size(); r++) {
      for (int op : runs.get(r).pieces() > 1 ? runs.get(r).ops() : new int[0]) {
        if (runOf[op] >= 0) {
          throw new IllegalArgumentException(
              "op \"" + given.ops().get(op).name() + "\" is in two runs");
        }
        runOf[op] = r;
      }
    }
    for (int item : order(runOf)) {
      if (item >= 0) {
        ops.add(given.ops().get(item));
        origins.add(OpOrigin.given(item));
      } else {
        RunSplit run = runs.get(-1 - item);
        write(-1 - item, run.pieces(), model.run(run).program(run.axes(), run.topDown()));
      }
    }
    new PieceFlow(
        AxisRules.isTflite(given),
        given.outputs(),
        ops,
        origins,
        tensors,
        regions,
        given.tensors()::get,
        (wanted, tensor) -> unique(wanted, tensor ? tensorNames : opNames));
    Set<String> used = new HashSet<>(given.inputs());
    used.addAll(given.outputs());
    ops.forEach(op -> used.addAll(op.presentInputs()));
    ops.forEach(op -> used.addAll(op.presentOutputs()));
    Set<String> usedBefore = new HashSet<>();
    given.ops().forEach(op -> usedBefore.addAll(op.presentInputs()));
    given.ops().forEach(op -> usedBefore.addAll(op.presentOutputs()));
    List<Tensor> kept = new ArrayList<>();
    for (Tensor tensor : given.tensors().values()) {
      if (used.contains(tensor.name()) || !usedBefore.contains(tensor.name())) {
        kept.add(tensor);
        regions.put(tensor.name(), TensorOrigin.whole(tensor, 1));
      }
    }
    kept.addAll(tensors);
    Network network = given.with(kept, ops);
    boolean priced = !ops.isEmpty() && given.ops().get(0).cost() >= 0;
    return new Rewriting(
        given, priced ? given.with(kept, priced(network)) : network, origins, regions);
  }

  /** The ops with costs: of pieces their share, rounded up, of what takes or joins pieces 0. */
  private List<Op> priced(Network network) {
    List<Op> priced = new ArrayList<>();
    for (int k = 0; k < ops.size(); k++) {
      Op op = ops.get(k);
      Op from = given.ops().get(origins.get(k).op());
      long cost = op.name().equals(from.name()) ? from.cost() : 0;
      if (origins.get(k).kind() == OpOrigin.Kind.PIECE) {
        long whole = Math.max(1, made(given, from));
        long part = made(network, op);
        double rest = Math.ceil((double) (from.cost() % whole) * part / whole);
        cost = from.cost() / whole * part + (long) rest;
      }
      priced.add(op.withCost(cost));
    }
    return priced;
  }

  private static long made(Network network, Op op) {
    return op.presentOutputs().isEmpty()
        ? 0
        : network.tensor(op.presentOutputs().get(0)).elements();
  }

  /** Ops by index, runs as -1 - index, in an order in which they can run near the given one. */
  private List<Integer> order(int[] runOf) {
    int[] order = given.executionOrder();
    int[] rank = new int[order.length + runs.size()];
    List<Set<Integer>> needed =
        Stream.<Set<Integer>>generate(HashSet::new).limit(rank.length).toList();
    BitSet nodes = new BitSet();
    for (int k = 0; k < order.length; k++) {
      int node = runOf[order[k]] < 0 ? order[k] : order.length + runOf[order[k]];
      nodes.set(node);
      rank[node] = k;
      for (String input : given.ops().get(order[k]).presentInputs()) {
        int maker = given.producer(input);
        int from = maker < 0 || runOf[maker] < 0 ? maker : order.length + runOf[maker];
        if (from >= 0 && from != node) {
          needed.get(node).add(from);
        }
      }
    }
    List<Integer> items =
        IntStream.of(TopologicalOrder.ofRanked(rank, needed))
            .filter(nodes::get)
            .mapToObj(node -> node < order.length ? node : order.length - 1 - node)
            .toList();
    if (items.size() < nodes.cardinality()) {
      throw new IllegalArgumentException(
          "an op both depends on a run and is needed by it; it should be part of the run");
    }
    return items;
  }

  private static String unique(String wanted, Set<String> taken) {
    String name = wanted;
    while (!taken.add(name)) {
      name += "@2";
    }
    return name;
  }

  private static String label(RunProgram.Value value, int pieces) {
    boolean one = value.first() == value.last();
    return "#" + (value.first() + 1) + (one ? "" : "-" + (value.last() + 1)) + "of" + pieces;
  }

  private void write(int run, int pieces, RunProgram program) {
    List<String> names = new ArrayList<>();
    for (RunProgram.Value value : program.values()) {
      names.add(value.whole() ? value.tensor().name() : null);
    }
    for (RunProgram.Step step : program.steps()) {
      for (int value : step.writes()) {
        if (names.get(value) == null) {
          names.set(value, declare(program.values().get(value), pieces));
        }
      }
      Op from = given.ops().get(step.op());
      RunProgram.Value made = program.values().get(step.writes()[0]);
      String mark = made.whole() ? "" : label(made, pieces);
      boolean piece = step.kind() == OpOrigin.Kind.PIECE;
      String suffix = piece ? "" : "." + step.kind().name().toLowerCase(java.util.Locale.ROOT);
      List<String> reads = new ArrayList<>();
      for (int k = 0; k < step.reads().length; k++) {
        int value = step.reads()[k];
        reads.add(value < 0 ? from.inputs().get(k) : names.get(value));
      }
      List<String> writes = Arrays.stream(step.writes()).mapToObj(names::get).toList();
      PieceOp op = new PieceOp(given, step, program);
      ops.add(
          new Op(
              unique(from.name() + suffix + mark, opNames),
              op.type(),
              op.attributes(),
              piece ? op.kept(reads) : reads,
              piece ? spread(from, writes) : writes,
              piece ? from.scratch() : List.of()));
      origins.add(new OpOrigin(step.op(), step.kind(), run, step.piece(), pieces, 1));
    }
  }

  /** Results at the places of the given op's, where some may be absent. */
  private static List<String> spread(Op from, List<String> writes) {
    List<String> all = new ArrayList<>();
    int next = 0;
    for (String output : from.outputs()) {
      all.add(output.isEmpty() ? "" : writes.get(next++));
    }
    return all;
  }

  private String declare(RunProgram.Value value, int pieces) {
    String name = unique(value.tensor().name() + label(value, pieces), tensorNames);
    List<Long> shape = Arrays.stream(value.shape()).boxed().toList();
    tensors.add(new Tensor(name, shape, value.tensor().type(), value.tensor().kind()));
    regions.put(name, new TensorOrigin(value.tensor().name(), value.begin(), value.end(), 1));
    return name;
  }
}

package stowage.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * A network in which some ops are computed again. The k-th computation of an op is an op of its
 * own, named {@code NAME@k}, with results {@code TENSOR@k}; every op reads the copy computed last
 * before it. What the network returns is the last copy of its results.
 */
public final class Recomputation {
  private Recomputation() {}

  /**
   * The network that runs a sequence. O(sequence + tensors).
   *
   * @param sequence indices of its ops in the order in which they run; each at least once
   * @throws IllegalArgumentException when an op is missing, reads what was not computed, or runs
   *     again although it must not
   */
  public static Rewriting of(Network given, int[] sequence) {
    Set<String> names = new HashSet<>(given.tensors().keySet());
    Set<String> opNames = new HashSet<>();
    given.ops().forEach(op -> opNames.add(op.name()));
    Map<String, Tensor> tensors = new LinkedHashMap<>(given.tensors());
    Map<String, TensorOrigin> regions = new LinkedHashMap<>();
    for (Tensor tensor : given.tensors().values()) {
      regions.put(tensor.name(), TensorOrigin.whole(tensor, 1));
    }
    Map<String, String> latest = new LinkedHashMap<>();
    int[] runs = new int[given.ops().size()];
    Map<String, Integer> writes = new HashMap<>();
    int[] written = new int[given.ops().size()];
    List<Op> ops = new ArrayList<>();
    List<OpOrigin> origins = new ArrayList<>();
    for (int index : sequence) {
      Op op = given.ops().get(index);
      int copy = ++runs[index];
      int before = written(op, writes);
      written[index] = copy == 1 ? before : written[index];
      Repeats.touched(op).stream()
          .filter(tensor -> Repeats.isVariable(given, tensor))
          .filter(tensor -> Repeats.mayWrite(op, tensor))
          .forEach(tensor -> writes.merge(tensor, 1, Integer::sum));
      for (String operand : op.presentInputs()) {
        int maker = given.producer(operand);
        if (maker >= 0 && runs[maker] == 0) {
          throw new IllegalArgumentException(
              "op \"" + op.name() + "\" runs before what it reads: \"" + operand + "\"");
        }
      }
      List<String> inputs = op.inputs().stream().map(t -> latest.getOrDefault(t, t)).toList();
      if (copy == 1) {
        boolean same = op.inputs().equals(inputs);
        ops.add(same ? op : op.renamed(op.name(), inputs, op.outputs()));
        OpOrigin.Kind kind = same ? OpOrigin.Kind.GIVEN : OpOrigin.Kind.COPY;
        origins.add(new OpOrigin(index, kind, -1, -1, 1, 1));
        continue;
      }
      if (Repeats.obstacle(given, op) != null) {
        throw new IllegalArgumentException(
            "op \"" + op.name() + "\" must not run again: " + Repeats.obstacle(given, op));
      }
      if (before != written[index]) {
        throw new IllegalArgumentException(
            "op \"" + op.name() + "\" must not run again after a variable it reads was written");
      }
      List<String> results = new ArrayList<>();
      for (String result : op.outputs()) {
        if (result.isEmpty()) {
          results.add(result);
          continue;
        }
        Tensor tensor = given.tensor(result);
        String name = free(result + "@" + copy, names);
        tensors.put(name, new Tensor(name, tensor.shape(), tensor.type(), tensor.kind()));
        regions.put(name, TensorOrigin.whole(tensor, copy));
        latest.put(result, name);
        results.add(name);
      }
      ops.add(op.renamed(free(op.name() + "@" + copy, opNames), inputs, results));
      origins.add(new OpOrigin(index, OpOrigin.Kind.COPY, -1, -1, 1, copy));
    }
    for (int index = 0; index < runs.length; index++) {
      if (runs[index] == 0) {
        throw new IllegalArgumentException(
            "op \"" + given.ops().get(index).name() + "\" never runs");
      }
    }
    Network network =
        new Network(
            given.name(),
            given.format(),
            tensors.values(),
            ops,
            given.inputs(),
            given.outputs().stream().map(t -> latest.getOrDefault(t, t)).toList(),
            given.notes());
    return new Rewriting(given, network, origins, regions);
  }

  /** How often the variables that an op reads have been written. */
  private static int written(Op op, Map<String, Integer> writes) {
    return op.presentInputs().stream().mapToInt(tensor -> writes.getOrDefault(tensor, 0)).sum();
  }

  /** A name that nothing has yet. */
  private static String free(String wanted, Set<String> names) {
    String name = wanted;
    while (!names.add(name)) {
      name += "_";
    }
    return name;
  }
}

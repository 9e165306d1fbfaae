package stowage.planning.fit.price;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.SplitModel;

/**
 * Bytes that wait while ops of a path run, whatever the order is.
 *
 * <p>A concatenation may show its operands or be a copy of them. So what is counted are <em>base
 * tensors</em>, those that no view makes: an op that takes all of a concatenation takes all base
 * tensors that it is put together from, wherever these lie by then, and each counts once.
 */
final class PathHeld {
  private final Network network;
  private final SplitModel model;
  private final CutRows rows;

  /** By op whether the check of a proof can follow it. */
  private final boolean[] followed;

  /** By tensor the base tensors that are all of it. */
  private final Map<String, Set<String>> bases = new HashMap<>();

  /** Tensors that may lie in no planned memory: the caller's, or that of variables. */
  private final Set<String> elsewhere = new HashSet<>();

  /** Looks a network through. O(tensors * operands of concatenations). */
  PathHeld(
      Network network,
      LivenessOptions options,
      SplitModel model,
      CutRows rows,
      boolean[] followed) {
    this.network = network;
    this.model = model;
    this.rows = rows;
    this.followed = followed;
    for (Tensor tensor : network.tensors().values()) {
      if (tensor.kind() != Tensor.Kind.ACTIVATION) {
        elsewhere.add(tensor.name());
      }
    }
    if (options.inputs() == LivenessOptions.Inputs.CALLER) {
      elsewhere.addAll(network.inputs());
      elsewhere.addAll(network.outputs());
    }
    int[] order = network.executionOrder();
    for (int k = order.length - 1; k >= 0; k--) {
      Op op = network.ops().get(order[k]);
      if (PathBound.shows(op) && op.presentOutputs().stream().anyMatch(elsewhere::contains)) {
        elsewhere.addAll(op.presentInputs());
      }
    }
    network.inputs().stream().filter(name -> network.producer(name) < 0).forEach(this::ownBase);
    for (int k : order) {
      Op op = network.ops().get(k);
      if (!followed[k]) {
        continue;
      }
      if (OpTraits.of(op) == OpTraits.CONCAT_LIKE) {
        Set<String> all = new HashSet<>();
        op.presentInputs().forEach(name -> all.addAll(bases(name)));
        bases.put(op.presentOutputs().get(0), all);
      } else if (!PathBound.shows(op)) {
        op.presentOutputs().forEach(this::ownBase);
      }
    }
  }

  private void ownBase(String tensor) {
    if (!elsewhere.contains(tensor)) {
      bases.put(tensor, Set.of(tensor));
    }
  }

  private Set<String> bases(String tensor) {
    return bases.getOrDefault(tensor, Set.of());
  }

  /** Whether a tensor may lie in no planned memory. */
  boolean isElsewhere(String tensor) {
    return elsewhere.contains(tensor);
  }

  /** Whether a tensor lies in the planned memory and shows no other. */
  boolean hasPlace(String tensor) {
    return bases(tensor).contains(tensor);
  }

  /** Bytes of a tensor, or of what it shows, in the planned memory. */
  long bytes(String tensor) {
    return bases(tensor).stream().mapToLong(name -> network.tensor(name).bytes()).sum();
  }

  /**
   * By first op and first op after it of a part of a path, the bytes of tensors that are held while
   * it runs: made by what an op of the path before it waits for, and taken by what waits for the op
   * after it, or results of the network; without those that ops of the part read. Of no ops it is
   * what is held between two runs. O(ops of the path squared * tensors) at most.
   */
  long[][] along(int[] ops) {
    int count = ops.length;
    int[] before = new int[network.ops().size()];
    int[] after = new int[network.ops().size()];
    follow(ops, before, after);
    Map<String, long[]> taken = new HashMap<>();
    Map<String, BitSet> read = new HashMap<>();
    for (Tensor tensor : network.tensors().values()) {
      String name = tensor.name();
      for (String base : bases(name)) {
        long bytes = network.tensor(base).bytes();
        long[] most = taken.computeIfAbsent(base, absent -> new long[count + 1]);
        for (int reader : model.readers(name)) {
          int at = after[reader];
          if (at >= 0 && ops[at] == reader) {
            read.computeIfAbsent(base, absent -> new BitSet()).set(at);
          }
          if (at >= 0 && followed[reader] && !PathBound.shows(network.ops().get(reader))) {
            long part = rows.taken(reader, name);
            long own = base.equals(name) ? part : part == tensor.bytes() ? bytes : 0;
            most[at] = Math.max(most[at], own);
          }
        }
        if (network.outputs().contains(name)) {
          most[count] = bytes;
        }
      }
    }
    long[][] held = new long[count + 1][count + 1];
    for (Map.Entry<String, long[]> entry : taken.entrySet()) {
      long[] most = entry.getValue();
      for (int k = count - 1; k >= 0; k--) {
        most[k] = Math.max(most[k], most[k + 1]);
      }
      int maker = network.producer(entry.getKey());
      BitSet own = read.getOrDefault(entry.getKey(), new BitSet());
      for (int from = maker < 0 ? 0 : before[maker] + 1; from <= count; from++) {
        for (int to = from; to <= count && most[to] > 0; to++) {
          if (to > from && own.get(to - 1)) {
            break;
          }
          held[from][to] += most[to];
        }
      }
    }
    return held;
  }

  /** By op the first op of a path that waits for it, and the last one for which it waits. */
  private void follow(int[] ops, int[] before, int[] after) {
    Arrays.fill(before, ops.length);
    Arrays.fill(after, -1);
    for (int k = 0; k < ops.length; k++) {
      before[ops[k]] = k;
      after[ops[k]] = k;
    }
    int[] order = network.executionOrder();
    for (int op : order) {
      for (String input : network.ops().get(op).presentInputs()) {
        int from = network.producer(input);
        after[op] = Math.max(after[op], from < 0 ? -1 : after[from]);
      }
    }
    for (int k = order.length - 1; k >= 0; k--) {
      for (String input : network.ops().get(order[k]).presentInputs()) {
        int from = network.producer(input);
        if (from >= 0) {
          before[from] = Math.min(before[from], before[order[k]]);
        }
      }
    }
  }
}

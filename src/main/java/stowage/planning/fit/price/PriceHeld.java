package stowage.planning.fit.price;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Bytes that have to be there while ops of a path run, as a check finds them: it knows where
 * tensors lie that are inputs or made by ops it can follow, and what concatenations of those are
 * put together from.
 */
final class PriceHeld {
  private final Network network;
  private final PriceRows rows;

  /** Whether tensors may lie in memory that is not planned: the caller's, or a variable's. */
  private final boolean others;

  /** By tensor the tensors with a place of their own that hold all its bytes. */
  private final Map<String, Set<String>> parts = new HashMap<>();

  PriceHeld(Network network, PriceRows rows, boolean callers) {
    this.network = network;
    this.rows = rows;
    this.others =
        callers
            || network.tensors().values().stream()
                .anyMatch(tensor -> tensor.kind() == Tensor.Kind.VARIABLE);
    for (String name : network.inputs()) {
      add(name, network.tensor(name).isWeight() || callers);
    }
    for (int op : network.executionOrder()) {
      Op own = network.ops().get(op);
      if (rows.isConcat(own)) {
        Set<String> all = new HashSet<>();
        own.inputs().forEach(name -> all.addAll(parts(name)));
        parts.put(rows.made(op), all);
      } else if (rows.isKnown(own)) {
        add(rows.made(op), callers && network.outputs().contains(rows.made(op)));
      }
    }
  }

  private void add(String tensor, boolean away) {
    if (!away && !mayBeShownElsewhere(tensor)) {
      parts.put(tensor, Set.of(tensor));
    }
  }

  /** Whether something may show a tensor in memory that is not planned. */
  private boolean mayBeShownElsewhere(String tensor) {
    boolean may = others && network.tensor(tensor).kind() != Tensor.Kind.ACTIVATION;
    for (int reader : others ? rows.readers().getOrDefault(tensor, Set.of()) : Set.<Integer>of()) {
      Op op = network.ops().get(reader);
      boolean given = rows.isKnown(op) && network.outputs().contains(rows.made(reader));
      may |= !rows.isKnown(op);
      may |= rows.isConcat(op) && (given || mayBeShownElsewhere(rows.made(reader)));
    }
    return may;
  }

  private Set<String> parts(String tensor) {
    return parts.getOrDefault(tensor, Set.of());
  }

  /** Whether a tensor has a place of its own in the planned memory. */
  boolean hasPlace(String tensor) {
    return parts(tensor).contains(tensor);
  }

  /** Whether all of a tensor lies in the planned memory, each byte once. */
  boolean isThere(String tensor) {
    long sum = parts(tensor).stream().mapToLong(name -> network.tensor(name).bytes()).sum();
    return sum == network.tensor(tensor).bytes();
  }

  /**
   * By first op, and first op after it, of a part of a path the bytes that are there while it runs
   * and that it does not read; for none of its ops what is there between two runs.
   */
  long[][] during(int[] ops) {
    int count = ops.length;
    Integer[] done = new Integer[network.ops().size()];
    Integer[] due = new Integer[done.length];
    for (int k = 0; k < count; k++) {
      reach(ops[k], k, done, true);
      reach(ops[count - 1 - k], count - 1 - k, due, false);
    }
    long[][] sums = new long[count + 1][count + 1];
    for (String part : parts.keySet()) {
      int maker = network.producer(part);
      if (!hasPlace(part) || maker >= 0 && done[maker] == null) {
        continue;
      }
      long[] waits = new long[count + 1];
      BitSet reads = new BitSet();
      for (String name : showing(part)) {
        long bytes = network.tensor(part).bytes();
        waits[count] = network.outputs().contains(name) ? bytes : waits[count];
        for (int reader : rows.readers().getOrDefault(name, Set.of())) {
          Op op = network.ops().get(reader);
          if (due[reader] != null && ops[due[reader]] == reader) {
            reads.set(due[reader]);
          }
          if (due[reader] != null && rows.isKnown(op) && rows.takes(op, name)) {
            long taken = rows.isConcat(op) ? 0 : rows.taken(reader, name);
            boolean all = taken == network.tensor(name).bytes();
            long own = name.equals(part) ? taken : all ? bytes : 0;
            waits[due[reader]] = Math.max(waits[due[reader]], own);
          }
        }
      }
      int last = count;
      while (last >= 0 && waits[last] == 0) {
        last--;
      }
      for (int from = maker < 0 ? 0 : done[maker] + 1; from <= last; from++) {
        int end = reads.nextSetBit(from);
        long most = 0;
        for (int to = last; to >= from; to--) {
          most = Math.max(most, waits[to]);
          sums[from][to] += end < 0 || to <= end ? most : 0;
        }
      }
    }
    return sums;
  }

  /** A part and the concatenations that it is a part of. */
  private List<String> showing(String part) {
    return parts.keySet().stream().filter(name -> parts.get(name).contains(part)).toList();
  }

  /** Marks the ops for which an op waits, or that wait for it, where nothing is marked yet. */
  private void reach(int op, int mark, Integer[] marks, boolean back) {
    Deque<Integer> open = new ArrayDeque<>(List.of(op));
    while (!open.isEmpty()) {
      int at = open.pop();
      if (at < 0 || marks[at] != null) {
        continue;
      }
      marks[at] = mark;
      Op own = network.ops().get(at);
      if (back) {
        own.presentInputs().forEach(name -> open.push(network.producer(name)));
      } else {
        own.presentOutputs()
            .forEach(name -> open.addAll(rows.readers().getOrDefault(name, Set.of())));
      }
    }
  }
}

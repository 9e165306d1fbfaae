package stowage.schedule.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.IndexOrder;

/**
 * XLA's orders for low memory.
 *
 * <p>Source: xla/service/hlo_memory_scheduler.cc and HloComputation's traversals in
 * xla/hlo/ir/hlo_computation.cc of openxla/xla.
 *
 * <ul>
 *   <li><b>list</b>: of the ready instructions the one with the largest (bytes freed less bytes
 *       defined, number of users); of equal ones the last that became ready, or whose key was
 *       renewed. A buffer is freed by the instruction that is its only unscheduled user; results of
 *       the computation have one user more, so they are never freed. What makes one element goes
 *       first. When a buffer is left with one user, the keys of the ready users of the operands of
 *       the instruction just taken are renewed. Parameters and constants are instructions that take
 *       part, but whose buffers do not count.
 *   <li><b>dfs</b>: post-order, operands with more extra users first (users less one, summed over
 *       the tree of operands, so that shared ones count again, and capped at the number of
 *       instructions), then larger total sizes (summed and capped likewise), then by name. Dead
 *       instructions come first, the computation's root, which reads all outputs, last.
 *   <li><b>post-order</b>: operands in their order; the same roots.
 * </ul>
 *
 * <p>XLA keeps the one of least simulated peak, ties in the order list, dfs, post-order.
 *
 * <p>Worked example: x of 1 byte is read by a (10 bytes) and b (2 bytes), each is reduced to 1 byte
 * by c and d, and y adds those. list: a and b have keys -10 and -2, so b runs, then d, which frees
 * 2 - 1 = 1, then a, c. dfs: both have one user and no extra ones, a's tree is larger: a, c, b, d.
 */
public final class XlaOrders {
  private final OperandGraph graph;

  private XlaOrders(Network network) {
    this.graph = new OperandGraph(network);
  }

  /** The list scheduler's order, as indices of ops. O(operands · users) at worst. */
  public static int[] list(Network network) {
    return new ListScheduler(new OperandGraph(network)).order();
  }

  /** The depth-first order, by extra users and sizes. */
  public static int[] depthFirst(Network network) {
    return new XlaOrders(network).dfs();
  }

  public static int[] postOrder(Network network) {
    XlaOrders xla = new XlaOrders(network);
    return OperandGraph.postOrder(xla.graph.size(), xla.roots(null), xla.graph::operands);
  }

  /** Ops that nothing reads, in their order, then those of the outputs as the root sees them. */
  private List<Integer> roots(Comparator<Integer> byVisit) {
    List<Integer> outputs = new ArrayList<>(graph.outputProducers());
    Set<Integer> made = new HashSet<>(outputs);
    Stream<Integer> unread =
        IntStream.range(0, graph.size()).filter(k -> graph.users(k).isEmpty()).boxed();
    List<Integer> roots = new ArrayList<>(unread.filter(k -> !made.contains(k)).toList());
    if (byVisit != null) {
      outputs.sort(byVisit);
    }
    roots.addAll(outputs);
    return roots;
  }

  private int[] dfs() {
    int size = graph.size();
    long instructions = size + graph.network().inputs().size() + 1L;
    long[] extraUsers = new long[size];
    long[] totalSizes = new long[size];
    long cumulative = 0;
    Set<Integer> outputs = new HashSet<>(graph.outputProducers());
    for (int k : postOrder(graph.network())) {
      int users = graph.users(k).size() + (outputs.contains(k) ? 1 : 0);
      extraUsers[k] = Math.max(0, users - 1);
      totalSizes[k] = graph.made(k);
      cumulative += totalSizes[k];
      for (int operand : graph.producers(k)) {
        extraUsers[k] += extraUsers[operand];
        totalSizes[k] += totalSizes[operand];
      }
      extraUsers[k] = Math.min(extraUsers[k], instructions);
      totalSizes[k] = Math.min(totalSizes[k], cumulative);
    }
    Comparator<Integer> first =
        Comparator.<Integer>comparingLong(k -> -extraUsers[k])
            .thenComparingLong(k -> -totalSizes[k])
            .thenComparing(k -> graph.op(k).name());
    return OperandGraph.postOrder(
        size, roots(first), k -> graph.producers(k).stream().sorted(first).toList());
  }

  /** Instructions are the network's inputs and weights, then its ops. */
  private static final class ListScheduler {
    /** What is ready: of equal keys the one added last is taken. */
    private record Key(long gain, long users, long added, int instruction) {
      boolean isLike(Key other) {
        return gain == other.gain && users == other.users;
      }
    }

    private final OperandGraph graph;
    private final List<String> given;
    private final int leaves;
    private final List<List<String>> reads = new ArrayList<>();
    private final List<Integer> userCount = new ArrayList<>();
    private final Map<String, Integer> unscheduledUses = new HashMap<>();
    private final Map<String, Integer> maker = new HashMap<>();
    private final TreeSet<Key> queue =
        new TreeSet<>(
            Comparator.comparingLong(Key::gain)
                .thenComparingLong(Key::users)
                .thenComparingLong(Key::added));
    private final Key[] keyOf;
    private long added;

    ListScheduler(OperandGraph graph) {
      this.graph = graph;
      Set<String> leavesByName = new LinkedHashSet<>(graph.network().inputs());
      for (Tensor tensor : graph.network().tensors().values()) {
        if (graph.network().producer(tensor.name()) < 0) {
          leavesByName.add(tensor.name());
        }
      }
      this.given = List.copyOf(leavesByName);
      this.leaves = given.size();
      for (String tensor : given) {
        maker.put(tensor, reads.size());
        reads.add(List.of());
      }
      for (int k = 0; k < graph.size(); k++) {
        graph.op(k).presentOutputs().forEach(output -> maker.put(output, reads.size()));
        reads.add(graph.op(k).presentInputs().stream().distinct().toList());
        for (String input : reads.get(reads.size() - 1)) {
          unscheduledUses.merge(input, 1, Integer::sum);
        }
      }
      graph.network().outputs().forEach(output -> unscheduledUses.merge(output, 1, Integer::sum));
      Set<Integer> outputs = new HashSet<>(graph.outputProducers());
      for (int i = 0; i < reads.size(); i++) {
        userCount.add(
            i < leaves
                ? graph.readers(given.get(i)).size()
                : graph.users(i - leaves).size() + (outputs.contains(i - leaves) ? 1 : 0));
      }
      this.keyOf = new Key[reads.size()];
    }

    int[] order() {
      int[] open = new int[reads.size()];
      Arrays.setAll(open, i -> (int) reads.get(i).stream().map(maker::get).distinct().count());
      for (int i = 0; i < open.length; i++) {
        if (open[i] == 0) {
          add(i);
        }
      }
      int[] order = new int[graph.size()];
      int count = 0;
      while (!queue.isEmpty()) {
        int best = takeLast();
        if (best >= leaves) {
          order[count++] = best - leaves;
        }
        List<String> oneLeft = new ArrayList<>();
        for (String read : reads.get(best)) {
          if (unscheduledUses.merge(read, -1, Integer::sum) == 1) {
            oneLeft.add(read);
          }
        }
        for (int user : usersOf(best)) {
          if (--open[user] == 0) {
            add(user);
          }
        }
        renewUsers(best, oneLeft);
      }
      return order;
    }

    private List<Integer> usersOf(int instruction) {
      Set<Integer> ops =
          instruction >= leaves
              ? graph.users(instruction - leaves)
              : graph.readers(given.get(instruction));
      return ops.stream().map(k -> k + leaves).toList();
    }

    /**
     * Renews the keys of what is ready and reads an operand that has one use left: as XLA goes
     * through them, by an instruction's operands and their users.
     */
    private void renewUsers(int instruction, List<String> oneLeft) {
      List<String> operands = oneLeft.isEmpty() ? List.of() : reads.get(instruction);
      TreeSet<Long> users = new TreeSet<>(); // the first operand that each reads, and the user
      for (String read : oneLeft) {
        for (int reader : graph.readers(read)) {
          int user = leaves + reader;
          if (keyOf[user] != null) {
            int first = 0;
            while (!graph.readers(operands.get(first)).contains(reader)) {
              first++;
            }
            users.add(((long) first << 32) | user);
          }
        }
      }
      for (long firstAndUser : users) {
        int user = (int) firstAndUser;
        if (!keyOf[user].isLike(key(user))) {
          queue.remove(keyOf[user]);
          add(user);
        }
      }
    }

    private Key key(int instruction) {
      if (instruction < leaves) {
        return key(0, userCount.get(instruction), instruction);
      }
      Op op = graph.op(instruction - leaves);
      List<String> outputs = op.presentOutputs();
      if (outputs.size() == 1 && graph.network().tensor(outputs.get(0)).elements() == 1) {
        return key(Long.MAX_VALUE, Long.MAX_VALUE, instruction);
      }
      long freed = 0;
      for (String read : reads.get(instruction)) {
        if (maker.get(read) >= leaves && unscheduledUses.get(read) == 1) {
          freed += graph.bytes(read);
        }
      }
      long gain = freed - graph.made(instruction - leaves);
      return key(gain, userCount.get(instruction), instruction);
    }

    private Key key(long gain, long users, int instruction) {
      return new Key(gain, users, added++, instruction);
    }

    private void add(int instruction) {
      keyOf[instruction] = key(instruction);
      queue.add(keyOf[instruction]);
    }

    private int takeLast() {
      int instruction = queue.pollLast().instruction;
      keyOf[instruction] = null;
      return instruction;
    }
  }

  /**
   * Which of the three XLA keeps: the least estimated memory, live tensors at their own sizes, ties
   * in the order list, dfs, post-order.
   */
  public static int[] chosen(Network network) {
    XlaOrders xla = new XlaOrders(network);
    return Stream.of(list(network), depthFirst(network), postOrder(network))
        .min(Comparator.comparingLong(xla::estimate))
        .orElseThrow();
  }

  private long estimate(int[] order) {
    int[] place = IndexOrder.places(order, order.length);
    long[] change = new long[order.length + 1];
    Set<String> outputs = new HashSet<>(graph.network().outputs());
    for (int k : order) {
      for (String output : graph.op(k).presentOutputs()) {
        int last = place[k];
        for (int reader : graph.readers(output)) {
          last = Math.max(last, place[reader]);
        }
        boolean kept = outputs.contains(output);
        change[place[k]] += graph.bytes(output);
        change[kept ? order.length : last + 1] -= graph.bytes(output);
      }
    }
    long live = 0;
    long peak = 0;
    for (long by : change) {
      live += by;
      peak = Math.max(peak, live);
    }
    return peak;
  }
}

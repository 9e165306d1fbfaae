package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pairs of nodes of a program that may not share memory, by the three passes of OpenVINO's GPU
 * plugin.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/graph/graph_optimizer
 * (basic_memory_dependencies, skipped_branch_memory_dependencies, oooq_memory_dependencies) and
 * include/pass_manager.h. All three always run, one after the other, whatever the queue's type.
 * Nodes are numbered by processing order; constants are no nodes here.
 *
 * <ol>
 *   <li><b>basic</b>: in processing order, each node and each of its direct inputs keep each other
 *       apart; then all graph outputs made so far are added to the node's own set, for outputs stay
 *       to the end. That last rule is one-sided.
 *   <li><b>skipped branch</b>: for each node with users, every node strictly between it and its
 *       last user keeps apart from it. This is the rule of live ranges.
 *   <li><b>out of order</b>: (i) for a node of several inputs, and two of them i before j, i
 *       leading to j: i keeps apart from every user of j. (ii) Two nodes a before b keep apart if a
 *       does not lead to b, for then they may run at once; or if a has a user other than b that
 *       neither leads to b nor is led to by b, for it may still read a while b writes. The first
 *       node is never the a of rule (ii): the original's loop steps before it looks, and so does
 *       this.
 * </ol>
 *
 * <p><b>Nodes that are optimised out</b>, such as a reshape in place, own no memory. A restriction
 * against one is put down, and also handed up to its inputs, both ways, until it reaches those that
 * own the memory; except where the restricted node is optimised out itself.
 *
 * <p>Example: x → a, a → l, a → r, (l, r) → s. Basic: x-a, a-l, a-r, l-s, r-s. Skipped branch: l is
 * between a and its last user r, which basic has; r is between l and s: l-r. Out of order: l and r
 * do not lead to each other: l-r again; x has one user a, and a leads to l: nothing. Were there
 * another node between l and s it would keep apart from r, which in order it need not.
 *
 * <p>LoRA nodes, oneDNN's fused sums and nodes that are skipped only at run time are not modelled.
 * O(n² · users/64 + pairs) for n nodes.
 */
public final class RestrictionSets {
  /**
   * A primitive: its name for reports, the numbers of the nodes that it reads, as often as it reads
   * them, whether its result is in an input's memory, and whether it makes a graph output.
   */
  public record Node(String name, List<Integer> inputs, boolean optimizedOut, boolean output) {
    public Node {
      inputs = List.copyOf(inputs);
    }
  }

  /** The original's loop over the first of two nodes steps before it looks. */
  static final int FIRST_LOOKED_AT = 1;

  private final List<Node> nodes;
  private final List<Integer> outputs = new ArrayList<>();
  private final List<List<Integer>> users = new ArrayList<>();
  private final BitSet[] sets;
  private final BitSet optimizedOut = new BitSet();

  /** Nodes in processing order, without any restriction yet. */
  RestrictionSets(List<Node> nodes) {
    this.nodes = List.copyOf(nodes);
    this.sets = new BitSet[nodes.size()];
    for (int n = 0; n < sets.length; n++) {
      sets[n] = new BitSet();
      users.add(new ArrayList<>());
      optimizedOut.set(n, nodes.get(n).optimizedOut());
      if (nodes.get(n).output()) {
        outputs.add(n);
      }
    }
    for (int n = 0; n < sets.length; n++) {
      for (int input : nodes.get(n).inputs()) {
        if (!users.get(input).contains(n)) {
          users.get(input).add(n);
        }
      }
    }
  }

  /**
   * Runs passes on nodes in processing order, every input before its users; the first pass always.
   */
  public static RestrictionSets of(List<Node> nodes, GpuDevice.Passes passes) {
    RestrictionSets sets = new RestrictionSets(nodes);
    IntStream.range(0, nodes.size()).forEach(sets::addBasic);
    if (passes != GpuDevice.Passes.OUT_OF_ORDER) {
      IntStream.range(0, nodes.size()).forEach(sets::addSkippedBranch);
    }
    if (passes != GpuDevice.Passes.IN_ORDER) {
      sets.addOutOfOrder();
    }
    return sets;
  }

  /** The first pass's step for one node: direct inputs, and outputs made before. */
  void addBasic(int node) {
    nodes.get(node).inputs().forEach(input -> addBoth(node, input));
    for (int output : outputs) {
      if (output >= node) {
        return;
      }
      sets[node].set(output);
    }
  }

  /** The second pass's step for a node: what is processed while it waits for its last user. */
  void addSkippedBranch(int node) {
    int last = users.get(node).isEmpty() ? node : Collections.max(users.get(node));
    for (int between = node + 1; between < last; between++) {
      addBoth(node, between);
    }
  }

  /** The third pass: what may run at the same time. */
  void addOutOfOrder() {
    BitSet[] leadsTo = closure();
    BitSet[] before = before();
    for (int n = 0; n < sets.length; n++) {
      addUsersOfLaterInputs(n, leadsTo);
    }
    for (int a = FIRST_LOOKED_AT; a < sets.length; a++) {
      addIndependent(a, leadsTo, before);
    }
  }

  /** The third pass's rule (i) for one node. */
  void addUsersOfLaterInputs(int node, BitSet[] leadsTo) {
    int[] inputs = nodes.get(node).inputs().stream().mapToInt(i -> i).sorted().distinct().toArray();
    for (int j = 1; j < inputs.length; j++) {
      for (int i = 0; i < j; i++) {
        if (leadsTo[inputs[i]].get(inputs[j])) {
          for (int user : users.get(inputs[j])) {
            addBoth(user, inputs[i]);
          }
        }
      }
    }
  }

  /** The third pass's rule (ii) for one node and all later ones. O(users * n/64 + pairs). */
  void addIndependent(int node, BitSet[] leadsTo, BitSet[] before) {
    BitSet later = new BitSet();
    later.set(node + 1, sets.length);
    BitSet apart = (BitSet) later.clone();
    apart.andNot(leadsTo[node]);
    for (int user : users.get(node)) {
      BitSet independent = (BitSet) later.clone();
      independent.clear(user);
      independent.andNot(leadsTo[user]);
      independent.andNot(before[user]);
      apart.or(independent);
    }
    if (!optimizedOut.get(node)) { // what owns its memory hands nothing up
      BitSet owners = (BitSet) apart.clone();
      owners.andNot(optimizedOut);
      sets[node].or(owners);
      owners.stream().forEach(other -> sets[other].set(node));
      apart.and(optimizedOut);
    }
    apart.stream().forEach(other -> addBoth(node, other));
  }

  /** For each node those that it waits for, directly or not. */
  BitSet[] before() {
    BitSet[] before = new BitSet[sets.length];
    for (int n = 0; n < sets.length; n++) {
      before[n] = new BitSet();
      for (int input : nodes.get(n).inputs()) {
        before[n].set(input);
        before[n].or(before[input]);
      }
    }
    return before;
  }

  /** For each node those that wait for it, directly or not. */
  BitSet[] closure() {
    BitSet[] leadsTo = new BitSet[sets.length];
    for (int n = sets.length - 1; n >= 0; n--) {
      leadsTo[n] = new BitSet();
      for (int user : users.get(n)) {
        leadsTo[n].set(user);
        leadsTo[n].or(leadsTo[user]);
      }
    }
    return leadsTo;
  }

  private void addBoth(int one, int other) {
    add(one, other);
    add(other, one);
  }

  private void add(int node, int restricted) {
    if (node == restricted || sets[node].get(restricted)) {
      return;
    }
    sets[node].set(restricted);
    if (optimizedOut.get(restricted) && !optimizedOut.get(node)) {
      nodes.get(restricted).inputs().forEach(owner -> addBoth(node, owner));
    }
  }

  public List<Node> nodes() {
    return nodes;
  }

  /** The nodes that a node must not share with, without itself; a copy. */
  public BitSet of(int node) {
    return (BitSet) sets[node].clone();
  }

  /** Whether {@code other} is in the node's set; a node always restricts itself. */
  public boolean restricts(int node, int other) {
    return node == other || sets[node].get(other);
  }

  /**
   * The sets as the plugin prints them for those who debug it: one line a node, {@code primitive:
   * name(unique_id:3) restricted list: 1,2,}.
   */
  public List<String> text() {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < sets.length; n++) {
      StringBuilder line = new StringBuilder("primitive: ").append(nodes.get(n).name());
      line.append("(unique_id:").append(n).append(") restricted list: ");
      BitSet all = of(n);
      all.set(n);
      all.stream().forEach(other -> line.append(other).append(','));
      lines.add(line.toString());
    }
    return lines;
  }
}

package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * A planning case as the plugin's program: nodes in processing order, and which of them make and
 * use each buffer.
 *
 * <p>Graph inputs and variables are nodes without inputs, before all ops; constants are none. A
 * node whose result is in a buffer of one of its inputs is optimised out. The first node that makes
 * something of a buffer owns it. Scratch memory belongs to its op's node. An op runs on the CPU if
 * its attribute {@code device} says {@code cpu}, or its name or type is among those given.
 */
final class Program {
  private final PlanningCase given;
  private final List<RestrictionSets.Node> nodes = new ArrayList<>();
  private final Map<String, Integer> nodeOf = new HashMap<>();
  private final int[] owner;
  private final List<BitSet> makers = new ArrayList<>();

  /** By buffer, whether it goes past the pool, and whether it has a graph output. */
  final boolean[] apart;

  final boolean[] output;

  /** By buffer, the nodes that use its memory. */
  final BitSet[] users;

  /** By buffer, the nodes that it must not share with, its users among them. */
  final BitSet[] restricted;

  final RestrictionSets restrictions;
  private final GpuUse use;
  private final BitSet onCpu = new BitSet();

  /** The program of a case that has a network. O(n²) for its restrictions. */
  Program(PlanningCase given, GpuDevice.Passes passes, GpuUse use) {
    this.given = given;
    this.use = use;
    int buffers = given.problem().size();
    this.owner = new int[buffers];
    this.apart = new boolean[buffers];
    this.output = new boolean[buffers];
    this.users = new BitSet[buffers];
    this.restricted = new BitSet[buffers];
    addNodes();
    this.restrictions = RestrictionSets.of(nodes, passes);
    findApart();
    collectSets();
  }

  private void addNodes() {
    Network network = given.network();
    Map<String, Integer> bufferOf = given.bufferOf();
    for (int b = 0; b < owner.length; b++) {
      makers.add(new BitSet());
      owner[b] = -1;
    }
    Set<String> outputs = given.outputs();
    for (Tensor tensor : network.tensors().values()) {
      boolean input = network.inputs().contains(tensor.name());
      if (input || tensor.kind() == Tensor.Kind.VARIABLE) {
        addNode(tensor.name(), List.of(), List.of(tensor.name()), outputs, bufferOf);
      }
    }
    for (int index : given.order()) {
      Op op = network.ops().get(index);
      List<Integer> inputs =
          op.presentInputs().stream().map(nodeOf::get).filter(Objects::nonNull).toList();
      onCpu.set(nodes.size(), runsOnCpu(op));
      addNode(op.name(), inputs, op.presentOutputs(), outputs, bufferOf);
    }
  }

  private boolean runsOnCpu(Op op) {
    return use.onCpu().contains(op.name())
        || use.onCpu().contains(op.type())
        || op.text("device", "").equalsIgnoreCase("cpu");
  }

  /** Whether an op on the CPU makes a buffer, reads from it, or has it as scratch memory. */
  boolean touchesCpu(int buffer) {
    return isScratch(buffer)
        ? onCpu.get(scratchNode(buffer))
        : onCpu.intersects(makers.get(buffer))
            || onCpu.stream().anyMatch(node -> reads(node, buffer));
  }

  private void addNode(
      String name,
      List<Integer> inputs,
      List<String> results,
      Set<String> outputs,
      Map<String, Integer> bufferOf) {
    int node = nodes.size();
    boolean inPlace = false;
    for (String result : results) {
      Integer buffer = bufferOf.get(result);
      if (buffer != null) {
        for (int input : inputs) {
          inPlace |= makers.get(buffer).get(input);
        }
      }
    }
    for (String result : results) {
      Integer buffer = bufferOf.get(result);
      nodeOf.putIfAbsent(result, node);
      if (buffer != null) {
        makers.get(buffer).set(node);
        owner[buffer] = owner[buffer] < 0 ? node : owner[buffer];
      }
    }
    boolean isOutput = results.stream().anyMatch(outputs::contains);
    nodes.add(new RestrictionSets.Node(name, inputs, inPlace, isOutput));
  }

  /** Outputs, kept inputs and variables, and what is in a concat go past the pool. */
  private void findApart() {
    Network network = given.network();
    Set<String> outputs = given.outputs();
    boolean keep = given.options().inputs() == LivenessOptions.Inputs.KEEP;
    for (int b = 0; b < apart.length; b++) {
      for (PlanningCase.Part part : given.parts(b)) {
        int producer = network.producer(part.tensor());
        boolean kept =
            network.tensor(part.tensor()).kind() == Tensor.Kind.VARIABLE
                || (keep && network.inputs().contains(part.tensor()));
        boolean concat =
            producer >= 0
                && given.parts(b).size() > 1
                && OpTraits.of(network.ops().get(producer)) == OpTraits.CONCAT_LIKE;
        output[b] |= outputs.contains(part.tensor());
        apart[b] |= kept || concat || output[b];
      }
    }
  }

  /** Once for all buffers: they are asked for repeatedly. */
  private void collectSets() {
    for (int b = 0; b < apart.length; b++) {
      users[b] = (BitSet) makers.get(b).clone();
      if (isScratch(b)) {
        users[b].set(scratchNode(b));
      }
      restricted[b] = (BitSet) users[b].clone();
      BitSet all = restricted[b];
      users[b].stream().forEach(node -> all.or(restrictions.of(node)));
    }
  }

  /** Buffers of tensors by their owner's output 0, largest first, then in processing order. */
  List<Integer> allocatingOrder() {
    long[] key = new long[nodes.size()];
    for (int b = 0; b < owner.length; b++) {
      if (owner[b] >= 0 && key[owner[b]] == 0) {
        key[owner[b]] = bytes(b);
      }
    }
    return IntStream.range(0, owner.length)
        .filter(b -> owner[b] >= 0 && given.problem().buffer(b).needsMemory())
        .boxed()
        .sorted(
            Comparator.comparingLong((Integer b) -> -key[owner[b]]).thenComparingInt(b -> owner[b]))
        .toList();
  }

  /** Buffers of scratch memory in processing order. */
  List<Integer> scratch() {
    return IntStream.range(0, owner.length)
        .filter(this::isScratch)
        .boxed()
        .sorted(Comparator.comparingInt(this::scratchNode))
        .toList();
  }

  boolean isScratch(int buffer) {
    return given.isScratch(buffer);
  }

  private int scratchNode(int buffer) {
    return firstOp() + given.problem().buffer(buffer).live().start();
  }

  private int firstOp() {
    return nodes.size() - given.order().length;
  }

  int owner(int buffer) {
    return isScratch(buffer) ? scratchNode(buffer) : owner[buffer];
  }

  long bytes(int buffer) {
    return given.problem().buffer(buffer).size();
  }

  /** Bytes of all operands of a node, constants among them, each as often as it is read. */
  long inputBytes(int node) {
    return node < firstOp() ? 0 : sum(op(node).presentInputs());
  }

  long outputBytes(int node) {
    return node < firstOp()
        ? given.network().tensor(nodes.get(node).name()).bytes()
        : sum(op(node).presentOutputs());
  }

  private Op op(int node) {
    return given.network().ops().get(given.order()[node - firstOp()]);
  }

  private long sum(List<String> tensors) {
    return tensors.stream()
        .mapToLong(tensor -> given.network().tensor(tensor).bytes())
        .reduce(0, Math::addExact);
  }

  boolean reads(int node, int buffer) {
    return nodes.get(node).inputs().stream().anyMatch(makers.get(buffer)::get);
  }

  boolean makes(int node, int buffer) {
    return makers.get(buffer).get(node);
  }

  String name(int node) {
    return nodes.get(node).name();
  }

  int nodeCount() {
    return nodes.size();
  }

  /**
   * Constants as the plugin moves them to the device: by the first node that reads them, then as
   * they are in the file. Those that no op reads, or one on the CPU does, are not among them.
   */
  List<Tensor> constantsToMove() {
    Set<String> found = new LinkedHashSet<>();
    Set<String> kept = new HashSet<>();
    for (int index : given.order()) {
      Op op = given.network().ops().get(index);
      found.addAll(op.presentInputs());
      kept.addAll(runsOnCpu(op) ? op.presentInputs() : List.of());
    }
    found.removeAll(kept);
    return found.stream().map(given.network()::tensor).filter(Tensor::isWeight).toList();
  }
}

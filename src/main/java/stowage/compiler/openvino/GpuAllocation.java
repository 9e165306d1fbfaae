package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Who allocates what, where and in which order in OpenVINO's GPU plugin.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/graph (network.cpp,
 * primitive_inst.cpp, allocation_order.hpp, program.cpp).
 *
 * <ol>
 *   <li>Constants are created on the host, one after the other, and then moved: each that has users
 *       is allocated on the device and its host copy given back. They are shared by all streams.
 *   <li>For each stream, a network with a pool of its own: the outputs of all nodes, by the bytes
 *       of output 0 descending, of equal ones in processing order.
 *   <li>Nodes that are optimised out take an input's memory: nothing is allocated.
 *   <li>Scratch memory in processing order, through the same pool with its node's restrictions.
 * </ol>
 *
 * <p><b>Past the pool</b> go graph outputs, and what shares a buffer through a concat in place: its
 * inputs may not be shared further, and the concat owns the buffer (which node does is a guess).
 * <b>Type</b>: without shared memory {@code cl_mem}; graph outputs {@code usm_host}, for the host
 * reads them; a node whose inputs together exceed the device's memory {@code usm_host} too; all
 * else {@code usm_device}. Scratch goes to the device if it fits beside the inputs and outputs that
 * lie there and some input does; else to the host. An allocation larger than the device allows is
 * refused: there is no fallback.
 *
 * <p>What is in place is what the case has in place. A buffer of several nodes is requested with
 * the restrictions of all of them. Layouts are plain and without padding, since the networks here
 * have none; {@link MemoryPool} knows both.
 */
public final class GpuAllocation {
  private final PlanningCase given;
  private final GpuDevice device;
  private final List<RestrictionSets.Node> nodes = new ArrayList<>();
  private final Map<String, Integer> nodeOf = new HashMap<>();
  private final int[] bufferOwner;
  private final List<BitSet> bufferNodes = new ArrayList<>();
  private final boolean[] apart;
  private final BitSet[] users;
  private final BitSet[] restricted;
  private final RestrictionSets restrictions;
  private final AllocationHistory history = new AllocationHistory();
  private final AllocationType[] types;
  private final int[] firstStreamObject;
  private final List<Long> objects = new ArrayList<>();

  private GpuAllocation(PlanningCase given, GpuDevice device) {
    this.given = given;
    this.device = device;
    int buffers = given.problem().size();
    this.bufferOwner = new int[buffers];
    this.apart = new boolean[buffers];
    this.types = new AllocationType[buffers];
    this.firstStreamObject = new int[buffers];
    this.users = new BitSet[buffers];
    this.restricted = new BitSet[buffers];
    addNodes();
    this.restrictions = RestrictionSets.of(nodes);
    findApart();
    collectSets();
  }

  /**
   * Allocates a network's memory.
   *
   * @param streams networks that run side by side over one set of constants, 1 or more
   * @throws NotPlannableException without a network, or when an allocation exceeds the device's
   *     limit
   */
  public static GpuAllocation of(PlanningCase given, GpuDevice device, int streams) {
    if (!given.hasNetwork()) {
      throw new NotPlannableException(
          "openvino needs a graph: which buffers may share follows from its nodes");
    }
    GpuAllocation allocation = new GpuAllocation(given, device);
    allocation.allocateConstants();
    for (int stream = 0; stream < streams; stream++) {
      allocation.allocateNetwork(stream == 0);
    }
    return allocation;
  }

  private void addNodes() {
    Network network = given.network();
    Map<String, Integer> bufferOf = new HashMap<>();
    for (int b = 0; b < given.contents().size(); b++) {
      bufferNodes.add(new BitSet());
      bufferOwner[b] = -1;
      for (PlanningCase.Part part : given.contents().get(b).parts()) {
        bufferOf.put(part.tensor(), b);
      }
    }
    Set<String> outputs = new HashSet<>(network.outputs());
    for (Tensor tensor : network.tensors().values()) {
      boolean given = network.inputs().contains(tensor.name());
      if (given || tensor.kind() == Tensor.Kind.VARIABLE) {
        addNode(tensor.name(), List.of(), List.of(tensor.name()), outputs, bufferOf);
      }
    }
    for (int index : given.order()) {
      Op op = network.ops().get(index);
      List<Integer> inputs = new ArrayList<>();
      for (String tensor : op.presentInputs()) {
        if (nodeOf.containsKey(tensor)) {
          inputs.add(nodeOf.get(tensor));
        }
      }
      addNode(op.name(), inputs, op.presentOutputs(), outputs, bufferOf);
    }
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
          inPlace |= bufferNodes.get(buffer).get(input);
        }
      }
    }
    for (String result : results) {
      Integer buffer = bufferOf.get(result);
      nodeOf.putIfAbsent(result, node);
      if (buffer != null) {
        bufferNodes.get(buffer).set(node);
        bufferOwner[buffer] = bufferOwner[buffer] < 0 ? node : bufferOwner[buffer];
      }
    }
    boolean output = results.stream().anyMatch(outputs::contains);
    nodes.add(new RestrictionSets.Node(name, inputs, inPlace, output));
  }

  /** Outputs, kept inputs and variables, and what lies in a concat go past the pool. */
  private void findApart() {
    Network network = given.network();
    Set<String> outputs = new HashSet<>(network.outputs());
    boolean keep = given.options().inputs() == LivenessOptions.Inputs.KEEP;
    for (int b = 0; b < apart.length; b++) {
      for (PlanningCase.Part part : given.contents().get(b).parts()) {
        int producer = network.producer(part.tensor());
        boolean kept =
            network.tensor(part.tensor()).kind() == Tensor.Kind.VARIABLE
                || (keep && network.inputs().contains(part.tensor()));
        boolean concat =
            producer >= 0
                && given.contents().get(b).parts().size() > 1
                && OpTraits.of(network.ops().get(producer)) == OpTraits.CONCAT_LIKE;
        apart[b] |= kept || concat || outputs.contains(part.tensor());
      }
    }
  }

  private void allocateConstants() {
    Set<String> read = new HashSet<>();
    given.network().ops().forEach(op -> read.addAll(op.presentInputs()));
    AllocationType created =
        device.sharedMemory() ? AllocationType.USM_HOST : AllocationType.CL_MEM;
    List<Tensor> constants =
        given.network().tensors().values().stream().filter(Tensor::isWeight).toList();
    for (Tensor constant : constants) {
      allocate(constant.bytes(), created);
    }
    for (Tensor constant : constants) {
      if (device.sharedMemory() && read.contains(constant.name())) {
        allocate(constant.bytes(), AllocationType.USM_DEVICE);
        history.free(constant.bytes(), created);
      }
    }
  }

  private void allocate(long bytes, AllocationType type) {
    if (bytes > device.largestAllocation()) {
      throw new NotPlannableException(
          "openvino cannot allocate "
              + bytes
              + " bytes at once; the device allows "
              + device.largestAllocation());
    }
    history.allocate(bytes, type);
  }

  private void allocateNetwork(boolean first) {
    MemoryPool pool = new MemoryPool();
    List<Long> sizes = first ? objects : new ArrayList<>();
    Map<Integer, Integer> objectOfEntry = new HashMap<>();
    for (int b : order()) {
      request(b, typeOf(b), pool, sizes, objectOfEntry, first);
    }
    for (int b = 0; b < apart.length; b++) {
      if (isScratch(b)) {
        request(b, scratchType(b), pool, sizes, objectOfEntry, first);
      }
    }
  }

  /** Buffers of tensors by their owner's output 0, largest first, then in processing order. */
  private List<Integer> order() {
    long[] key = new long[nodes.size()];
    for (int b = 0; b < apart.length; b++) {
      int owner = bufferOwner[b];
      if (owner >= 0 && key[owner] == 0) {
        key[owner] = given.problem().buffer(b).size();
      }
    }
    List<Integer> found = new ArrayList<>();
    for (int b = 0; b < apart.length; b++) {
      if (bufferOwner[b] >= 0 && given.problem().buffer(b).needsMemory()) {
        found.add(b);
      }
    }
    found.sort(
        Comparator.comparingLong((Integer b) -> -key[bufferOwner[b]])
            .thenComparingInt(b -> bufferOwner[b]));
    return found;
  }

  private boolean isScratch(int buffer) {
    return given.contents().get(buffer).parts().isEmpty()
        && given.problem().buffer(buffer).needsMemory();
  }

  private int scratchNode(int buffer) {
    int inputs = nodes.size() - given.order().length;
    return inputs + given.problem().buffer(buffer).live().start();
  }

  private void request(
      int buffer,
      AllocationType type,
      MemoryPool pool,
      List<Long> sizes,
      Map<Integer, Integer> objectOfEntry,
      boolean first) {
    long bytes = given.problem().buffer(buffer).size();
    types[buffer] = type;
    int object;
    if (apart[buffer]) {
      allocate(bytes, type);
      object = sizes.size();
      sizes.add(bytes);
    } else {
      int before = pool.entries().size();
      MemoryPool.Entry entry =
          pool.get(MemoryPool.Layout.ofBytes(bytes), type, users[buffer], restricted[buffer]);
      if (pool.entries().size() > before) {
        allocate(bytes, type);
        objectOfEntry.put(entry.number(), sizes.size());
        sizes.add(bytes);
      }
      object = objectOfEntry.get(entry.number());
    }
    if (first) {
      firstStreamObject[buffer] = object;
    }
  }

  /** Once for all buffers: they are asked for again and again. */
  private void collectSets() {
    for (int b = 0; b < apart.length; b++) {
      users[b] = usersOf(b);
      restricted[b] = (BitSet) users[b].clone();
      BitSet all = restricted[b];
      users[b].stream().forEach(node -> all.or(restrictions.of(node)));
    }
  }

  private BitSet usersOf(int buffer) {
    BitSet users = (BitSet) bufferNodes.get(buffer).clone();
    if (isScratch(buffer)) {
      users.set(scratchNode(buffer));
    }
    return users;
  }

  private AllocationType typeOf(int buffer) {
    if (!device.sharedMemory()) {
      return AllocationType.CL_MEM;
    }
    Set<String> outputs = new HashSet<>(given.network().outputs());
    boolean output =
        given.contents().get(buffer).parts().stream()
            .anyMatch(part -> outputs.contains(part.tensor()));
    return output || inputBytes(bufferOwner[buffer]) > device.globalBytes()
        ? AllocationType.USM_HOST
        : AllocationType.USM_DEVICE;
  }

  private long inputBytes(int node) {
    long bytes = 0;
    int op = node - (nodes.size() - given.order().length);
    if (op >= 0) {
      for (String input : given.network().ops().get(given.order()[op]).presentInputs()) {
        bytes += given.network().tensor(input).bytes();
      }
    }
    return bytes;
  }

  private AllocationType scratchType(int buffer) {
    if (!device.sharedMemory()) {
      return AllocationType.CL_MEM;
    }
    int node = scratchNode(buffer);
    long used = 0;
    boolean inputOnDevice = false;
    for (int b = 0; b < apart.length; b++) {
      if (types[b] == AllocationType.USM_DEVICE && !isScratch(b)) {
        BitSet members = bufferNodes.get(b);
        boolean input = nodes.get(node).inputs().stream().anyMatch(members::get);
        inputOnDevice |= input;
        used += input || members.get(node) ? given.problem().buffer(b).size() : 0;
      }
    }
    long size = given.problem().buffer(buffer).size();
    return inputOnDevice && device.globalBytes() - used >= size
        ? AllocationType.USM_DEVICE
        : AllocationType.USM_HOST;
  }

  /** Which nodes may not share. */
  public RestrictionSets restrictions() {
    return restrictions;
  }

  /** All allocations in order, with the figures of each type. */
  public AllocationHistory history() {
    return history;
  }

  /** Sizes of one stream's allocations without the constants, in order. */
  public List<Long> objects() {
    return List.copyOf(objects);
  }

  /** The allocation, by its place in {@link #objects()}, that a buffer has in the first stream. */
  public int object(int buffer) {
    return firstStreamObject[buffer];
  }

  /** Where a buffer lies; null where it needs no memory. */
  public AllocationType type(int buffer) {
    return types[buffer];
  }

  /**
   * Whether the plugin keeps two buffers apart: either goes past the pool, their types differ, or a
   * node of one stands in the set of a node of the other.
   */
  public boolean keepsApart(int one, int other) {
    return apart[one]
        || apart[other]
        || types[one] != types[other]
        || restricted[one].intersects(users[other])
        || restricted[other].intersects(users[one]);
  }
}

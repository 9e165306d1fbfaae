package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.network.PoolDump;
import stowage.network.Tensor;

/**
 * Who allocates what, where and in which order in OpenVINO's GPU plugin.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/graph (network.cpp,
 * primitive_inst.cpp, allocation_order.hpp, program.cpp).
 *
 * <ol>
 *   <li>What the application holds in host memory before it loads the network ({@link
 *       GpuUse#hostTensors}).
 *   <li>Constants are created on the host, one after the other, and then moved: each that has users
 *       is allocated on the device and its host copy given back, in the order in which they are
 *       first read (a guess: the original says processing order). One that an op on the CPU reads
 *       stays where it is (program_node::need_lockable_memory). They are shared by all streams.
 *   <li>For each stream, a network with a pool of its own: the outputs of all nodes, by the bytes
 *       of output 0 descending, of equal ones in processing order.
 *   <li>Nodes that are optimised out take an input's memory: nothing is allocated.
 *   <li>Scratch memory in processing order, through the same pool with its node's restrictions.
 *   <li>For each infer request a host tensor of every graph input and output
 *       (sync_infer_request.cpp).
 * </ol>
 *
 * <p><b>Past the pool</b> go graph outputs, and what shares a buffer through a concat in place: its
 * inputs may not be shared further, and the concat owns the buffer (which node does is a guess).
 * <b>Type</b>: without shared memory {@code cl_mem}; graph outputs, and what ops on the CPU make or
 * read, are where the host reads them ({@link GpuDevice#lockable}, {@code usm_host} as a rule); so
 * is the result of a node whose operands and results together exceed the device's memory ({@link
 * GpuDevice.KernelSum}); all else is {@code usm_device}. Scratch goes to the device if it fits
 * alongside the inputs and outputs that are there and some input does; else to the host. An
 * allocation larger than the device allows is refused: there is no fallback.
 *
 * <p>What is in place is what the case has in place. A buffer of several nodes is requested with
 * the restrictions of all of them. Layouts are plain and without padding, since the networks here
 * have none. That all allocations together exceed what host and device have is not looked at: the
 * plugin only warns of it, or stops.
 */
public final class GpuAllocation {
  private final PlanningCase given;
  private final GpuDevice device;
  private final GpuUse use;
  private final Program program;
  private final AllocationHistory history = new AllocationHistory();
  private final AllocationType[] types;
  private final int[] firstStreamObject;

  /** By buffer how many requests of the first stream came before its own. */
  private final int[] requested;

  private int requests;
  private final List<Long> objects = new ArrayList<>();
  private long constantBytes;

  private GpuAllocation(PlanningCase given, GpuDevice device, GpuUse use) {
    this.given = given;
    this.device = device;
    this.use = use;
    this.program = new Program(given, device.passes(), use);
    int buffers = given.problem().size();
    this.types = new AllocationType[buffers];
    this.firstStreamObject = new int[buffers];
    this.requested = new int[buffers];
  }

  /**
   * Allocates a network's memory.
   *
   * @throws NotPlannableException without a network, or when an allocation exceeds the device's
   *     limit
   */
  public static GpuAllocation of(PlanningCase given, GpuDevice device, GpuUse use) {
    if (!given.hasNetwork()) {
      throw new NotPlannableException(
          "openvino needs a graph: which buffers may share follows from its nodes");
    }
    GpuAllocation allocation = new GpuAllocation(given, device, use);
    use.hostTensors().forEach(bytes -> allocation.allocate(bytes, allocation.lockable()));
    allocation.allocateConstants();
    for (int stream = 0; stream < use.streams(); stream++) {
      allocation.allocateNetwork(stream == 0);
    }
    allocation.allocateRequests();
    return allocation;
  }

  /** Without shared memory the plugin takes the application's own pointers. */
  private void allocateRequests() {
    List<String> tensors = new ArrayList<>(given.network().inputs());
    tensors.addAll(given.network().outputs());
    for (int request = 0; device.sharedMemory() && request < use.requests(); request++) {
      for (String tensor : tensors) {
        allocate(given.network().tensor(tensor).bytes(), device.lockable());
      }
    }
  }

  private AllocationType lockable() {
    return device.sharedMemory() ? device.lockable() : AllocationType.CL_MEM;
  }

  private void allocateConstants() {
    AllocationType created = lockable();
    for (Tensor tensor : given.network().tensors().values()) {
      if (tensor.isWeight()) {
        allocate(tensor.bytes(), created);
        constantBytes = Math.addExact(constantBytes, tensor.bytes());
      }
    }
    if (device.sharedMemory()) {
      for (Tensor constant : program.constantsToMove()) {
        allocate(constant.bytes(), AllocationType.USM_DEVICE);
        history.free(constant.bytes(), created);
      }
    }
  }

  private void allocate(long bytes, AllocationType type) {
    if (bytes > device.largestAllocation()) {
      String what = "openvino cannot allocate %s bytes at once; the device allows %s";
      throw new NotPlannableException(what.formatted(bytes, device.largestAllocation()));
    }
    history.allocate(bytes, type);
  }

  private void allocateNetwork(boolean first) {
    MemoryPool pool = new MemoryPool();
    List<Long> sizes = first ? objects : new ArrayList<>();
    Map<Integer, Integer> objectOfEntry = new HashMap<>();
    for (int b : program.allocatingOrder()) {
      request(b, typeOf(b), pool, sizes, objectOfEntry, first);
    }
    program.scratch().forEach(b -> request(b, scratchType(b), pool, sizes, objectOfEntry, first));
  }

  private void request(
      int buffer,
      AllocationType type,
      MemoryPool pool,
      List<Long> sizes,
      Map<Integer, Integer> objectOfEntry,
      boolean first) {
    long bytes = program.bytes(buffer);
    types[buffer] = type;
    int object;
    if (program.apart[buffer]) {
      allocate(bytes, type);
      object = sizes.size();
      sizes.add(bytes);
    } else {
      int before = pool.size();
      MemoryPool.Entry entry =
          pool.get(bytes, type, program.users[buffer], program.restricted[buffer]);
      if (pool.size() > before) {
        allocate(bytes, type);
        objectOfEntry.put(entry.number(), sizes.size());
        sizes.add(bytes);
      }
      object = objectOfEntry.get(entry.number());
    }
    if (first) {
      firstStreamObject[buffer] = object;
      requested[buffer] = requests++;
    }
  }

  private AllocationType typeOf(int buffer) {
    if (!device.sharedMemory()) {
      return AllocationType.CL_MEM;
    }
    int node = program.owner(buffer);
    long kernel = program.inputBytes(node);
    if (device.kernelSum() == GpuDevice.KernelSum.INPUTS_AND_OUTPUTS) {
      kernel = Math.addExact(kernel, program.outputBytes(node));
    }
    return program.output[buffer] || program.touchesCpu(buffer) || kernel > device.globalBytes()
        ? device.lockable()
        : AllocationType.USM_DEVICE;
  }

  private AllocationType scratchType(int buffer) {
    if (!device.sharedMemory()) {
      return AllocationType.CL_MEM;
    }
    int node = program.owner(buffer);
    long used = 0;
    boolean inputOnDevice = false;
    for (int b = 0; b < types.length; b++) {
      if (types[b] == AllocationType.USM_DEVICE && !program.isScratch(b)) {
        boolean input = program.reads(node, b);
        inputOnDevice |= input;
        used += input || program.makes(node, b) ? program.bytes(b) : 0;
      }
    }
    return inputOnDevice
            && !program.touchesCpu(buffer)
            && device.globalBytes() - used >= program.bytes(buffer)
        ? AllocationType.USM_DEVICE
        : device.lockable();
  }

  /** Which nodes may not share. */
  public RestrictionSets restrictions() {
    return program.restrictions;
  }

  /** All allocations in order, with the figures of each type. */
  public AllocationHistory history() {
    return history;
  }

  /** Bytes of all constants, which every stream reads. */
  public long constantBytes() {
    return constantBytes;
  }

  /** The number of networks that run side by side over one set of constants. */
  public int streams() {
    return use.streams();
  }

  /** Sizes of one stream's allocations without the constants, in order. */
  public List<Long> objects() {
    return List.copyOf(objects);
  }

  /** The sum of these sizes. */
  public long objectBytes() {
    return objects.stream().mapToLong(Long::longValue).sum();
  }

  /** The allocation, by its place in {@link #objects()}, that a buffer has in the first stream. */
  public int object(int buffer) {
    return firstStreamObject[buffer];
  }

  /** Where a buffer is; null where it needs no memory. */
  public AllocationType type(int buffer) {
    return types[buffer];
  }

  /**
   * By buffer those, requested no later, that the plugin keeps apart from it: either goes past the
   * pool, their types differ, or a node of the earlier one is in the set of a node of the other.
   * Sets are not symmetric: a later node restricts earlier graph outputs, whose scratch memory is
   * requested after all results and may share with the later node. O(nodes) a buffer.
   */
  public IntFunction<BitSet> earlierApart() {
    Map<Integer, List<Integer>> using = new HashMap<>();
    Map<AllocationType, BitSet> alike = new HashMap<>();
    BitSet always = new BitSet();
    for (int b = 0; b < types.length; b++) {
      int buffer = b;
      program.users[b].stream()
          .forEach(node -> using.computeIfAbsent(node, absent -> new ArrayList<>()).add(buffer));
      alike.computeIfAbsent(types[b], absent -> new BitSet()).set(b);
      always.set(b, program.apart[b]);
    }
    return buffer -> {
      BitSet found = new BitSet();
      found.set(0, types.length);
      if (!program.apart[buffer]) {
        found.andNot(alike.get(types[buffer]));
        found.or(always);
        program.restricted[buffer].stream()
            .forEach(node -> using.getOrDefault(node, List.of()).forEach(found::set));
      }
      found.clear(buffer);
      found.stream().filter(other -> requested[other] > requested[buffer]).forEach(found::clear);
      return found;
    };
  }

  /**
   * The first stream's pool as the plugin dumps it. Addresses are made up: the allocations stand
   * one after the other, each at a multiple of 4096.
   */
  public PoolDump dump() {
    long[] address = new long[objects.size()];
    long next = 0x10000;
    for (int k = 0; k < address.length; k++) {
      address[k] = next;
      next = (Math.addExact(next, objects.get(k)) + 4095) / 4096 * 4096;
    }
    List<PoolDump.User> users = new ArrayList<>();
    for (int b = 0; b < types.length; b++) {
      if (types[b] != null) {
        int object = firstStreamObject[b];
        users.add(
            new PoolDump.User(
                program.apart[b] ? PoolDump.NOT_REUSED : PoolDump.PLAIN,
                "",
                "0x" + Long.toHexString(address[object]),
                types[b].label(),
                objects.get(object),
                program.name(program.owner(b)),
                program.owner(b),
                program.bytes(b)));
      }
    }
    return new PoolDump(users);
  }
}

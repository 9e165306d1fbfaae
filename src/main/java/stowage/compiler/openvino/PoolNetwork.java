package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.liveness.PlanningCase;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.PoolDump;
import stowage.network.Tensor;
import stowage.packing.LiveRange;

/**
 * A network as a pool's dump names its parts, and what its liveness says of two users.
 *
 * <p>The plugin calls a primitive by its type and the op's name, {@code convolution:conv1}; a graph
 * input {@code parameter:x}. A use may be any result of the op, or its scratch memory: those that
 * take exactly the bytes asked for, if there are some, else those that take no more. Networks of 32
 * or 64 bit floats run in 16 bits by default, so half as much, or a quarter, is enough for them.
 */
final class PoolNetwork {
  private static final long HALF_FLOAT_BYTES = 2;

  private record Candidate(int buffer, long bytes, long leastBytes) {}

  private final PlanningCase given;
  private final Program program;
  private final Map<String, List<Candidate>> candidates = new HashMap<>();
  private final Map<String, Integer> nodes = new HashMap<>();

  PoolNetwork(PlanningCase given) {
    this.given = given;
    this.program = new Program(given, GpuDevice.Passes.ALL, GpuUse.ofStreams(1));
    Network network = given.network();
    Map<String, Integer> bufferOf = given.bufferOf();
    for (int n = 0; n < program.nodeCount(); n++) {
      nodes.put(program.name(n), n);
    }
    network.inputs().forEach(input -> add(input, network.tensor(input), bufferOf));
    for (Op op : network.ops()) {
      candidates.computeIfAbsent(op.name(), none -> new ArrayList<>());
      op.presentOutputs().forEach(output -> add(op.name(), network.tensor(output), bufferOf));
    }
    for (int buffer : program.scratch()) {
      long bytes = program.bytes(buffer);
      candidates.get(program.name(program.owner(buffer))).add(new Candidate(buffer, bytes, 0));
    }
  }

  private void add(String name, Tensor tensor, Map<String, Integer> bufferOf) {
    Integer buffer = bufferOf.get(tensor.name());
    if (buffer != null) {
      long least = tensor.bytes();
      if (tensor.type() == ElementType.F32 || tensor.type() == ElementType.F64) {
        least = tensor.elements() * HALF_FLOAT_BYTES;
      }
      candidates
          .computeIfAbsent(name, none -> new ArrayList<>())
          .add(new Candidate(buffer, tensor.bytes(), least));
    }
  }

  private String nameOf(PoolDump.User user) {
    String name = user.primitive();
    if (!candidates.containsKey(name)) {
      name = name.substring(name.indexOf(':') + 1);
    }
    return candidates.containsKey(name) ? name : null;
  }

  boolean knows(PoolDump.User user) {
    return nameOf(user) != null;
  }

  /** What a user needs at the least; 0 where that is not known. */
  long leastBytes(PoolDump.User user) {
    String name = nameOf(user);
    return name == null
        ? 0
        : candidates.get(name).stream().mapToLong(Candidate::leastBytes).min().orElse(0);
  }

  private List<Candidate> candidatesOf(PoolDump.User user) {
    String name = nameOf(user);
    List<Candidate> all = name == null ? List.of() : candidates.get(name);
    List<Candidate> exact =
        all.stream()
            .filter(one -> one.bytes() == user.bytes() || one.leastBytes() == user.bytes())
            .toList();
    return exact.isEmpty()
        ? all.stream().filter(one -> one.leastBytes() <= user.bytes()).toList()
        : exact;
  }

  /**
   * Why two users must not share, whichever of their ops they represent; null where they may, or
   * where it is not known.
   */
  String conflict(PoolDump.User one, PoolDump.User other) {
    String why = null;
    for (Candidate a : candidatesOf(one)) {
      for (Candidate b : candidatesOf(other)) {
        why = conflict(a.buffer(), b.buffer());
        if (why == null) {
          return null;
        }
      }
    }
    return why;
  }

  private String conflict(int a, int b) {
    if (a == b) {
      return null;
    }
    LiveRange one = given.problem().buffer(a).live();
    LiveRange other = given.problem().buffer(b).live();
    if (one.overlaps(other)) {
      return "and are both alive at step " + Math.max(one.start(), other.start());
    }
    return given.problem().conflicts().contains(a, b) ? "and may be in use at once" : null;
  }

  /** Whether the plugin's passes keep two users apart. */
  boolean restricts(PoolDump.User one, PoolDump.User other) {
    String first = nameOf(one);
    String second = nameOf(other);
    if (first == null || second == null) {
      return false;
    }
    int a = nodes.get(first);
    int b = nodes.get(second);
    return program.restrictions.restricts(a, b) || program.restrictions.restricts(b, a);
  }
}

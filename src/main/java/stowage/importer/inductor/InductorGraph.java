package stowage.importer.inductor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * A scheduler's nodes and buffers as a network of ops over tensors of bytes.
 *
 * <p>A node becomes an op that reads what its buffers depend on. <b>Several results.</b> Where a
 * kernel has several, Inductor's estimate lets its own buffer allocate the sum and free nothing,
 * and the buffers of the nodes that pick the results allocate nothing and free their own. Here the
 * kernel's op makes all the results, its own buffer being what is left of the sum; the picking op
 * reads its result and makes a mark of no bytes, which the readers wait for. So the live bytes
 * after each op are those of the estimate, in every order.
 *
 * <p>Example: k allocates 12 and frees 0; a and b, which depend on it, free 8 and 4. The op of k
 * makes k (0 bytes), a (8) and b (4). The op of a reads k and a; who reads a waits for it.
 *
 * <p>Otherwise a buffer takes the larger of what it allocates and frees. O(nodes + dependencies).
 */
final class InductorGraph {
  /** A node of the scheduler: its name and the buffers it makes. */
  record Node(String name, List<String> made) {}

  /** A buffer: bytes allocated when made and freed after the last use; what its node reads. */
  record Buffer(
      String name,
      long allocated,
      long freed,
      boolean input,
      boolean output,
      List<String> dependencies) {}

  private static final String MARK = "#made";
  private static final String OP_TYPE = "Kernel";

  private final List<Node> nodes;
  private final Map<String, Buffer> buffers;
  private final Set<String> parts = new HashSet<>();
  private final Map<String, List<String>> partsOf = new HashMap<>();

  /** A graph in which every buffer that is no input is made by one node. */
  InductorGraph(List<Node> nodes, Map<String, Buffer> buffers) {
    this.nodes = nodes;
    this.buffers = buffers;
    for (Buffer buffer : buffers.values()) {
      if (!buffer.input() && buffer.allocated() == 0 && buffer.freed() > 0) {
        findWhole(buffer);
      }
    }
  }

  private void findWhole(Buffer part) {
    for (String name : part.dependencies()) {
      Buffer whole = buffers.get(name);
      if (whole != null && whole.allocated() > 0 && whole.freed() == 0) {
        parts.add(part.name());
        partsOf.computeIfAbsent(name, none -> new ArrayList<>()).add(part.name());
        return;
      }
    }
  }

  Network network(String name) {
    List<Tensor> tensors = new ArrayList<>();
    List<String> inputs = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    for (Buffer buffer : buffers.values()) {
      tensors.add(bytes(buffer.name(), bytes(buffer)));
      if (parts.contains(buffer.name())) {
        tensors.add(bytes(buffer.name() + MARK, 0));
      }
      if (buffer.input()) {
        inputs.add(buffer.name());
      }
      if (buffer.output()) {
        outputs.add(buffer.name());
      }
    }
    List<Op> ops = nodes.stream().map(this::op).toList();
    return new Network(name, "inductor", tensors, ops, inputs, outputs, List.of());
  }

  private long bytes(Buffer buffer) {
    List<String> own = partsOf.get(buffer.name());
    if (own != null) {
      LongStream freed = own.stream().mapToLong(part -> buffers.get(part).freed());
      return Math.max(0, buffer.allocated() - freed.reduce(0, Math::addExact));
    }
    return Math.max(buffer.allocated(), buffer.freed());
  }

  private static Tensor bytes(String name, long bytes) {
    return new Tensor(name, List.of(bytes), ElementType.U8, Tensor.Kind.ACTIVATION);
  }

  private Op op(Node node) {
    List<String> made = new ArrayList<>();
    Set<String> read = new LinkedHashSet<>();
    for (String name : node.made()) {
      for (String needed : buffers.get(name).dependencies()) {
        if (buffers.containsKey(needed) && !node.made().contains(needed)) {
          read.add(needed);
          if (parts.contains(needed)) {
            read.add(needed + MARK);
          }
        }
      }
      if (parts.contains(name)) {
        read.add(name);
        made.add(name + MARK);
      } else {
        made.add(name);
      }
      made.addAll(partsOf.getOrDefault(name, List.of()));
    }
    return new Op(node.name(), OP_TYPE, Map.of(), List.copyOf(read), made, 0);
  }
}

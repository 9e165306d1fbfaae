package stowage.importer.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.network.InvalidNetworkException;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/** A kernel graph while its file is read: nodes and edges by the file's numbers, checked late. */
final class KernelGraphBuilder {
  /** Maker of an error that names the place in the file. */
  @FunctionalInterface
  interface FaultAt {
    InputException of(String what);
  }

  /** {@code around}: indices of the buffers that an edge from an ALLOC or to a FREE names. */
  private record Operation(
      String op,
      String pipe,
      long cycles,
      List<Integer> uses,
      Set<Integer> around,
      FaultAt faults) {}

  /** A buffer of the number that it has in the graph. */
  private static final class Draft {
    private final int index;
    private boolean backed;
    private long size;
    private String cache;
    private int alloc = -1;
    private int free = -1;

    Draft(int index) {
      this.index = index;
    }
  }

  private final Object[] nodes;
  private final Map<Integer, Draft> buffers = new LinkedHashMap<>();
  private int[] from = new int[1024];
  private int[] to = new int[1024];
  private int edges;

  KernelGraphBuilder(int count) {
    nodes = new Object[count];
  }

  private void put(int id, Object node, FaultAt faults) {
    if (id >= nodes.length) {
      throw faults.of(
          "node id " + id + " should be below " + nodes.length + ", the number of nodes");
    }
    if (nodes[id] != null) {
      throw faults.of("node id " + id + " is defined twice");
    }
    nodes[id] = node;
  }

  void cacheNode(int id, String op, int buffer, long size, String cache, FaultAt faults) {
    boolean alloc = op.equals("ALLOC");
    Draft draft = buffers.computeIfAbsent(buffer, key -> new Draft(buffers.size()));
    KernelNode.Kind kind = alloc ? KernelNode.Kind.ALLOC : KernelNode.Kind.FREE;
    put(id, new KernelNode(kind, op, draft.index, null, 0, List.of()), faults);
    if ((alloc ? draft.alloc : draft.free) >= 0) {
      throw faults.of("buffer " + buffer + " has a second " + op + "; it should have one");
    }
    if (draft.cache != null && (draft.size != size || !draft.cache.equals(cache))) {
      throw faults.of(
          ("buffer %s has size %s in %s here and %s in %s at its other node; both should be"
                  + " the same")
              .formatted(buffer, size, cache, draft.size, draft.cache));
    }
    draft.size = size;
    draft.cache = cache;
    if (alloc) {
      draft.alloc = id;
    } else {
      draft.free = id;
    }
  }

  void operation(int id, String op, String pipe, long cycles, List<Integer> uses, FaultAt faults) {
    put(id, new Operation(op, pipe, cycles, uses, new LinkedHashSet<>(), faults), faults);
  }

  void edge(long source, long target, FaultAt faults) {
    if (source >= nodes.length || target >= nodes.length) {
      throw faults.of(
          "edge " + source + " -> " + target + " should join nodes below " + nodes.length);
    }
    if (edges == from.length) {
      from = Arrays.copyOf(from, 2 * edges);
      to = Arrays.copyOf(to, 2 * edges);
    }
    Object first = nodes[(int) source];
    Object second = nodes[(int) target];
    if (first instanceof KernelNode alloc && second instanceof Operation user) {
      user.around.add(alloc.buffer());
    } else if (first instanceof Operation user && second instanceof KernelNode free) {
      user.around.add(free.buffer());
    }
    from[edges] = (int) source;
    to[edges++] = (int) target;
  }

  /** The graph; it is a fault when a buffer lacks its ALLOC or FREE, or there is a cycle. */
  KernelGraph graph() {
    buffers.forEach(
        (id, draft) -> {
          if (draft.alloc < 0 || draft.free < 0) {
            String what = "buffer %s has no %s; it should have one of each";
            throw new InvalidNetworkException(what, id, draft.alloc < 0 ? "ALLOC" : "FREE");
          }
        });
    List<KernelNode> made = new ArrayList<>();
    for (Object node : nodes) {
      made.add(node instanceof Operation op ? operation(op) : (KernelNode) node);
    }
    List<KernelBuffer> pieces = new ArrayList<>();
    buffers.forEach(
        (id, draft) ->
            pieces.add(
                new KernelBuffer(
                    id, draft.size, draft.cache, draft.alloc, draft.free, draft.backed)));
    return new KernelGraph(made, pieces, Arrays.copyOf(from, edges), Arrays.copyOf(to, edges));
  }

  private KernelNode operation(Operation op) {
    Set<Integer> uses = new LinkedHashSet<>();
    for (int buffer : op.uses) {
      Draft known = buffers.get(buffer);
      if (known == null) {
        throw op.faults.of("uses buffer " + buffer + ", which has no ALLOC");
      }
      uses.add(known.index);
      known.backed |= op.op.equals("COPY_IN");
    }
    uses.addAll(op.around);
    return new KernelNode(
        KernelNode.Kind.OPERATION, op.op, -1, op.pipe, op.cycles, List.copyOf(uses));
  }
}

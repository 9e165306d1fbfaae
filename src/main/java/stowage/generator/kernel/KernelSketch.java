package stowage.generator.kernel;

import java.util.ArrayList;
import java.util.List;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/**
 * A kernel graph while it is generated: buffers begin with the first op that writes them, ops
 * follow the last writers of what they read, and each buffer ends after all its users.
 */
public final class KernelSketch {
  private final List<KernelNode> nodes = new ArrayList<>();
  private final List<int[]> edges = new ArrayList<>();
  private final List<Long> sizes = new ArrayList<>();
  private final List<String> caches = new ArrayList<>();
  private final List<Integer> allocs = new ArrayList<>();
  private final List<Integer> writer = new ArrayList<>();
  private final List<List<Integer>> users = new ArrayList<>();

  /** A new buffer of so many units in the cache of a name; gives its number, from 0. */
  public int buffer(String cache, long size) {
    int b = sizes.size();
    sizes.add(size);
    caches.add(cache);
    writer.add(-1);
    users.add(new ArrayList<>());
    allocs.add(nodes.size());
    nodes.add(new KernelNode(KernelNode.Kind.ALLOC, "ALLOC", b, null, 0, List.of()));
    return b;
  }

  /**
   * A new op on a pipe, for some cycles. It writes a buffer after whatever wrote that before (-1: a
   * copy out) and reads others; a {@code COPY_IN} fills its buffer from off chip.
   */
  public void op(String name, String pipe, long cycles, int written, int... read) {
    int v = nodes.size();
    List<Integer> uses = new ArrayList<>();
    if (written >= 0) {
      uses.add(written);
      edges.add(new int[] {writer.get(written) < 0 ? allocs.get(written) : writer.get(written), v});
      writer.set(written, v);
    }
    for (int b : read) {
      uses.add(b);
      edges.add(new int[] {writer.get(b), v});
    }
    uses.forEach(b -> users.get(b).add(v));
    nodes.add(new KernelNode(KernelNode.Kind.OPERATION, name, -1, pipe, cycles, uses));
  }

  /** The graph, in which each buffer ends after its last user. */
  public KernelGraph graph() {
    List<KernelBuffer> buffers = new ArrayList<>();
    for (int b = 0; b < sizes.size(); b++) {
      int free = nodes.size();
      nodes.add(new KernelNode(KernelNode.Kind.FREE, "FREE", b, null, 0, List.of()));
      boolean backed = false;
      for (int v : users.get(b)) {
        edges.add(new int[] {v, free});
        backed |= nodes.get(v).op().equals("COPY_IN");
      }
      buffers.add(new KernelBuffer(b, sizes.get(b), caches.get(b), allocs.get(b), free, backed));
    }
    return new KernelGraph(
        nodes,
        buffers,
        edges.stream().mapToInt(edge -> edge[0]).toArray(),
        edges.stream().mapToInt(edge -> edge[1]).toArray());
  }
}

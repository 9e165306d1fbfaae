package stowage.compiler;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * PyTorch Inductor's allocation trees written down from their rules alone: pairs of two sides, sets
 * of steps, every size and life recomputed whenever it is asked for. A list of buffers without
 * outputs.
 */
final class PlainTree {
  private static final long ALIGNMENT = 64;

  private PlainTree() {}

  /** Offsets of all buffers; with growth one pool takes them all. */
  static long[] offsets(PackingProblem problem, boolean grows) {
    List<Leaf> leaves = problem.buffers().stream().map(Leaf::new).toList();
    List<Leaf> order = new ArrayList<>(leaves);
    order.sort(
        Comparator.comparingLong((Leaf leaf) -> -leaf.size)
            .thenComparingInt(leaf -> -leaf.live.cardinality()));
    List<Slot> pools = new ArrayList<>();
    for (Leaf leaf : order) {
      put(leaf, pools, grows);
    }
    long start = 0;
    for (Slot pool : pools) {
      pool.lay(start);
      start += pool.used();
    }
    return leaves.stream().mapToLong(leaf -> leaf.offset).toArray();
  }

  private static void put(Leaf leaf, List<Slot> pools, boolean grows) {
    for (int p = 0; p < pools.size(); p++) {
      boolean mayGrow = grows && p == pools.size() - 1;
      if (pools.get(p).take(leaf, mayGrow)) {
        return;
      }
      if (mayGrow) {
        pools.set(p, new Slot(new Pair(pools.get(p), new Slot(leaf))));
        return;
      }
    }
    pools.add(new Slot(leaf));
  }

  private static long roundUp(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private interface Node {
    boolean take(Leaf leaf, boolean mayGrow);

    long size();

    long used();

    BitSet live();

    void lay(long offset);
  }

  private static final class Leaf implements Node {
    private final long size;
    private final BitSet live = new BitSet();
    private long offset;

    Leaf(Buffer buffer) {
      size = buffer.size();
      live.set(buffer.live().start(), buffer.live().end());
    }

    @Override
    public boolean take(Leaf leaf, boolean mayGrow) {
      return false;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public long used() {
      return size;
    }

    @Override
    public BitSet live() {
      return live;
    }

    @Override
    public void lay(long at) {
      offset = at;
    }
  }

  private record Unused(long size) implements Node {
    @Override
    public boolean take(Leaf leaf, boolean mayGrow) {
      return false;
    }

    @Override
    public long used() {
      return 0;
    }

    @Override
    public BitSet live() {
      return new BitSet();
    }

    @Override
    public void lay(long offset) {}
  }

  /** One child after the other in the same bytes. */
  private static final class Slot implements Node {
    private List<Node> children = new ArrayList<>();

    Slot(Node only) {
      children.add(only);
    }

    @Override
    public boolean take(Leaf leaf, boolean mayGrow) {
      long size = size();
      if (!mayGrow && leaf.size > size) {
        return false;
      }
      List<Node> meeting = children.stream().filter(c -> c.live().intersects(leaf.live)).toList();
      if (!meeting.isEmpty()) {
        return meeting.size() == 1 && meeting.get(0).take(leaf, mayGrow);
      }
      children.removeIf(child -> child instanceof Unused);
      if (leaf.size < size) {
        children.add(new Pair(new Slot(leaf), new Slot(new Unused(size - leaf.size))));
        return true;
      }
      List<Node> wider = new ArrayList<>();
      for (Node child : children) {
        wider.add(
            leaf.size == size
                ? child
                : new Pair(new Slot(child), new Slot(new Unused(leaf.size - size))));
      }
      wider.add(leaf);
      children = wider;
      return true;
    }

    @Override
    public long size() {
      return children.stream().mapToLong(Node::size).max().orElse(0);
    }

    @Override
    public long used() {
      return children.stream().mapToLong(Node::used).max().orElse(0);
    }

    @Override
    public BitSet live() {
      BitSet all = new BitSet();
      children.forEach(child -> all.or(child.live()));
      return all;
    }

    @Override
    public void lay(long offset) {
      children.forEach(child -> child.lay(offset));
    }
  }

  private record Pair(Slot left, Slot right) implements Node {
    @Override
    public boolean take(Leaf leaf, boolean mayGrow) {
      return left.take(leaf, false) || right.take(leaf, mayGrow);
    }

    @Override
    public long size() {
      return roundUp(left.size()) + right.size();
    }

    @Override
    public long used() {
      return right.used() == 0 ? left.used() : roundUp(left.used()) + right.used();
    }

    @Override
    public BitSet live() {
      BitSet both = left.live();
      both.or(right.live());
      return both;
    }

    @Override
    public void lay(long offset) {
      left.lay(offset);
      right.lay(offset + roundUp(left.used()));
    }
  }
}

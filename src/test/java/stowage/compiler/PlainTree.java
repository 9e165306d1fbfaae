package stowage.compiler;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.core.HullList;
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
      lay(pool, start);
      start += size(pool, true);
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

  /** A buffer, or bytes that none lives in. */
  private static final class Leaf {
    private final long size;
    private final BitSet live = new BitSet();
    private long offset;

    Leaf(long size) {
      this.size = size;
    }

    Leaf(Buffer buffer) {
      this(buffer.size());
      live.set(buffer.live().start(), buffer.live().end());
    }
  }

  /** One child after the other in the same bytes: leaves and pairs. */
  private record Slot(List<Object> children) {
    Slot(Object only) {
      this(new ArrayList<>(List.of(only)));
    }

    boolean take(Leaf leaf, boolean mayGrow) {
      long size = size(this, false);
      if (!mayGrow && leaf.size > size) {
        return false;
      }
      List<Object> meeting =
          children.stream().filter(child -> live(child).intersects(leaf.live)).toList();
      if (!meeting.isEmpty()) {
        return meeting.size() == 1
            && meeting.get(0) instanceof Pair pair
            && (pair.left.take(leaf, false) || pair.right.take(leaf, mayGrow));
      }
      children.removeIf(child -> child instanceof Leaf only && only.live.isEmpty());
      if (leaf.size < size) {
        children.add(new Pair(new Slot(leaf), new Slot(new Leaf(size - leaf.size))));
        return true;
      }
      if (leaf.size > size) {
        children.replaceAll(
            child -> new Pair(new Slot(child), new Slot(new Leaf(leaf.size - size))));
      }
      children.add(leaf);
      return true;
    }
  }

  private record Pair(Slot left, Slot right) {}

  /** The bytes of a leaf, slot or pair, all of them or those up to the last that are used. */
  private static long size(Object node, boolean used) {
    if (node instanceof Leaf leaf) {
      return used && leaf.live.isEmpty() ? 0 : leaf.size;
    }
    if (node instanceof Slot slot) {
      return slot.children.stream().mapToLong(child -> size(child, used)).max().orElse(0);
    }
    Pair pair = (Pair) node;
    long right = size(pair.right, used);
    long left = size(pair.left, used);
    return used && right == 0 ? left : HullList.roundUp(left, ALIGNMENT) + right;
  }

  private static BitSet live(Object node) {
    BitSet all = new BitSet();
    if (node instanceof Leaf leaf) {
      all.or(leaf.live);
    } else if (node instanceof Slot slot) {
      slot.children.forEach(child -> all.or(live(child)));
    } else {
      all.or(live(((Pair) node).left));
      all.or(live(((Pair) node).right));
    }
    return all;
  }

  private static void lay(Object node, long at) {
    if (node instanceof Leaf leaf) {
      leaf.offset = at;
    } else if (node instanceof Slot slot) {
      slot.children.forEach(child -> lay(child, at));
    } else {
      lay(((Pair) node).left, at);
      lay(((Pair) node).right, at + HullList.roundUp(size(((Pair) node).left, true), ALIGNMENT));
    }
  }
}

package stowage.compiler;

import java.util.ArrayList;
import java.util.List;

/**
 * One pool of PyTorch Inductor's memory planning: a tree that splits a stretch of memory in time
 * and in space.
 *
 * <p>Source: torch/_inductor/codegen/memory_planning.py of PyTorch 2.14.1. The kinds of nodes:
 *
 * <ul>
 *   <li>{@link Block}: one buffer, a leaf.
 *   <li>{@link Empty}: bytes not given to anyone yet, a leaf.
 *   <li>{@link TemporalSplit}: several children use the same bytes at different times; its size is
 *       the largest child's.
 *   <li>{@link SpatialSplit}: two temporal splits side by side; its size is the left one's, rounded
 *       up to the alignment, plus the right one's.
 * </ul>
 *
 * <p><b>Putting a block in.</b> A temporal split larger than the block looks for children alive
 * with it. If there is exactly one, the block is passed on to it, and a leaf refuses; with two or
 * more it fails, although there may be room. With none the block becomes a child, beside an Empty
 * of what is left over where it is smaller than the split; where it is larger, which only the last
 * pool that may grow allows, every older child gets an Empty of the difference beside it. A spatial
 * split asks its left side, which may not grow, then its right.
 *
 * <p>Example, alignment 1: a of 10 bytes in [0, 2) is the root's only child. b of 4 in [2, 4)
 * shares no time with it: the root holds a and (b | Empty 6). c of 6 in [2, 3) meets the pair
 * alone; b refuses it, the Empty is dropped for it: c lies at 4. d of 1 in [0, 4) meets two
 * children and fails; if the pool may grow the root becomes ((a, (b | c)) | d), 11 bytes.
 *
 * <p>Since the left side is rounded up, a pair can become larger than the slot it was cut from;
 * that is the original's behaviour.
 */
final class AllocationTree {
  private final long alignment;
  private final boolean mayGrow;
  private TemporalSplit root;

  /** A pool that holds one block. */
  AllocationTree(Block first, boolean mayGrow, long alignment) {
    this.alignment = alignment;
    this.mayGrow = mayGrow;
    this.root = new TemporalSplit(first);
  }

  /** Whether the block found a place; the last of a device's pools may grow for it. */
  boolean allocate(Block block, boolean isLast) {
    boolean grow = isLast && mayGrow;
    if (root.allocate(block, grow)) {
      return true;
    }
    if (grow) {
      allocateAtEnd(block);
    }
    return grow;
  }

  /** Puts a block behind all that is there. */
  void allocateAtEnd(Block block) {
    root = new TemporalSplit(new SpatialSplit(root, new TemporalSplit(block)));
  }

  /** Bytes of the pool from the exact sizes of what it holds. */
  long finish() {
    root.settle(0);
    return root.finalSize();
  }

  /** A node of the tree. */
  abstract static class Node {
    /** Whether a block found a place below this node. */
    abstract boolean allocate(Block block, boolean isLast);

    /** Bytes, with those not given away. */
    abstract long size();

    /** Bytes in use. */
    abstract long finalSize();

    /** The steps during which anything below is alive. */
    abstract RangeSet live();

    /** Tells everything below where it starts. */
    abstract void settle(long offset);
  }

  /** One buffer. */
  static final class Block extends Node {
    final int rectangle;
    private final long size;
    private final int start;
    private final int end;
    private final RangeSet live;
    private long offset;

    Block(int rectangle, long size, int start, int end) {
      this.rectangle = rectangle;
      this.size = size;
      this.start = start;
      this.end = end;
      this.live = RangeSet.of(start, end);
    }

    /** Its offset in the pool, known once the pool is finished. */
    long offset() {
      return offset;
    }

    @Override
    boolean allocate(Block block, boolean isLast) {
      return false;
    }

    @Override
    long size() {
      return size;
    }

    @Override
    long finalSize() {
      return size;
    }

    @Override
    RangeSet live() {
      return live;
    }

    @Override
    void settle(long at) {
      offset = at;
    }
  }

  /** Bytes not given away. */
  private static final class Empty extends Node {
    private final long size;

    Empty(long size) {
      this.size = size;
    }

    @Override
    boolean allocate(Block block, boolean isLast) {
      return false;
    }

    @Override
    long size() {
      return size;
    }

    @Override
    long finalSize() {
      return 0;
    }

    @Override
    RangeSet live() {
      return new RangeSet();
    }

    @Override
    void settle(long offset) {}
  }

  /** Children that use the same bytes at different times. */
  private final class TemporalSplit extends Node {
    private List<Node> children = new ArrayList<>(2);
    private final RangeSet live;
    private long size;

    TemporalSplit(Node only) {
      children.add(only);
      live = RangeSet.copyOf(only.live());
      size = only.size();
    }

    @Override
    boolean allocate(Block block, boolean isLast) {
      long slot = size;
      if (!isLast && block.size > slot) {
        return false;
      }
      Node meeting = null;
      if (live.overlaps(block.start, block.end)) {
        for (Node child : children) {
          if (child.live().overlaps(block.start, block.end)) {
            if (meeting != null) {
              return false;
            }
            meeting = child;
          }
        }
      }
      if (meeting != null) {
        if (!meeting.allocate(block, isLast)) {
          return false;
        }
        size = largestChild();
      } else {
        add(block, slot);
      }
      live.add(block.start, block.end);
      return true;
    }

    private void add(Block block, long slot) {
      if (children.size() == 1 && children.get(0) instanceof Empty) {
        children.clear();
      }
      if (slot == block.size) {
        children.add(block);
      } else if (slot > block.size) {
        children.add(besideEmpty(block, slot - block.size));
      } else {
        List<Node> widened = new ArrayList<>(children.size() + 1);
        for (Node child : children) {
          widened.add(besideEmpty(child, block.size - slot));
        }
        widened.add(block);
        children = widened;
      }
      size = largestChild();
    }

    private SpatialSplit besideEmpty(Node node, long bytes) {
      return new SpatialSplit(new TemporalSplit(node), new TemporalSplit(new Empty(bytes)));
    }

    private long largestChild() {
      long largest = 0;
      for (Node child : children) {
        largest = Math.max(largest, child.size());
      }
      return largest;
    }

    @Override
    long size() {
      return size;
    }

    @Override
    long finalSize() {
      long largest = 0;
      for (Node child : children) {
        largest = Math.max(largest, child.finalSize());
      }
      return largest;
    }

    @Override
    RangeSet live() {
      return live;
    }

    @Override
    void settle(long offset) {
      children.forEach(child -> child.settle(offset));
    }

    private boolean isEmpty() {
      return children.size() == 1 && children.get(0) instanceof Empty;
    }
  }

  /** Two stretches side by side. */
  private final class SpatialSplit extends Node {
    private final TemporalSplit left;
    private final TemporalSplit right;
    private final RangeSet live;

    SpatialSplit(TemporalSplit left, TemporalSplit right) {
      this.left = left;
      this.right = right;
      this.live = RangeSet.copyOf(left.live());
      live.addAll(right.live());
    }

    @Override
    boolean allocate(Block block, boolean isLast) {
      if (left.allocate(block, false) || right.allocate(block, isLast)) {
        live.add(block.start, block.end);
        return true;
      }
      return false;
    }

    @Override
    long size() {
      return Rectangles.roundUp(left.size(), alignment) + right.size();
    }

    @Override
    long finalSize() {
      // A right side that was never used disappears, and with it the rounding of the left.
      return right.isEmpty()
          ? left.finalSize()
          : Rectangles.roundUp(left.finalSize(), alignment) + right.finalSize();
    }

    @Override
    RangeSet live() {
      return live;
    }

    @Override
    void settle(long offset) {
      left.settle(offset);
      right.settle(offset + Rectangles.roundUp(left.finalSize(), alignment));
    }
  }
}

package stowage.compiler.inductor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import stowage.compiler.core.HullList;
import stowage.compiler.core.OwnedRanges;

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
 * more it fails, although there may be room. With none the block becomes a child, next to an Empty
 * of what is left over where it is smaller than the split; where it is larger, which only the last
 * pool that may grow allows, every older child gets an Empty of the difference next to it. A
 * spatial split asks its left side, which may not grow, then its right.
 *
 * <p>Example, alignment 1: a of 10 bytes in [0, 2) is the root's only child. b of 4 in [2, 4)
 * shares no time with it: the root holds a and (b | Empty 6). c of 6 in [2, 3) meets the pair
 * alone; b refuses it, the Empty is dropped for it: c is at 4. d of 1 in [0, 4) meets two children
 * and fails; if the pool may grow the root becomes ((a, (b | c)) | d), 11 bytes.
 *
 * <p>Since the left side is rounded up, a pair can become larger than the slot it was cut from;
 * that is the original's behaviour.
 *
 * <p><b>Rows.</b> A pool grows by a pair whose left side holds the whole pool before, so that the
 * original walks through as many levels as there are buffers alive at once before it comes to the
 * bytes that it tries first. Here pairs whose left side holds nothing but another pair are one
 * {@link SpatialSplit} with all their sides in a row, and the levels between are given from the
 * sides: the level of the first k sides is alive when any of them is, and refuses what is larger
 * than they are together. Example: ((a | b) | c) is a row of three sides. What is alive with c
 * alone, and not larger than (a | b), becomes a sibling of that pair, and the row is one of two.
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
    return root.allocate(block, isLast && mayGrow) || (isLast && grow(block));
  }

  /** Puts a block after all that is there, if the pool may grow. */
  boolean grow(Block block) {
    if (mayGrow) {
      allocateAtEnd(block);
    }
    return mayGrow;
  }

  /** Puts a block after all that is there, whether or not the pool may grow by itself. */
  void allocateAtEnd(Block block) {
    root = root.inFrontOf(new TemporalSplit(block));
  }

  /** The tree as lines of text, once the pool is finished. */
  List<String> text(Function<Block, String> names) {
    List<String> lines = new ArrayList<>();
    root.describe("  ", names, lines);
    return lines;
  }

  /** Bytes of the pool from the exact sizes of what it holds; says every block where it is. */
  long finish() {
    return root.settle(0);
  }

  private abstract static class Node {
    /** Adds a line for this node, and below it, further in, lines for what it holds. */
    abstract void describe(String indent, Function<Block, String> names, List<String> lines);

    /** Whether a block found a place below this node; a leaf refuses. */
    boolean allocate(Block block, boolean isLast) {
      return false;
    }

    /** Bytes, with those not given away; never fewer than before. */
    abstract long size();

    /** Sets the start of everything below, and gives the bytes in use. */
    abstract long settle(long offset);
  }

  static final class Block extends Node {
    private final long size;
    private final int start;
    private final int end;
    private long offset;

    /** A buffer of so many bytes, alive in the steps [start, end). */
    Block(long size, int start, int end) {
      this.size = size;
      this.start = start;
      this.end = end;
    }

    @Override
    void describe(String indent, Function<Block, String> names, List<String> lines) {
      lines.add(indent + names.apply(this) + ": " + size + " bytes at " + offset);
    }

    /** Its offset in the pool, known once the pool is finished. */
    long offset() {
      return offset;
    }

    @Override
    long size() {
      return size;
    }

    @Override
    long settle(long at) {
      offset = at;
      return size;
    }
  }

  /** Bytes not given away. */
  private static final class Empty extends Node {
    private final long size;

    Empty(long size) {
      this.size = size;
    }

    @Override
    void describe(String indent, Function<Block, String> names, List<String> lines) {
      lines.add(indent + "empty: " + size + " bytes");
    }

    @Override
    long size() {
      return size;
    }

    @Override
    long settle(long offset) {
      return 0;
    }
  }

  /** Children that use the same bytes at different times. */
  private final class TemporalSplit extends Node {
    private final List<Node> children = new ArrayList<>(1);

    /** The steps at which each child is alive, by its place among the children. */
    private final OwnedRanges live = new OwnedRanges();

    private long size;

    private TemporalSplit(Node only) {
      children.add(only);
      size = only.size();
    }

    TemporalSplit(Block only) {
      this((Node) only);
      live.add(only.start, only.end, 0);
    }

    TemporalSplit(Empty only) {
      this((Node) only);
    }

    /** A split that holds a row alone: a level of the row it was cut from. */
    TemporalSplit(SpatialSplit only) {
      this((Node) only);
      only.sides.forEach(side -> live.addAll(side.live, 0));
    }

    @Override
    boolean allocate(Block block, boolean isLast) {
      if (!isLast && block.size > size) {
        return false;
      }
      int meeting = live.ownerWithin(block.start, block.end);
      if (meeting == OwnedRanges.NONE) {
        add(block);
      } else if (meeting == OwnedRanges.SEVERAL || !children.get(meeting).allocate(block, isLast)) {
        return false;
      } else {
        live.add(block.start, block.end, meeting);
        size = Math.max(size, children.get(meeting).size());
      }
      return true;
    }

    boolean meets(Block block) {
      return !live.isFree(block.start, block.end);
    }

    private void add(Block block) {
      if (isEmpty()) {
        children.clear();
      }
      long over = size - block.size;
      if (over < 0) {
        children.replaceAll(child -> besideEmpty(child, -over));
        size = block.size;
        children.forEach(child -> size = Math.max(size, child.size()));
      }
      Node added = over > 0 ? besideEmpty(block, over) : block;
      children.add(added);
      live.add(block.start, block.end, children.size() - 1);
      size = Math.max(size, added.size());
    }

    private SpatialSplit besideEmpty(Node child, long bytes) {
      TemporalSplit empty = new TemporalSplit(new Empty(bytes));
      if (child instanceof SpatialSplit row) {
        row.append(empty);
        return row;
      }
      return new SpatialSplit(new TemporalSplit((Block) child), empty);
    }

    /** A split that holds this one and, next to it, what follows. */
    TemporalSplit inFrontOf(TemporalSplit right) {
      if (children.size() == 1 && children.get(0) instanceof SpatialSplit row) {
        row.append(right);
        live.addAll(right.live, 0);
        size = row.size();
        return this;
      }
      return new TemporalSplit(new SpatialSplit(this, right));
    }

    @Override
    long size() {
      return size;
    }

    @Override
    long settle(long offset) {
      long used = 0;
      for (Node child : children) {
        used = Math.max(used, child.settle(offset));
      }
      return used;
    }

    @Override
    void describe(String indent, Function<Block, String> names, List<String> lines) {
      if (children.size() == 1) {
        children.get(0).describe(indent, names, lines);
        return;
      }
      lines.add(indent + "one after the other: " + size + " bytes");
      children.forEach(child -> child.describe(indent + "  ", names, lines));
    }

    private boolean isEmpty() {
      return children.size() == 1 && children.get(0) instanceof Empty;
    }
  }

  /** Stretches side by side: the first with the second, these two with the third, and so on. */
  private final class SpatialSplit extends Node {
    private final List<TemporalSplit> sides = new ArrayList<>(2);

    /** Bytes of each level: of the first side, of the first two, ... */
    private long[] sizes = new long[2];

    SpatialSplit(TemporalSplit left, TemporalSplit right) {
      this(List.of(left, right));
    }

    private SpatialSplit(List<TemporalSplit> sides) {
      sides.forEach(this::append);
    }

    /** Puts a side after the others, which as they were become its left. */
    void append(TemporalSplit side) {
      sides.add(side);
      if (sides.size() > sizes.length) {
        sizes = Arrays.copyOf(sizes, 2 * sizes.length);
      }
      sizes[sides.size() - 1] = levelSize(sides.size() - 1);
    }

    @Override
    void describe(String indent, Function<Block, String> names, List<String> lines) {
      lines.add(indent + "side by side: " + size() + " bytes");
      sides.forEach(side -> side.describe(indent + "  ", names, lines));
    }

    private long levelSize(int level) {
      long own = sides.get(level).size();
      return level == 0 ? own : HullList.roundUp(sizes[level - 1], alignment) + own;
    }

    @Override
    boolean allocate(Block block, boolean isLast) {
      int last = sides.size() - 1;
      int lowest = lowestLevelHolding(block.size, last);
      if (lowest < last) {
        int free = 0;
        while (free < last && !sides.get(free).meets(block)) {
          free++;
        }
        // Levels are asked from the widest down, and the first not alive with the block takes it.
        if (free > 1 && free > lowest) {
          splitOff(free);
          return allocateIn(0, block, false);
        }
      }
      for (int side = lowest; side <= last; side++) {
        if (allocateIn(side, block, isLast && side == last)) {
          return true;
        }
      }
      return false;
    }

    /** The first level below the last that is as large as a block; the last if there is none. */
    private int lowestLevelHolding(long bytes, int last) {
      int low = 0;
      int high = last;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sizes[middle] >= bytes) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }

    private boolean allocateIn(int side, Block block, boolean isLast) {
      if (!sides.get(side).allocate(block, isLast)) {
        return false;
      }
      for (int level = side; level < sides.size(); level++) {
        long changed = levelSize(level);
        if (changed == sizes[level]) {
          break;
        }
        sizes[level] = changed;
      }
      return true;
    }

    /** Makes the level of the first sides a side of its own, since it is to have two children. */
    private void splitOff(int count) {
      List<TemporalSplit> first = sides.subList(0, count);
      TemporalSplit level = new TemporalSplit(new SpatialSplit(first));
      first.clear();
      sides.add(0, level);
      System.arraycopy(sizes, count - 1, sizes, 0, sides.size());
    }

    @Override
    long size() {
      return sizes[sides.size() - 1];
    }

    @Override
    long settle(long offset) {
      long used = sides.get(0).settle(offset);
      for (TemporalSplit side : sides.subList(1, sides.size())) {
        // A side that was never used disappears, and with it the rounding of those before it.
        if (!side.isEmpty()) {
          long start = HullList.roundUp(used, alignment);
          used = start + side.settle(offset + start);
        }
      }
      return used;
    }
  }
}

package stowage.exact.search.greedy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.presolve.Component;

/**
 * Placed rectangles in the order of their offsets, and the first gap among those that meet a given
 * time. A query walks the list from the bottom until it finds room, O(n) at worst but sequential in
 * memory; an insertion costs O(sqrt n) about.
 */
final class AddressList {
  private static final int BLOCK = 512;

  private final Component problem;
  private final List<Block> blocks = new ArrayList<>();

  /** Whether meeting in the hull of time is the same as to conflict. */
  private final boolean exactHull;

  private final int[] hullStart;
  private final int[] hullEnd;

  AddressList(Component problem) {
    this.problem = problem;
    this.exactHull = problem.spanStarts().length == problem.count() && !problem.hasExtraConflicts();
    this.hullStart = new int[problem.count()];
    this.hullEnd = new int[problem.count()];
    for (int buffer = 0; buffer < problem.count(); buffer++) {
      if (problem.firstSpans()[buffer] < problem.firstSpans()[buffer + 1]) {
        hullStart[buffer] = problem.spanStarts()[problem.firstSpans()[buffer]];
        hullEnd[buffer] = problem.spanEnds()[problem.firstSpans()[buffer + 1] - 1];
      }
    }
    clear();
  }

  void clear() {
    blocks.clear();
    blocks.add(new Block());
  }

  /** The lowest allowed offset at which a buffer conflicts with nothing in the list, or -1. */
  long firstFit(int buffer) {
    long size = problem.sizes()[buffer];
    long position = problem.roundUp(buffer, 0);
    int start = hullStart[buffer];
    int end = hullEnd[buffer];
    for (Block block : blocks) {
      for (int k = 0; k < block.length; k++) {
        long offset = block.offset[k];
        if (position < 0 || offset >= position + size) {
          return position;
        }
        if (block.top[k] <= position) {
          continue;
        }
        boolean meets = block.start[k] < end && start < block.end[k];
        if (!exactHull) {
          meets = problem.conflict(buffer, block.buffer[k]);
        }
        if (meets) {
          position = problem.roundUp(buffer, block.top[k]);
        }
      }
    }
    return position;
  }

  void insert(int buffer, long offset) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      Block block = blocks.get(middle);
      if (block.length > 0 && block.offset[0] <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    Block block = blocks.get(low);
    if (block.length == BLOCK) {
      Block upper = block.split();
      blocks.add(low + 1, upper);
      if (upper.offset[0] <= offset) {
        block = upper;
      }
    }
    block.insert(buffer, offset, offset + problem.sizes()[buffer]);
  }

  private final class Block {
    private final long[] offset = new long[BLOCK];
    private final long[] top = new long[BLOCK];
    private final int[] start = new int[BLOCK];
    private final int[] end = new int[BLOCK];
    private final int[] buffer = new int[BLOCK];
    private int length;

    void insert(int added, long from, long to) {
      int at = Arrays.binarySearch(offset, 0, length, from);
      at = at < 0 ? -at - 1 : at;
      move(this, at, at + 1, length - at);
      offset[at] = from;
      top[at] = to;
      start[at] = hullStart[added];
      end[at] = hullEnd[added];
      buffer[at] = added;
      length++;
    }

    Block split() {
      Block upper = new Block();
      upper.length = length / 2;
      length -= upper.length;
      move(upper, length, 0, upper.length);
      return upper;
    }

    private void move(Block target, int from, int to, int count) {
      System.arraycopy(offset, from, target.offset, to, count);
      System.arraycopy(top, from, target.top, to, count);
      System.arraycopy(start, from, target.start, to, count);
      System.arraycopy(end, from, target.end, to, count);
      System.arraycopy(buffer, from, target.buffer, to, count);
    }
  }
}

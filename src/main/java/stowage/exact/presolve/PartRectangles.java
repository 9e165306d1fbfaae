package stowage.exact.presolve;

import java.util.Arrays;
import stowage.exact.search.model.RectangleProblem;

/**
 * The buffers of a part that lie in one of its memories, as the search takes them.
 *
 * <p>A buffer that needs nothing at any step still ends at its size and may stand in extra
 * conflicts; it gets a section of its own after all others, where it meets nobody.
 *
 * @param members the part's index of each rectangle
 * @param rectangles the search's problem, in the part's units
 */
public record PartRectangles(int[] members, RectangleProblem rectangles) {

  /**
   * Takes the buffers that lie in a memory.
   *
   * @param memory the part's index of the memory
   * @param places the part's memory of each buffer; null puts all of them into the given one
   */
  public static PartRectangles of(NormalPart part, int memory, int[] places) {
    int[] members = new int[part.count()];
    int count = 0;
    for (int i = 0; i < part.count(); i++) {
      if (places == null || places[i] == memory) {
        members[count++] = i;
      }
    }
    return of(part, memory, members, count);
  }

  /** Takes some buffers, by ascending part index, of a part with one memory. */
  public static PartRectangles of(NormalPart part, int[] chosen) {
    return of(part, 0, chosen, chosen.length);
  }

  private static PartRectangles of(NormalPart part, int memory, int[] members, int count) {
    RectangleProblem.Builder builder = RectangleProblem.builder().banks(part.bankSize(memory));
    int[] rectangle = new int[part.count()];
    Arrays.fill(rectangle, -1);
    for (int k = 0; k < count; k++) {
      rectangle[members[k]] = add(builder, part, memory, members[k]);
    }
    for (int k = 0; k < count; k++) {
      for (int other : part.extraConflicts(members[k])) {
        if (members[k] < other && rectangle[other] >= 0) {
          builder.conflict(rectangle[members[k]], rectangle[other]);
        }
      }
    }
    return new PartRectangles(Arrays.copyOf(members, count), builder.build());
  }

  private static int add(RectangleProblem.Builder builder, NormalPart part, int memory, int i) {
    int first = part.firstSpans()[i];
    int last = part.firstSpans()[i + 1];
    long size = part.sizes()[i];
    int added;
    if (first == last) {
      int alone = part.sections() + i;
      added = builder.add(size, alone, alone + 1);
    } else {
      int at = part.spanStarts()[first];
      added = builder.add(size, at, part.spanEnds()[last - 1]);
      for (int s = first; s < last; s++) {
        if (at < part.spanStarts()[s]) {
          builder.gap(at, part.spanStarts()[s]);
        }
        at = part.spanEnds()[s];
        if (part.spanHighs()[s] - part.spanLows()[s] != size) {
          builder.window(part.spanStarts()[s], at, part.spanLows()[s], part.spanHighs()[s]);
        }
      }
    }
    builder.align(added, part.alignment(i, memory));
    if (part.fixedOffsets()[i] >= 0) {
      builder.fix(added, part.fixedOffsets()[i]);
    }
    if (part.withinBanks()[i] && part.bankSize(memory) > 0) {
      builder.withinBank(added);
    }
    return added;
  }

  /** Offsets of a placement of the part, for these rectangles. */
  public long[] select(long[] partOffsets) {
    long[] selected = new long[members.length];
    for (int r = 0; r < selected.length; r++) {
      selected[r] = partOffsets[members[r]];
    }
    return selected;
  }

  /** The placement of a part that has these rectangles alone. */
  public long[] expand(long[] offsets, int count) {
    long[] expanded = new long[count];
    write(offsets, expanded);
    return expanded;
  }

  /** Writes the rectangles' offsets into a placement of the part. */
  public void write(long[] offsets, long[] partOffsets) {
    for (int r = 0; r < members.length; r++) {
      partOffsets[members[r]] = offsets[r];
    }
  }
}

package stowage.exact.presolve;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Rounding;

/** A part written down as a packing problem of its own, for what knows no parts. */
public final class ComponentProblem {
  private final Component part;
  private final List<Memory> memories = new ArrayList<>();

  private ComponentProblem(Component part) {
    this.part = part;
  }

  /**
   * The part in units and sections. Buffers without spans become buffers with one gap over a life
   * of one section. O(spans and extra conflicts).
   */
  public static PackingProblem of(Component part) {
    return new ComponentProblem(part).convert();
  }

  private PackingProblem convert() {
    for (int m = 0; m < part.memories(); m++) {
      long capacity = part.capacity(m);
      memories.add(
          new Memory(
              "m" + part.memory(m),
              capacity == Component.UNBOUNDED ? Memory.UNBOUNDED : Math.max(0, capacity),
              sharedAlignment(m),
              0,
              part.bankSize(m)));
    }
    List<Buffer> buffers = new ArrayList<>(part.count());
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < part.count(); i++) {
      buffers.add(buffer(i));
      for (int j : part.extraConflicts(i)) {
        if (i < j) {
          pairs.add(new int[] {i, j});
        }
      }
    }
    return new PackingProblem("part", buffers, memories, ConflictPairs.of(part.count(), pairs));
  }

  /** With one memory buffers keep their own alignment; with several the memory must say it. */
  private long sharedAlignment(int memory) {
    if (part.memories() == 1) {
      return 1;
    }
    long shared = 0;
    for (int i = 0; i < part.count(); i++) {
      if (part.allows(i, memory)) {
        shared = Rounding.gcd(shared, part.alignment(i, memory));
      }
    }
    return Math.max(1, shared);
  }

  private Buffer buffer(int i) {
    int first = part.firstSpans()[i];
    int last = part.firstSpans()[i + 1];
    boolean never = first == last;
    LiveRange live =
        never
            ? new LiveRange(0, 1)
            : new LiveRange(part.spanStarts()[first], part.spanEnds()[last - 1]);
    List<String> names = new ArrayList<>();
    long alignment = 0;
    for (int m = 0; m < part.memories(); m++) {
      if (part.allows(i, m)) {
        names.add(memories.get(m).name());
        alignment = Rounding.gcd(alignment, part.alignment(i, m));
      }
    }
    boolean fixed = part.fixedOffsets()[i] != Buffer.NONE; // whatever else it asks
    return new Buffer(
        "b" + i,
        part.sizes()[i],
        live,
        fixed ? 1 : alignment,
        part.fixedOffsets()[i],
        Buffer.NONE,
        never ? List.of(Gap.empty(0, 1)) : gaps(i, first, last),
        names,
        part.withinBanks()[i] && !fixed);
  }

  private List<Gap> gaps(int i, int first, int last) {
    List<Gap> gaps = new ArrayList<>();
    int at = part.spanStarts()[first];
    for (int s = first; s < last; s++) {
      int start = part.spanStarts()[s];
      if (at < start) {
        gaps.add(Gap.empty(at, start));
      }
      at = part.spanEnds()[s];
      long low = part.spanLows()[s];
      long high = part.spanHighs()[s];
      if (high - low != part.sizes()[i]) {
        gaps.add(new Gap(new LiveRange(start, at), low, high));
      }
    }
    return gaps;
  }
}

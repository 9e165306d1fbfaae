package stowage.importer.xla;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.PackingBaseline;
import stowage.importer.io.UniqueNames;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A module's temporary allocations as a packing problem, with XLA's offsets as its baseline.
 *
 * <p>Each temporary allocation with traced buffers is a memory, the largest the one whose peak
 * counts first. Parameters, constants, live-outs and thread-local allocations are no part of it,
 * nor are temporary allocations that no trace names.
 *
 * <p><b>Shared memory.</b> Buffers that share by SHARE_WITH are one buffer: of the largest size,
 * alive from the first's start to the last's end. XLA must have them at one offset.
 *
 * <p><b>Buffers without a live range.</b> XLA puts buffers that the simulator never saw, such as
 * tuples, before or after the simulated heap. Their live ranges are not known, so they are held
 * throughout. Where XLA has others on the same bytes, all of them are one buffer that is held
 * throughout: then XLA's plan is right whatever the live ranges are. The same is done with a buffer
 * that two traces name.
 *
 * <p><b>Several traces.</b> Simulations of different computations run on clocks of their own, and
 * one computation may run while another waits for it. So their steps are put one after the other,
 * and no buffer of one shares bytes with a buffer of another; XLA keeps their heaps apart, too.
 */
final class XlaProblem {
  /** Alignments are guessed from offsets up to this; XLA's largest are TPUs'. */
  private static final long LARGEST_ALIGNMENT = 1024;

  private static final int MOST_CONFLICTS = 4_000_000;
  private static final int THROUGHOUT = -1;

  private final Path file;
  private final XlaModule module;
  private final int[] traceStart;
  private final int steps;
  private final List<Region> regions = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /** Bytes of one memory that are planned as one buffer. */
  private record Region(
      String id, int memory, int trace, long offset, long end, int from, int to) {}

  private XlaProblem(Path file, XlaModule module) {
    this.file = file;
    this.module = module;
    this.traceStart = new int[module.traces().size()];
    long sum = 0;
    for (int t = 0; t < traceStart.length; t++) {
      traceStart[t] = (int) sum;
      sum += module.traces().get(t).steps();
    }
    if (sum > Integer.MAX_VALUE) {
      throw fault("its traces have " + sum + " events; at most 2^31 can be planned");
    }
    this.steps = (int) sum;
  }

  static Input.Packing of(Path file, XlaModule module) {
    String where = "module \"" + module.name() + "\"";
    return InputException.checked(file, where, new XlaProblem(file, module)::input);
  }

  private InputException fault(String what, Object... arguments) {
    return new InputException(file, "module \"" + module.name() + "\"", what, arguments);
  }

  private Input.Packing input() {
    List<XlaModule.Allocation> planned = new ArrayList<>();
    long untraced = 0;
    for (XlaModule.Allocation allocation : module.allocations()) {
      if (allocation.use() == XlaModule.Use.TEMPORARY) {
        if (allocation.assigned().stream().anyMatch(one -> module.isTraced(one.buffer()))) {
          planned.add(allocation);
        } else {
          untraced += allocation.bytes();
        }
      }
    }
    if (planned.isEmpty()) {
      throw fault(
          "has no temporary allocation with a heap simulator trace, so there is nothing to plan");
    }
    planned.sort(Comparator.comparingLong(XlaModule.Allocation::bytes));
    for (int memory = 0; memory < planned.size(); memory++) {
      add(planned.get(memory), memory);
    }
    List<String> remarks = new ArrayList<>();
    if (untraced > 0) {
      remarks.add(
          untraced + " bytes of temporary allocations are in no heap simulator trace and left out");
    }
    return new Input.Packing(problem(planned), remarks, baseline(planned));
  }

  private void add(XlaModule.Allocation allocation, int memory) {
    Map<Long, List<XlaModule.Assigned>> groups = new TreeMap<>();
    List<Region> held = new ArrayList<>();
    for (XlaModule.Assigned one : allocation.assigned()) {
      if (one.offset() < 0
          || one.bytes() < 0
          || one.bytes() > allocation.bytes()
          || one.offset() > allocation.bytes() - one.bytes()) {
        String what =
            "buffer %s is assigned %s bytes at %s, which are not inside of allocation %s of %s"
                + " bytes";
        throw fault(
            what, one.buffer(), one.bytes(), one.offset(), allocation.index(), allocation.bytes());
      }
      int trace = traceOf(one.buffer());
      if (trace == THROUGHOUT) {
        long end = one.offset() + one.bytes();
        held.add(new Region(id(one), memory, trace, one.offset(), end, 0, steps));
      } else {
        long root = canonical(module.traces().get(trace), one.buffer());
        groups.computeIfAbsent(root, none -> new ArrayList<>()).add(one);
      }
    }
    List<Region> found = new ArrayList<>(held);
    groups.values().forEach(group -> found.add(shared(group, memory)));
    regions.addAll(held.isEmpty() ? found : joined(found));
  }

  /** The one trace that names a buffer; none where no trace does, or several do. */
  private int traceOf(long buffer) {
    int found = THROUGHOUT;
    for (int t = 0; t < traceStart.length; t++) {
      if (module.traces().get(t).lives().containsKey(buffer)) {
        if (found != THROUGHOUT) {
          return THROUGHOUT;
        }
        found = t;
      }
    }
    return found;
  }

  private static long canonical(XlaModule.Trace trace, long buffer) {
    long root = buffer;
    // Each shares with one that was allocated before it, so this ends.
    while (trace.sharedWith().containsKey(root)) {
      root = trace.sharedWith().get(root);
    }
    return root;
  }

  /** Buffers that share memory, as one. */
  private Region shared(List<XlaModule.Assigned> group, int memory) {
    XlaModule.Assigned first = group.get(0);
    int trace = traceOf(first.buffer());
    long offset = first.offset();
    long end = offset;
    int from = Integer.MAX_VALUE;
    int to = 0;
    for (XlaModule.Assigned one : group) {
      XlaModule.Life life = module.traces().get(trace).lives().get(one.buffer());
      from = Math.min(from, life.start());
      to = Math.max(to, life.end());
      end = Math.max(end, offset + one.bytes());
      if (one.offset() != offset) {
        faults.add(
            "buffers %s and %s share memory, but XLA has them at %s and %s"
                .formatted(first.buffer(), one.buffer(), offset, one.offset()));
      }
    }
    int start = traceStart[trace];
    return new Region(id(first), memory, trace, offset, end, start + from, start + to);
  }

  /**
   * Makes one region, held throughout, of those that overlap in a chain with one without a live
   * range. O(n log n).
   */
  private List<Region> joined(List<Region> found) {
    List<Region> byOffset = new ArrayList<>();
    List<Region> joined = new ArrayList<>();
    for (Region region : found) {
      boolean touches = region.trace == THROUGHOUT || region.offset < region.end;
      (touches ? byOffset : joined).add(region);
    }
    byOffset.sort(Comparator.comparingLong(region -> region.offset));
    int from = 0;
    while (from < byOffset.size()) {
      int to = from;
      long end = byOffset.get(from).offset;
      do {
        end = Math.max(end, byOffset.get(to++).end);
      } while (to < byOffset.size() && byOffset.get(to).offset < end);
      List<Region> chain = byOffset.subList(from, to);
      Region first = chain.get(0);
      boolean held = chain.stream().anyMatch(region -> region.trace == THROUGHOUT);
      joined.addAll(
          held
              ? List.of(new Region(first.id, first.memory, THROUGHOUT, first.offset, end, 0, steps))
              : chain);
      from = to;
    }
    joined.sort(Comparator.comparingLong(region -> region.offset));
    return joined;
  }

  private static String id(XlaModule.Assigned one) {
    return one.name().isEmpty() ? Long.toString(one.buffer()) : one.buffer() + ":" + one.name();
  }

  private PackingProblem problem(List<XlaModule.Allocation> planned) {
    List<Memory> memories = new ArrayList<>();
    for (int m = 0; m < planned.size(); m++) {
      long bits = LARGEST_ALIGNMENT;
      for (Region region : regions) {
        bits |= region.memory == m ? region.offset : 0;
      }
      String name = planned.size() == 1 ? "temp" : "temp" + planned.get(m).index();
      memories.add(new Memory(name, Memory.UNBOUNDED, Long.lowestOneBit(bits), 0, 0));
    }
    UniqueNames names = new UniqueNames();
    List<Buffer> buffers = new ArrayList<>();
    for (Region region : regions) {
      Buffer buffer =
          new Buffer(names.of(region.id), region.end - region.offset, region.from, region.to);
      buffers.add(
          memories.size() == 1
              ? buffer
              : buffer.withMemories(List.of(memories.get(region.memory).name())));
    }
    return new PackingProblem(module.name(), buffers, memories, apart());
  }

  /** Pairs of buffers of different traces in one memory. */
  private ConflictPairs apart() {
    List<int[]> pairs = new ArrayList<>();
    for (int a = 0; a < regions.size() && traceStart.length > 1; a++) {
      for (int b = a + 1; b < regions.size(); b++) {
        Region one = regions.get(a);
        Region other = regions.get(b);
        if (one.memory == other.memory
            && one.trace != other.trace
            && one.trace != THROUGHOUT
            && other.trace != THROUGHOUT) {
          pairs.add(new int[] {a, b});
          if (pairs.size() > MOST_CONFLICTS) {
            throw fault("its traces have more pairs of buffers than can be kept apart");
          }
        }
      }
    }
    return ConflictPairs.of(regions.size(), pairs);
  }

  private PackingBaseline baseline(List<XlaModule.Allocation> planned) {
    long[] offsets = regions.stream().mapToLong(region -> region.offset).toArray();
    int[] memories = regions.stream().mapToInt(region -> region.memory).toArray();
    List<Long> bytes = planned.stream().map(XlaModule.Allocation::bytes).toList();
    return new PackingBaseline("XLA", Placement.of(offsets, memories), bytes, faults);
  }
}

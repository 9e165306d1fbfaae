package stowage.importer.xla;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;

/** Reader of one message {@code BufferAssignmentProto}. */
final class AssignmentProto {
  private final Path file;
  private final ProtoFields fields;
  private final String module;
  private final List<XlaModule.Allocation> allocations = new ArrayList<>();
  private final List<XlaModule.Trace> traces = new ArrayList<>();
  private final Map<Long, String> names = new HashMap<>();
  private long buffers;
  private long events;
  private int seen;

  AssignmentProto(Path file, ProtoFields fields, String module) {
    this.file = file;
    this.fields = fields;
    this.module = module;
  }

  /** Takes a field: logical buffers are counted, allocations and traces read. */
  boolean take(int number, int type) throws IOException {
    buffers += number == 1 ? 1 : 0;
    return number == 3 ? allocation(type) : number == 4 && trace(type);
  }

  /** {@code BufferAllocationProto}. */
  private boolean allocation(int type) throws IOException {
    long[] values = new long[16];
    List<XlaModule.Assigned> assigned = new ArrayList<>();
    fields.message(
        type,
        (number, t) ->
            switch (number) {
              case 1, 2, 3, 5, 7, 12 -> fields.integer(t, values, number);
              case 9 -> assigned(t, assigned);
              default -> false;
            });
    XlaModule.Use use = XlaModule.Use.TEMPORARY;
    if (values[5] != 0) {
      use = XlaModule.Use.PARAMETER;
    } else if (values[12] != 0) {
      use = XlaModule.Use.CONSTANT;
    } else if (values[7] != 0) {
      use = XlaModule.Use.LIVE_OUT;
    } else if (values[3] != 0) {
      use = XlaModule.Use.THREAD_LOCAL;
    }
    allocations.add(new XlaModule.Allocation(values[1], values[2], use, assigned));
    return true;
  }

  private boolean assigned(int type, List<XlaModule.Assigned> assigned) throws IOException {
    long[] values = new long[4];
    fields.message(
        type, (number, t) -> number >= 1 && number <= 3 && fields.integer(t, values, number));
    assigned.add(new XlaModule.Assigned(values[1], "", values[2], values[3]));
    return true;
  }

  /** {@code HeapSimulatorTrace}. */
  private boolean trace(int type) throws IOException {
    TraceBuilder trace =
        new TraceBuilder("module \"" + module + "\", heap_simulator_traces[" + seen++ + "]");
    fields.message(type, (number, t) -> number == 1 && event(t, trace));
    events += trace.events();
    // A trace of several heaps is there once for each of its allocations.
    XlaModule.Trace built = trace.build();
    if (built.steps() > 0 && !traces.contains(built)) {
      traces.add(built);
    }
    return true;
  }

  private boolean event(int type, TraceBuilder trace) throws IOException {
    long[] values = new long[6];
    fields.message(
        type,
        (number, t) -> {
          if (number == 4) {
            names.put(values[2], fields.text(t));
          }
          return number == 4
              || (number == 1 || number == 2 || number == 5) && fields.integer(t, values, number);
        });
    trace.add(values[1], values[2], values[5]);
    return true;
  }

  /** The module, its buffers named after the instructions of their events. */
  XlaModule build() {
    for (XlaModule.Allocation allocation : allocations) {
      allocation
          .assigned()
          .replaceAll(
              one -> {
                String name = names.getOrDefault(one.buffer(), "");
                return new XlaModule.Assigned(one.buffer(), name, one.offset(), one.bytes());
              });
    }
    return new XlaModule(module, buffers, allocations, traces, events);
  }

  /**
   * Builder of a {@link XlaModule.Trace} from the heap simulator's events, in their order.
   *
   * <p>A buffer is alive from its ALLOC, or the SHARE_WITH that gives it the memory of another, up
   * to its FREE; the event's position is the step. A buffer without a FREE is alive to the end.
   * Example: ALLOC a, ALLOC b, SHARE_WITH c a, FREE a, FREE b, FREE c make a = [0, 3), b = [1, 4),
   * c = [2, 5), and c in the place of a.
   */
  private final class TraceBuilder {
    private static final long ALLOC = 0;
    private static final long FREE = 1;
    private static final long SHARE_WITH = 2;

    private final String where;
    private final Map<Long, Integer> starts = new LinkedHashMap<>();
    private final Map<Long, XlaModule.Life> lives = new LinkedHashMap<>();
    private final Map<Long, Long> sharedWith = new HashMap<>();
    private final Set<Long> alive = new HashSet<>();
    private int steps;

    /** A trace, by what messages call it. */
    TraceBuilder(String where) {
      this.where = where;
    }

    void add(long kind, long buffer, long canonical) {
      if (kind == FREE) {
        if (!alive.remove(buffer)) {
          throw fault("frees buffer " + buffer + ", which is not alive");
        }
        lives.put(buffer, new XlaModule.Life(starts.get(buffer), steps));
      } else if (kind == ALLOC || kind == SHARE_WITH) {
        if (starts.put(buffer, steps) != null) {
          throw fault("allocates buffer " + buffer + " a second time");
        }
        if (kind == SHARE_WITH) {
          if (canonical == buffer || !starts.containsKey(canonical)) {
            throw fault("lets buffer %s share with %s, which was not allocated", buffer, canonical);
          }
          sharedWith.put(buffer, canonical);
        }
        alive.add(buffer);
      } else {
        throw fault("is of kind " + kind + "; it should be 0 (ALLOC), 1 (FREE) or 2 (SHARE_WITH)");
      }
      steps++;
    }

    private InputException fault(String what, Object... arguments) {
      return new InputException(file, where + ", event " + steps, what, arguments);
    }

    int events() {
      return steps;
    }

    XlaModule.Trace build() {
      alive.forEach(buffer -> lives.put(buffer, new XlaModule.Life(starts.get(buffer), steps)));
      alive.clear();
      return new XlaModule.Trace(steps, Map.copyOf(lives), Map.copyOf(sharedWith));
    }
  }
}

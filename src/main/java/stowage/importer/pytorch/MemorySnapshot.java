package stowage.importer.pytorch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.importer.io.InputException;

/**
 * A snapshot of PyTorch's caching allocator, as {@code torch.cuda.memory._dump_snapshot} writes it
 * (pytorch/pytorch, torch/cuda/memory.py), taken apart into its pools.
 *
 * <p>An allocator keeps memory of a stream and of a pool for that stream and pool, so each device,
 * pool and stream is one pool here.
 *
 * @param pools by their names
 */
record MemorySnapshot(Map<String, Pool> pools) {
  private static final List<String> FIELDS =
      List.of(
          ("segments device_traces device address total_size size requested_size state stream"
                  + " segment_pool_id pool_id blocks action addr")
              .split(" "));

  enum Action {
    ALLOC,
    FREE_COMPLETED,
    SEGMENT_ALLOC,
    SEGMENT_FREE
  }

  /** An event by its number in the device's trace; one without an action changes no memory. */
  record Event(Action action, long address, long bytes, long stream, String pool, int step) {
    Event at(int number) {
      return new Event(action, address, bytes, stream, pool, number);
    }
  }

  /** A stretch of memory: a segment, or an allocation in one. */
  record Extent(long address, long bytes) {}

  /**
   * A pool: segments and allocations at the end of the trace, its events in order, and how many
   * events the device's trace has.
   */
  record Pool(List<Extent> segments, List<Extent> blocks, List<Event> events, int steps) {}

  static MemorySnapshot read(Path file) {
    Object root = PickleReader.read(file, FIELDS, MemorySnapshot::compact);
    // Before there were traces, a snapshot was the list of segments alone.
    List<?> segments =
        root instanceof PickleReader.Dict dict ? dict.list("segments") : listOf(root);
    List<?> traces =
        root instanceof PickleReader.Dict dict ? dict.list("device_traces") : List.of();
    Map<String, Draft> drafts = new LinkedHashMap<>();
    int[] steps = addTraces(drafts, traces, segments);
    for (Object entry : segments) {
      if (entry instanceof PickleReader.Dict segment) {
        addSegment(file, drafts, segment);
      }
    }
    if (drafts.isEmpty()) {
      throw new InputException(
          file, "", "has no \"segments\" and no \"device_traces\" with anything in them");
    }
    Map<String, Pool> pools = new LinkedHashMap<>();
    drafts.forEach(
        (name, draft) -> {
          int count = draft.device < steps.length ? steps[draft.device] : 0;
          pools.put(name, new Pool(draft.segments, draft.blocks, draft.events, count));
        });
    return new MemorySnapshot(pools);
  }

  private static List<?> listOf(Object root) {
    return root instanceof List<?> list ? list : List.of();
  }

  private static final class Draft {
    private final int device;
    private final List<Extent> segments = new ArrayList<>();
    private final List<Extent> blocks = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    Draft(int device) {
      this.device = device;
    }
  }

  private static Draft draft(Map<String, Draft> drafts, long device, String pool, long stream) {
    String name = "device" + device;
    name += pool.isEmpty() || pool.equals("0.0") ? "" : "/pool" + pool;
    name += stream == 0 ? "" : "/stream" + stream;
    return drafts.computeIfAbsent(name, none -> new Draft((int) Math.min(device, 1 << 20)));
  }

  /** Makes small records of dicts that are events, as soon as they are in their list. */
  private static Object compact(Object element) {
    if (!(element instanceof PickleReader.Dict dict) || dict.get("action") == null) {
      return element;
    }
    Action action =
        switch (dict.text("action")) {
          case "alloc" -> Action.ALLOC;
          case "free_completed" -> Action.FREE_COMPLETED;
          case "segment_alloc", "segment_map" -> Action.SEGMENT_ALLOC;
          case "segment_free", "segment_unmap" -> Action.SEGMENT_FREE;
          default -> null;
        };
    Event event =
        new Event(
            action,
            dict.integer("addr", 0),
            Math.max(0, dict.integer("size", 0)),
            dict.integer("stream", 0),
            pool(dict.get("pool_id")),
            0);
    dict.clear();
    return event;
  }

  private static String pool(Object id) {
    if (!(id instanceof List<?> pair) || pair.size() != 2) {
      return "";
    }
    return (pair.get(0) + "." + pair.get(1)).intern();
  }

  private static int[] addTraces(Map<String, Draft> drafts, List<?> traces, List<?> segments) {
    int[] steps = new int[traces.size()];
    for (int device = 0; device < steps.length; device++) {
      PoolsByAddress known = new PoolsByAddress(segments, device);
      for (Object entry : listOf(traces.get(device))) {
        if (entry instanceof Event event) {
          if (event.action() != null) {
            String pool = event.pool().isEmpty() ? known.poolAt(event.address()) : event.pool();
            draft(drafts, device, pool, event.stream()).events.add(event.at(steps[device]));
          }
          steps[device]++;
        }
      }
    }
    return steps;
  }

  private static void addSegment(Path file, Map<String, Draft> drafts, PickleReader.Dict segment) {
    long device = Math.max(0, segment.integer("device", 0));
    Draft draft =
        draft(drafts, device, pool(segment.get("segment_pool_id")), segment.integer("stream", 0));
    long address = segment.integer("address", 0);
    draft.segments.add(new Extent(address, Math.max(0, segment.integer("total_size", 0))));
    long at = address;
    for (Object entry : segment.list("blocks")) {
      if (!(entry instanceof PickleReader.Dict block)) {
        continue;
      }
      long bytes = block.integer("size", 0);
      long start = block.integer("address", at);
      if (bytes < 0 || bytes > Long.MAX_VALUE / 4 || start > Long.MAX_VALUE / 4) {
        String what = "block of %s bytes at %s should be 0 or more, below 2^61";
        throw new InputException(file, "segment at " + address, what, bytes, start);
      }
      if (block.text("state").startsWith("active")) {
        long requested = block.integer("requested_size", bytes);
        draft.blocks.add(new Extent(start, Math.max(0, Math.min(bytes, requested))));
      }
      at = start + bytes;
    }
  }

  /** The pools of a device's segments, for traces that do not say them. */
  private static final class PoolsByAddress {
    private final TreeMap<Long, PickleReader.Dict> segments = new TreeMap<>();

    PoolsByAddress(List<?> all, long device) {
      for (Object entry : all) {
        if (entry instanceof PickleReader.Dict segment && segment.integer("device", 0) == device) {
          segments.put(segment.integer("address", 0), segment);
        }
      }
    }

    String poolAt(long address) {
      Map.Entry<Long, PickleReader.Dict> below = segments.floorEntry(address);
      return below == null || address - below.getKey() >= below.getValue().integer("total_size", 0)
          ? ""
          : pool(below.getValue().get("segment_pool_id"));
    }
  }
}

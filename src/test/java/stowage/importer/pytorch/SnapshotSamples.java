package stowage.importer.pytorch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes snapshots for tests as Python's pickle does, with texts in the memo. */
public final class SnapshotSamples {
  static final long BASE = 0x7f00_0000_0000L;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, Integer> memo = new HashMap<>();
  private int memoized;

  private SnapshotSamples() {}

  /** A pickle of lists, maps, texts, whole numbers, numbers, flags and nulls. */
  static byte[] pickle(Object value) {
    SnapshotSamples writer = new SnapshotSamples();
    writer.out.write(0x80);
    writer.out.write(4);
    writer.write(value);
    writer.out.write('.');
    return writer.out.toByteArray();
  }

  private void write(Object value) {
    if (value == null) {
      out.write('N');
    } else if (value instanceof Boolean flag) {
      out.write(flag ? 0x88 : 0x89);
    } else if (value instanceof Double number) {
      out.write('G');
      out.writeBytes(ByteBuffer.allocate(8).putDouble(number).array());
    } else if (value instanceof Number number) {
      integer(number.longValue());
    } else if (value instanceof String text) {
      text(text);
    } else if (value instanceof Map<?, ?> map) {
      out.write('}');
      memoize();
      out.write('(');
      map.forEach(
          (name, field) -> {
            write(name);
            write(field);
          });
      out.write('u');
    } else {
      out.write(']');
      memoize();
      out.write('(');
      ((List<?>) value).forEach(this::write);
      out.write('e');
    }
  }

  private void memoize() {
    out.write(0x94);
    memoized++;
  }

  private void integer(long value) {
    if (value >= 0 && value < 256) {
      out.write('K');
      out.write((int) value);
    } else if (value == (int) value) {
      out.write('J');
      little(value, 4);
    } else {
      out.write(0x8a);
      out.write(8);
      little(value, 8);
    }
  }

  private void little(long value, int bytes) {
    byte[] all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    out.write(all, 0, bytes);
  }

  private void text(String text) {
    Integer known = memo.get(text);
    if (known != null) {
      out.write('h');
      out.write(known);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write(0x8c);
    out.write(bytes.length);
    out.writeBytes(bytes);
    if (memoized < 256) {
      memo.put(text, memoized);
    }
    memoize();
  }

  /** Names and values in the order given. */
  private static Map<String, Object> map(Object... fields) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int k = 0; k < fields.length; k += 2) {
      map.put((String) fields[k], fields[k + 1]);
    }
    return map;
  }

  /** An event, with the stack frames that real ones have. */
  static Map<String, Object> event(String action, long address, long size, long stream) {
    Map<String, Object> frame = map("filename", "model.py", "line", 7, "name", "forward");
    Map<String, Object> event = map("action", action, "addr", BASE + address, "size", size);
    event.putAll(
        map("stream", stream, "frames", List.of(frame), "time_us", 1_700_000_000_000_000L));
    return event;
  }

  /** A segment with blocks of offset, size and whether they are in use. */
  static Map<String, Object> segment(long address, long size, long stream, long[]... blocks) {
    List<Object> list = new ArrayList<>();
    for (long[] block : blocks) {
      Map<String, Object> fields = map("address", BASE + address + block[0], "size", block[1]);
      String state = block[2] != 0 ? "active_allocated" : "inactive";
      fields.putAll(map("requested_size", block[1] - 12, "state", state));
      list.add(fields);
    }
    Map<String, Object> segment = map("device", 0, "address", BASE + address, "total_size", size);
    segment.putAll(map("stream", stream, "segment_pool_id", List.of(0, 0), "blocks", list));
    return segment;
  }

  /**
   * A trace that has lost its beginning: 0 was allocated before and stays, 1024 was and is freed;
   * 2048 comes and goes, 4096 stays; a segment of 4 KiB is given back. Another stream has one
   * allocation.
   */
  static Map<String, Object> everything() {
    List<Object> trace =
        List.of(
            event("free_requested", 1024, 500, 0),
            event("free_completed", 1024, 500, 0),
            event("segment_alloc", 1 << 20, 4096, 0),
            event("alloc", 2048, 1000, 0),
            event("alloc", 1 << 19, 64, 7),
            event("alloc", 4096, 600, 0),
            event("free_completed", 2048, 1000, 0),
            event("segment_free", 1 << 20, 4096, 0),
            event("snapshot", 0, 0, 0));
    long[][] blocks = {{0, 512, 1}, {512, 3584, 0}, {4096, 1024, 1}, {5120, 3072, 0}};
    List<Object> segments =
        List.of(segment(0, 8192, 0, blocks), segment(1 << 19, 512, 7, new long[] {0, 512, 1}));
    Map<String, Object> settings = Map.of("expandable", false, "threshold", 0.5);
    Map<String, Object> snapshot =
        map("segments", segments, "device_traces", List.of(trace, List.of()));
    snapshot.put("allocator_settings", settings);
    return snapshot;
  }

  /** Files to be damaged. */
  public static List<byte[]> samples() {
    return List.of(pickle(everything()), pickle(everything().get("segments")));
  }

  /** The memory snapshot of a small training step: activations, gradients, a caching allocator. */
  public static byte[] example() {
    List<Object> trace = new ArrayList<>();
    long[] sizes = {4096, 16384, 8192, 2048, 512};
    long address = 0;
    for (long size : sizes) {
      trace.add(event("alloc", address, size, 0));
      address += size;
    }
    for (int k = sizes.length - 1; k >= 0; k--) {
      trace.add(event("alloc", address, sizes[k], 0));
      address -= sizes[k];
      trace.add(event("free_completed", address, sizes[k], 0));
      trace.add(event("free_completed", address + sizes[k], sizes[k], 0));
    }
    List<Object> segments = List.of(segment(0, 65536, 0));
    return pickle(map("segments", segments, "device_traces", List.of(trace)));
  }
}

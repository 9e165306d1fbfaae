package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The plugin's history of allocations, in the words of its own log: {@code Allocate 58982400 bytes
 * of usm_host allocation type (current=117969612; max=117969612)}. Current and maximum are of that
 * type alone. What is given back lowers the current figure and writes no line.
 */
public final class AllocationHistory {
  private final List<String> lines = new ArrayList<>();
  private final Map<AllocationType, Long> current = new EnumMap<>(AllocationType.class);
  private final Map<AllocationType, Long> largest = new EnumMap<>(AllocationType.class);

  void allocate(long bytes, AllocationType type) {
    long now = current.merge(type, bytes, Long::sum);
    long most = largest.merge(type, now, Math::max);
    lines.add(
        "GPU_Debug: Allocate %s bytes of %s allocation type (current=%s; max=%s)"
            .formatted(bytes, type.label(), now, most));
  }

  void free(long bytes, AllocationType type) {
    current.merge(type, -bytes, Long::sum);
  }

  /** One line an allocation, in order. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** The types of which there were any bytes. */
  public List<AllocationType> types() {
    return Arrays.stream(AllocationType.values()).filter(type -> largest(type) > 0).toList();
  }

  /** Bytes of a type in use at the end. */
  public long current(AllocationType type) {
    return current.getOrDefault(type, 0L);
  }

  /** The most bytes of a type that were in use at once. */
  public long largest(AllocationType type) {
    return largest.getOrDefault(type, 0L);
  }
}

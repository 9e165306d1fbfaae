package stowage.importer.tpumlir;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An op of a TPU-MLIR file.
 *
 * @param name unique in the file's code outside of groups: its first result's name as a rule
 * @param type with its dialect, such as {@code tpu.Conv2D}
 * @param attributes values are Long, Double, Boolean, String, Lists or Maps of these
 * @param inputs in the op's order; absent ones are {@link TpuValue#ABSENT}. A layer group's are its
 *     operands and then whatever else its code reads from outside
 * @param outputs in the op's order
 * @param line where it is in the file, counted from 1
 */
public record TpuOp(
    String name,
    String type,
    Map<String, Object> attributes,
    List<TpuValue> inputs,
    List<TpuValue> outputs,
    int line) {

  /** Copies the collections. */
  public TpuOp {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** The type without its dialect, such as {@code Conv2D}. */
  public String kind() {
    return type.substring(type.indexOf('.') + 1);
  }

  /** An integer attribute, or a default. */
  public long integer(String key, long otherwise) {
    return attributes.get(key) instanceof Long value ? value : otherwise;
  }

  /** A list of integers; empty when absent. */
  public List<Long> integers(String key) {
    return LayerInfo.integers(attributes, key);
  }

  /** Whether a flag is set. */
  public boolean flag(String key) {
    return Boolean.TRUE.equals(attributes.get(key));
  }
}

package stowage.importer.tpumlir;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Op;

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

  /** The type without its dialect, such as {@code Conv2D}. */
  public String kind() {
    return type.substring(type.indexOf('.') + 1);
  }

  /** An integer attribute, or a default. */
  public long integer(String key, long otherwise) {
    return attributes.get(key) instanceof Long value ? value : otherwise;
  }

  /** As an op of a network, whose attributes are not nested. */
  Op op(String called, List<String> reads, List<String> makes) {
    Map<String, Object> plain = new LinkedHashMap<>(attributes);
    plain.values().removeIf(TpuOp::isNested);
    return new Op(called, type, plain, reads, makes, 0);
  }

  private static boolean isNested(Object value) {
    return value instanceof Map
        || (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance));
  }
}

package stowage.importer.tpumlir;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One operation of an MLIR text.
 *
 * @param name dialect and name, such as {@code tpu.Conv2D}; {@code builtin.module}, {@code
 *     func.func}, {@code func.call} and {@code func.return} whatever way they are written
 * @param results the values it makes, such as {@code %8} or {@code %14#1}
 * @param attributes values are Long, Double, Boolean, String, Lists or Maps of these
 * @param written its attributes as they are in the text, where it is in generic form
 * @param regions nested code
 * @param operandTypes one an operand
 * @param resultTypes one a result; of a function, the types it returns
 * @param location what its results are called, as far as the file says
 * @param line where it starts, counted from 1
 * @param start index of its first character in the file's text
 * @param end index after its last character
 */
record MlirOperation(
    String name,
    List<String> results,
    List<String> operands,
    Map<String, Object> attributes,
    MlirAttributes written,
    List<Region> regions,
    List<MlirType> operandTypes,
    List<MlirType> resultTypes,
    List<MlirLocations.Part> location,
    int line,
    int start,
    int end) {

  /** Nested code in order, with the values given to it. */
  record Region(List<Argument> arguments, List<MlirOperation> operations) {}

  /**
   * A value given to nested code, such as {@code %arg0}, and what it is called, if the file says.
   */
  record Argument(String value, MlirType type, List<MlirLocations.Part> location) {}

  boolean is(String kind) {
    return name.equals(kind);
  }

  /** The name of a symbol it defines or calls; empty when there is none. */
  String symbol() {
    Object symbol = attributes.getOrDefault("sym_name", attributes.get("callee"));
    return symbol instanceof String text ? text : "";
  }

  /** The operations of its only region; none when it has no region. */
  List<MlirOperation> body() {
    return regions.isEmpty() ? List.of() : regions.get(0).operations();
  }

  /** Hands over itself and then all operations nested in it, in the text's order. */
  void walk(Consumer<MlirOperation> visitor) {
    visitor.accept(this);
    regions.forEach(region -> region.operations().forEach(inner -> inner.walk(visitor)));
  }
}

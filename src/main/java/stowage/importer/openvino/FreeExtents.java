package stowage.importer.openvino;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.importer.io.DimOption;
import stowage.importer.io.InputException;

/**
 * Numbers for the extents that a file leaves open (-1). Each is called by its place, {@code
 * LAYER.AXIS}, and can be bound by that name. Those of inputs must be; others follow from them
 * where {@link ExtentRules} can derive them, and must be bound where they cannot.
 */
final class FreeExtents {
  private final Path file;
  private final Map<String, Long> given;
  private final Set<String> known = new LinkedHashSet<>();
  private final Map<String, List<String>> unbound = new LinkedHashMap<>();
  private int inferred;

  FreeExtents(Path file, Map<String, Long> given) {
    this.file = file;
    this.given = given;
  }

  /**
   * The extents of a layer's output.
   *
   * @param name of the output, by which the user binds its extents
   * @param reads what the layer reads
   * @param around extents that the graph around the layer's gives it; null when there are none
   * @return all extents; {@link IrGraph#OPEN} where one is not known, which {@link #check} will say
   */
  List<Long> resolve(
      IrGraph.Layer layer, IrGraph.Port port, String name, List<IrValue> reads, List<Long> around) {
    List<Long> extents = new ArrayList<>(declared(layer, port, name));
    for (int axis = 0; axis < extents.size(); axis++) {
      if (extents.get(axis) < 0) {
        String free = name + "." + axis;
        known.add(free);
        extents.set(axis, given.getOrDefault(free, IrGraph.OPEN));
      }
    }
    if (!extents.contains(IrGraph.OPEN)) {
      return extents;
    }
    List<Long> found = extents;
    boolean code = !layer.bodies().isEmpty();
    boolean known = reads.stream().allMatch(IrValue::known);
    if (around != null) {
      found = around.size() == extents.size() ? ExtentRules.merged(extents, around) : extents;
      known &= code || !around.contains(IrGraph.OPEN);
    } else if (known && !code) {
      List<List<Long>> shapes = reads.stream().map(value -> value.tensor().shape()).toList();
      found = ExtentRules.infer(layer, extents, shapes);
    }
    if (!found.contains(IrGraph.OPEN)) {
      inferred++;
    } else if (known) {
      // Where what is read is not known itself, the cause is elsewhere, and named there.
      List<Long> given = found;
      unbound.put(
          layer.where(),
          IntStream.range(0, found.size())
              .filter(axis -> given.get(axis) < 0)
              .mapToObj(axis -> name + "." + axis)
              .toList());
    }
    return found;
  }

  /** A port's extents; an input's are in its attributes where its port has none. */
  private List<Long> declared(IrGraph.Layer layer, IrGraph.Port port, String name) {
    String shape = layer.data().getOrDefault("shape", "").strip();
    if (!layer.type().equals("Parameter") || !port.dims().isEmpty() || shape.isEmpty()) {
      return port.dims();
    }
    List<Long> extents = new ArrayList<>();
    for (String part : shape.replaceAll("[\\[\\]]", "").split(",")) {
      String extent = part.strip();
      if (extent.equals("...")) {
        String what = "\"%s\" has shape \"%s\"; give its number of dimensions";
        throw layer.fault(file, what, name, shape);
      }
      extents.add(extent.matches("\\d{1,18}") ? Long.parseLong(extent) : IrGraph.OPEN);
    }
    return extents;
  }

  /** A remark on what was worked out, if anything was. */
  List<String> notes() {
    return inferred == 0
        ? List.of()
        : List.of(
            ("the file leaves the extents of %s values open; they were worked out from the"
                    + " inputs' as far as shapes and attributes say")
                .formatted(inferred));
  }

  /**
   * Makes sure that all names given are extents that the file leaves open, and that none stays so.
   */
  void check() {
    given.forEach(
        (name, value) -> {
          if (!known.contains(name)) {
            throw new InputException(
                file, "--dim " + name + "=" + value, DimOption.unknown(name, known));
          }
        });
    if (!unbound.isEmpty()) {
      List<String> open =
          unbound.values().stream().flatMap(List::stream).distinct().limit(8).toList();
      throw new InputException(file, unbound.keySet().iterator().next(), DimOption.request(open));
    }
  }
}

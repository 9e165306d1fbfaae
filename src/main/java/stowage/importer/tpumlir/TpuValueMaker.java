package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import stowage.importer.io.InputException;
import stowage.importer.io.UniqueNames;
import stowage.network.ElementType;
import stowage.network.InvalidNetworkException;

/**
 * Makes the values of a module: each has an id of its own, and a shape and an element type that are
 * known. Those outside of groups have names of their own too.
 */
final class TpuValueMaker {
  private final Path file;
  private final MlirLocations locations;
  private final UniqueNames names = new UniqueNames();
  private int made;

  TpuValueMaker(Path file, MlirLocations locations) {
    this.file = file;
    this.locations = locations;
  }

  int made() {
    return made;
  }

  /** Makes a value's name free again, for another that is the same tensor. */
  void release(TpuValue value) {
    names.release(value.name());
  }

  /** A value of the network. */
  TpuValue value(String name, MlirType type, boolean weight, int line) {
    TpuValue value =
        new TpuValue(
            "value:" + made++,
            names.of(name.isEmpty() ? "value" : name),
            shape(type, line),
            elementType(type, line),
            weight,
            type.address());
    try {
      value.bytes();
      return value;
    } catch (InvalidNetworkException tooLarge) {
      throw new InputException(file, "line " + line, tooLarge.getMessage(), tooLarge);
    }
  }

  /** What code is given, named by its location where it has one. */
  TpuValue argument(MlirOperation.Argument argument, int line) {
    List<String> located = locations.names(argument.location(), 1);
    String name = located.isEmpty() ? argument.value().substring(1) : located.get(0);
    return value(name, argument.type(), false, line);
  }

  /** The k-th result of a step inside of a group: its name may equal one outside. */
  TpuValue inside(MlirOperation step, int k) {
    List<String> located = locations.names(step.location(), k + 1);
    MlirType type = step.resultTypes().get(k);
    return new TpuValue(
        "inside:" + step.line() + ":" + step.results().get(0) + ":" + made++,
        located.isEmpty() ? step.name() : located.get(located.size() - 1),
        shape(type, step.line()),
        elementType(type, step.line()),
        false,
        OptionalLong.empty());
  }

  /** What a file calls an op's results: in locations today, in attributes in 2022. */
  List<String> resultNames(MlirOperation operation) {
    Object attribute = operation.attributes().get("name");
    if (attribute instanceof String name && !name.isEmpty()) {
      return List.of(name);
    }
    if (attribute instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    return locations.names(operation.location(), operation.results().size());
  }

  private List<Long> shape(MlirType type, int line) {
    if (type.shape().contains(-1L)) {
      throw InputException.atLine(
          file, line, type.text() + " has an extent that is not known; all should be numbers");
    }
    return type.shape();
  }

  private ElementType elementType(MlirType type, int line) {
    ElementType found = type.elementType();
    if (found == null) {
      String element = type.tensor() ? type.element() : type.text();
      throw InputException.atLine(file, line, "element type \"" + element + "\" is not known");
    }
    return found;
  }
}

package stowage.importer.tpumlir;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * Finds the network in a parsed file: its module, its functions, and the one that starts.
 *
 * <p>A file holds a module, in files of today with an inner one for each device. {@code main} calls
 * the functions the network was cut into (TPU and CPU parts).
 */
final class TpuMlirReader {
  private static final String ATTRIBUTE_PREFIX = "module.";

  private final Path file;
  private final MlirText text;
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final Map<String, MlirOperation> functions = new LinkedHashMap<>();
  private int devices;

  private TpuMlirReader(Path file, MlirText text) {
    this.file = file;
    this.text = text;
  }

  /**
   * A file's module, with what is needed to write into the text.
   *
   * @param text the whole file as it is
   * @param uses where the text names a value's type
   */
  record Result(TpuMlirModule module, String text, List<TypeUse> uses) {}

  /**
   * A place where the type of a value is written.
   *
   * @param type the type as it is there
   * @param value the value's id
   */
  record TypeUse(MlirType type, String value) {}

  static Result read(Path file) {
    byte[] bytes = InputFiles.readAllBytes(file);
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException malformed) {
      throw new InputException(file, "", "is not UTF-8 text", malformed);
    }
    return new TpuMlirReader(file, MlirParser.parse(file, text)).result();
  }

  private Result result() {
    for (MlirOperation operation : text.operations()) {
      collect(operation, List.of());
    }
    if (functions.isEmpty()) {
      throw new InputException(
          file, "", "has no function with code; a network is a module with a function main");
    }
    if (devices > 1) {
      throw new InputException(
          file,
          "",
          "holds modules for "
              + devices
              + " devices; each has its own memory and should be in its own file");
    }
    MlirOperation main = main();
    FunctionInliner inliner = new FunctionInliner(file, text, functions);
    inliner.run(main);
    String name =
        attributes.getOrDefault("name", attributes.getOrDefault("sym_name", "main")).toString();
    attributes.remove("sym_name");
    TpuMlirModule module =
        new TpuMlirModule(
            name, attributes, inliner.inputs(), inliner.outputs(), inliner.ops(), inliner.groups());
    return new Result(module, text.text(), inliner.uses());
  }

  private void collect(MlirOperation operation, List<String> path) {
    if (operation.name().equals("builtin.module")) {
      operation
          .attributes()
          .forEach(
              (key, value) ->
                  attributes.put(
                      key.startsWith(ATTRIBUTE_PREFIX)
                          ? key.substring(ATTRIBUTE_PREFIX.length())
                          : key,
                      value));
      boolean own = operation.body().stream().anyMatch(inner -> inner.name().equals("func.func"));
      devices += own ? 1 : 0;
      for (MlirOperation inner : operation.body()) {
        collect(inner, path);
      }
    } else if (operation.name().equals("func.func")) {
      if (!operation.regions().isEmpty() && devices <= 1) {
        MlirOperation earlier = functions.put(operation.symbol(), operation);
        if (earlier != null) {
          throw new InputException(
              file,
              "line " + operation.line(),
              "function @" + operation.symbol() + " is also defined in line " + earlier.line());
        }
      }
    } else {
      throw new InputException(
          file,
          "line " + operation.line(),
          "\"" + operation.name() + "\" is outside of any function");
    }
  }

  /** The function named main, or else the only one that no other calls. */
  private MlirOperation main() {
    if (functions.containsKey("main")) {
      return functions.get("main");
    }
    Set<String> called = new HashSet<>();
    functions.values().forEach(function -> called(function, called));
    List<String> starts =
        new ArrayList<>(functions.keySet().stream().filter(f -> !called.contains(f)).toList());
    if (starts.size() != 1) {
      throw new InputException(
          file,
          "",
          "has no function main, and %s functions that no other calls%s; one should start"
              .formatted(
                  starts.size(), starts.isEmpty() ? "" : " (" + String.join(", ", starts) + ")"));
    }
    return functions.get(starts.get(0));
  }

  private static void called(MlirOperation operation, Set<String> called) {
    if (operation.name().equals("func.call")) {
      called.add(operation.symbol());
    }
    operation
        .regions()
        .forEach(region -> region.operations().forEach(inner -> called(inner, called)));
  }
}

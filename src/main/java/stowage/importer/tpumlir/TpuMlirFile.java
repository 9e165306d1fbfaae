package stowage.importer.tpumlir;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.network.CompiledNetwork;
import stowage.network.CompiledNetwork.CompiledGroup;

/**
 * An opened TPU-MLIR file: its text, the code in it, parsed once, and the module that the code is.
 * Methods {@code with..} give the text of a changed file; everything else is kept byte for byte.
 *
 * <p>A file holds a module, in files of today with an inner one for each device. {@code main} calls
 * the functions the network was cut into (TPU and CPU parts).
 */
public final class TpuMlirFile {
  final Path path;
  private final String text;
  private final List<MlirOperation> operations;
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final Map<String, MlirOperation> functions = new LinkedHashMap<>();
  private final TpuMlirModule module;
  final List<TypeUse> uses;
  private int devices;
  private TpuNetwork spread;

  /** A place where the type of a value of an id is written. */
  record TypeUse(MlirType type, String value) {}

  /**
   * What runs at once in a grouping.
   *
   * @param op the position of an op by itself, -1 for a group
   * @param group null for an op by itself
   */
  public record Unit(int op, CompiledGroup group) {}

  private TpuMlirFile(Path path, String text) {
    this.path = path;
    this.text = text;
    MlirParser parser = new MlirParser(path, text);
    this.operations = parser.parse();
    operations.forEach(this::collect);
    if (functions.isEmpty()) {
      throw fault("has no function with code; a network is a module with a function main");
    }
    if (devices > 1) {
      throw fault(
          "holds modules for %s devices; each has its own memory and should be in its own file"
              .formatted(devices));
    }
    FunctionInliner inliner = new FunctionInliner(path, parser.locations, functions);
    inliner.run(main());
    Object name = attributes.getOrDefault("name", attributes.getOrDefault("sym_name", "main"));
    attributes.remove("sym_name");
    this.module = inliner.module(name.toString(), attributes);
    this.uses = inliner.uses;
  }

  /** Opens a file; a fault names the line, what is there and what should. O(length). */
  public static TpuMlirFile open(Path path) {
    return of(path, InputFiles.readText(path));
  }

  /** A file of a text; {@code path} is what messages call it. */
  public static TpuMlirFile of(Path path, String text) {
    return new TpuMlirFile(path, text);
  }

  private void collect(MlirOperation operation) {
    if (operation.is("builtin.module")) {
      operation
          .attributes()
          .forEach((key, value) -> attributes.put(key.replaceFirst("^module\\.", ""), value));
      devices += operation.body().stream().anyMatch(inner -> inner.is("func.func")) ? 1 : 0;
      operation.body().forEach(this::collect);
    } else if (!operation.is("func.func")) {
      throw fault(operation.line(), "\"" + operation.name() + "\" is outside of any function");
    } else if (!operation.regions().isEmpty() && devices <= 1) {
      MlirOperation earlier = functions.put(operation.symbol(), operation);
      if (earlier != null) {
        String what = "function @%s is also defined in line %s";
        throw fault(operation.line(), what, operation.symbol(), earlier.line());
      }
    }
  }

  /** The function named main, or else the only one that no other calls. */
  private MlirOperation main() {
    if (functions.containsKey("main")) {
      return functions.get("main");
    }
    Set<String> starts = new HashSet<>(functions.keySet());
    for (MlirOperation function : functions.values()) {
      function.walk(op -> starts.remove(op.is("func.call") ? op.symbol() : null));
    }
    if (starts.size() != 1) {
      List<String> names = functions.keySet().stream().filter(starts::contains).toList();
      String what =
          "has no function main, and %s functions that no other calls%s; one should start";
      throw fault(what, names.size(), names.isEmpty() ? "" : " (" + String.join(", ", names) + ")");
    }
    return functions.get(starts.iterator().next());
  }

  InputException fault(String what, Object... arguments) {
    return new InputException(path, "", what, arguments);
  }

  InputException fault(int line, String what, Object... arguments) {
    return InputException.atLine(path, line, what, arguments);
  }

  public String text() {
    return text;
  }

  /** The functions with code, in the text's order. */
  List<MlirOperation> functions() {
    return functions.values().stream().filter(function -> !function.body().isEmpty()).toList();
  }

  /** The module, its calls resolved. */
  public TpuMlirModule module() {
    return module;
  }

  /** The network with its layer groups spread out: their ops, which must be its, are ops of it. */
  public CompiledNetwork compiled() {
    return InputException.checked(path, "", () -> spread().compiled());
  }

  /** The network whose layer groups are one op each, with the GMEM addresses of the file. */
  public Input.Graph graph() {
    return TpuMlirFormat.graph(this);
  }

  private TpuNetwork spread() {
    if (spread == null) {
      spread = new TpuNetwork(module, true);
    }
    return spread;
  }

  /** By line of the text the op of {@link #compiled}'s network that is there. */
  Map<Integer, Integer> positions() {
    Map<Integer, Integer> positions = new HashMap<>();
    for (int line : spread().lines) {
      if (positions.put(line, positions.size()) != null) {
        throw fault(
            line,
            "runs more than once or has several ops; groups are written where each has a line");
      }
    }
    return positions;
  }

  /** By op of {@link #compiled}'s network the number of the function with code that it is in. */
  int[] functionOf(Map<Integer, Integer> positions) {
    int[] found = new int[positions.size()];
    List<MlirOperation> all = functions();
    for (int k = 0; k < all.size(); k++) {
      int number = k;
      all.get(k)
          .walk(
              operation -> {
                Integer position = positions.get(operation.line());
                if (position != null) {
                  found[position] = number;
                }
              });
    }
    return found;
  }

  /**
   * By op of {@link #compiled}'s network, the number of the function that it is in; -1 for ops that
   * no group may have, since their function runs on the CPU.
   */
  public int[] functionNumbers() {
    int[] found = functionOf(positions());
    List<MlirOperation> all = functions();
    for (int position = 0; position < found.length; position++) {
      Object mode = all.get(found[position]).attributes().get("mode");
      found[position] = String.valueOf(mode).contains("CPU") ? -1 : found[position];
    }
    return found;
  }

  /**
   * The text with a plan of GMEM: the addresses in the types of all values that are planned, and
   * the size of the memory they take.
   *
   * @param offsets bytes from the start of the activations' memory, by tensor; tensors that are not
   *     there keep their addresses
   * @param bytes what the activations take in all
   * @throws InputException when the file carries no addresses, or has no such tensor
   */
  public String withAddresses(Map<String, Long> offsets, long bytes) {
    return TpuMlirEdits.addresses(this, offsets, bytes);
  }

  /**
   * The text with other on-chip addresses of all of its layer groups, in order: {@code out_addr}
   * and {@code buffer_addr} in the {@code ginfo} of every op inside of a group.
   */
  public String withGroupAddresses(List<CompiledGroup> groups) {
    return TpuMlirEdits.groupAddresses(this, groups);
  }

  /**
   * The text with the ops of each function in another order, by the wanted place of the op that
   * makes a tensor; weights come before the first op that reads them. It is a fault when the ops
   * are in groups already, or several are in one line.
   */
  public String withOrder(Map<String, Integer> places) {
    return TpuMlirEdits.order(this, places);
  }

  /**
   * The text with its ops in other layer groups. Tensors that have addresses in GMEM keep them,
   * others get the lowest: these are to be planned afterwards.
   *
   * @param units the groups and the ops of {@link #compiled}'s network by themselves, in an order
   *     in which they can run; the ops of a group are in one {@linkplain #functionNumbers function}
   * @param kept numbers of the file's groups that stay as they are; their ops are by themselves
   *     among the units
   * @throws InputException when the file's code is of a form that cannot be written so
   */
  public String withGroups(List<Unit> units, Set<Integer> kept) {
    return GroupedFunctionPrinter.of(this, compiled().network(), units, kept);
  }
}

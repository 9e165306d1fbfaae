package stowage.importer.tpumlir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.Network;

/**
 * Writer of a TPU-MLIR file with its ops in other layer groups: groups are taken apart ({@link
 * UngroupedFunction}), and ops grouped again ({@link GroupedFunctionPrinter}) with loads, stores,
 * slices, steps and on-chip addresses. Ops keep their attributes, weights and names; what is not
 * code of the function with the groups stays letter by letter, and so do groups that are kept and
 * ops with nested code.
 *
 * <p>Tensors that the file has in GMEM keep their addresses there, others get the lowest: addresses
 * in GMEM are to be planned afterwards ({@link TpuMlirExport}).
 */
public final class TpuMlirRegroup {
  private TpuMlirRegroup() {}

  /**
   * What runs at once.
   *
   * @param op the position of an op by itself, -1 for a group
   * @param group null for an op by itself
   */
  public record Unit(int op, CompiledGroup group) {}

  /**
   * Writes a copy of a file with other groups.
   *
   * @param source a file for a chip
   * @param network of {@link CompiledGroups#of} of the same file
   * @param units the groups and the ops by themselves, in an order in which they can run; the ops
   *     of a group are in one {@linkplain #functions function}
   * @param kept numbers of the file's groups that stay as they are; their ops are by themselves
   *     among the units
   * @param target the file to write
   * @throws InputException when the file's code is of a form that cannot be written so
   * @throws IOException when the file cannot be written
   */
  public static void write(
      Path source, Network network, List<Unit> units, Set<Integer> kept, Path target)
      throws IOException {
    TpuMlirReader.Result read = TpuMlirReader.read(source);
    MlirText parsed = MlirParser.parse(source, read.text());
    Map<Integer, Integer> positions = positions(source, read.module());
    List<MlirOperation> functions = functions(parsed);
    int[] functionOf = functionOf(functions, positions);
    AddedLocations locations = new AddedLocations(read.text());
    Set<Integer> keptLines = new HashSet<>();
    kept.forEach(number -> keptLines.add(read.module().groups().get(number).op().line()));
    if (locations.isEmpty()) {
      throw new InputException(
          source,
          "",
          "keeps names as attributes, as TPU-MLIR did in 2022; groups of ours are written into"
              + " files that keep them as locations (--partition file keeps the groups)");
    }
    String text = read.text();
    for (int number = functions.size() - 1; number >= 0; number--) {
      MlirOperation function = functions.get(number);
      List<Unit> own = new ArrayList<>();
      for (Unit unit : units) {
        int first = unit.group() == null ? unit.op() : unit.group().members().get(0);
        if (functionOf[first] == number) {
          own.add(unit);
        }
      }
      boolean grouped = function.body().stream().anyMatch(op -> op.name().equals("tpu.Group"));
      if (grouped || own.stream().anyMatch(unit -> unit.group() != null)) {
        UngroupedFunction code =
            new UngroupedFunction(source, read.text(), function, network, positions, keptLines);
        text =
            new GroupedFunctionPrinter(
                    code,
                    words(source, read.text(), function, positions),
                    read.module().neuronAddress().orElse(0),
                    locations)
                .written(own, text);
      }
    }
    boolean ended = text.endsWith("\n") || locations.text().isEmpty();
    AtomicFiles.writeString(target, text + (ended ? "" : "\n") + locations.text());
  }

  private static GroupAttributes words(
      Path file, String text, MlirOperation function, Map<Integer, Integer> positions) {
    List<MlirOperation> groups =
        function.body().stream().filter(op -> op.name().equals("tpu.Group")).toList();
    boolean properties =
        function.body().stream()
            .filter(op -> positions.containsKey(op.line()))
            .anyMatch(op -> MlirAttributes.of(file, text, op).hasProperties());
    return new GroupAttributes(file, text, groups, properties);
  }

  /**
   * By op of the network of a file, the number of the function that it is in; -1 for ops that no
   * group may have, since their function runs on the CPU.
   */
  public static int[] functions(Path source) {
    TpuMlirReader.Result read = TpuMlirReader.read(source);
    List<MlirOperation> functions = functions(MlirParser.parse(source, read.text()));
    int[] found = functionOf(functions, positions(source, read.module()));
    for (int position = 0; position < found.length; position++) {
      MlirOperation function = functions.get(found[position]);
      boolean cpu = String.valueOf(function.attributes().get("mode")).contains("CPU");
      found[position] = cpu ? -1 : found[position];
    }
    return found;
  }

  private static Map<Integer, Integer> positions(Path file, TpuMlirModule module) {
    Map<Integer, Integer> positions = new HashMap<>();
    List<Integer> lines = CompiledGroups.lines(module);
    for (int position = 0; position < lines.size(); position++) {
      if (positions.put(lines.get(position), position) != null) {
        throw new InputException(
            file,
            "line " + lines.get(position),
            "runs more than once or has several ops; groups are written where each has a line");
      }
    }
    return positions;
  }

  /** All functions with code, as they are in the text. */
  private static List<MlirOperation> functions(MlirText parsed) {
    List<MlirOperation> found = new ArrayList<>();
    find(parsed.operations(), found);
    return found;
  }

  private static void find(List<MlirOperation> operations, List<MlirOperation> found) {
    for (MlirOperation operation : operations) {
      if (operation.name().equals("func.func") && !operation.body().isEmpty()) {
        found.add(operation);
      } else if (operation.name().equals("builtin.module")) {
        find(operation.body(), found);
      }
    }
  }

  private static int[] functionOf(List<MlirOperation> functions, Map<Integer, Integer> positions) {
    int[] found = new int[positions.size()];
    for (int number = 0; number < functions.size(); number++) {
      mark(functions.get(number), number, positions, found);
    }
    return found;
  }

  private static void mark(
      MlirOperation operation, int number, Map<Integer, Integer> positions, int[] found) {
    Integer position = positions.get(operation.line());
    if (position != null) {
      found[position] = number;
    }
    for (MlirOperation.Region region : operation.regions()) {
      region.operations().forEach(inner -> mark(inner, number, positions, found));
    }
  }
}

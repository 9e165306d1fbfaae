package stowage.cli.network;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.tpumlir.TpuMlirFile;
import stowage.network.CompiledNetwork;
import stowage.network.Op;
import stowage.onchip.CompilableGroups;
import stowage.onchip.FileGroup;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemScore;
import stowage.packing.RunControl;

/**
 * Export of a grouping into a copy of the TPU-MLIR file that it is of. What was written is read
 * back and verified before it gets its name: the network must be the same, every group must hold by
 * the rules that check any file; clashes, bytes moved and bytes in GMEM must not exceed the file's.
 *
 * @param file the input; null where it is no TPU-MLIR file
 * @param say tells the user what is not as asked for
 * @param files the file's groups that can be checked, by number; the others stay as they are
 */
record GroupExport(
    Path input,
    Path target,
    TpuMlirFile file,
    CompiledNetwork compiled,
    LayerGraph graph,
    LmemEngine engine,
    Consumer<String> say,
    Map<Integer, FileGroup> files) {
  /** Refuses an input that is no TPU-MLIR file for the chip of the graph. */
  GroupExport {
    UsageException.when(
        compiled == null || !compiled.chip().equals(graph.chip().name()),
        "--export writes groups into a TPU-MLIR file, on the chip it was compiled for; "
            + input.getFileName()
            + (compiled == null
                ? " is none"
                : " is for " + compiled.chip() + ", not for " + graph.chip().name()));
  }

  /**
   * A grouping in the form in which files hold groups; where that has more clashes or moves more
   * bytes than the file's own groups, those with our addresses. Groups that do not hold are not
   * compared with, nor is null.
   */
  Grouping noWorse(
      Grouping grouping, Grouping baseline, Supplier<Grouping> ofFile, RunControl control) {
    int[] functions = file.functionNumbers();
    for (int number : kept()) {
      compiled.groups().get(number).members().forEach(member -> functions[member] = -1);
    }
    Grouping ours = new CompilableGroups(graph, engine, control, functions).of(grouping);
    boolean checked =
        baseline != null
            && baseline.groups().stream().allMatch(group -> group.violations().isEmpty());
    if (!checked) {
      return ours;
    }
    String worse = null;
    if (ours.sum(LmemScore.CLASHES) > baseline.sum(LmemScore.CLASHES)) {
      worse =
          ours.sum(LmemScore.CLASHES) + " clashes, the file's " + baseline.sum(LmemScore.CLASHES);
    } else if (ours.trafficBytes() > baseline.trafficBytes()) {
      worse = ours.trafficBytes() + " bytes to move, the file's " + baseline.trafficBytes();
    }
    if (worse == null) {
      return ours;
    }
    say.accept(
        ("the groups of --partition %s have %s; the file's own groups are kept, with our addresses")
            .formatted(grouping.partition(), worse));
    return ofFile.get();
  }

  /** Numbers of the file's groups that cannot be checked. */
  private Set<Integer> kept() {
    return IntStream.range(0, compiled.groups().size())
        .filter(number -> !files.containsKey(number))
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Writes the file, of which {@code source} is the network with its plan of GMEM. */
  void write(Grouping grouping, Input.Graph source, RunControl control) {
    String text =
        grouping.partition().equals("file")
            ? file.withGroupAddresses(addressed(grouping))
            : regrouped(grouping, source, control);
    verify(TpuMlirFile.of(target, text).compiled());
    WrittenFile.writeString(target, text);
  }

  private List<CompiledNetwork.CompiledGroup> addressed(Grouping grouping) {
    Map<Integer, LmemPlacement> ours = new LinkedHashMap<>();
    for (PlannedGroup group : grouping.groups()) {
      if (group.isGrouped() && group.plan().placement() != null) {
        ours.put(group.first(), group.plan().placement());
      }
    }
    List<CompiledNetwork.CompiledGroup> written = new ArrayList<>();
    for (int number = 0; number < compiled.groups().size(); number++) {
      FileGroup own = files.get(number);
      if (own == null) {
        written.add(compiled.groups().get(number));
        continue;
      }
      LmemPlacement placement = ours.get(own.group().members()[0]);
      written.add(own.withAddresses(placement == null ? own.placement() : placement));
    }
    return written;
  }

  private String regrouped(Grouping grouping, Input.Graph source, RunControl control) {
    List<TpuMlirFile.Unit> units = new ArrayList<>();
    for (PlannedGroup group : grouping.groups()) {
      units.add(
          group.isGrouped()
              ? new TpuMlirFile.Unit(-1, CompilableGroups.compiled(group.plan()))
              : new TpuMlirFile.Unit(group.first(), null));
    }
    TpuMlirFile written = TpuMlirFile.of(target, file.withGroups(units, kept()));
    GroupGmem.Placed placed = GroupGmem.placed(written.graph(), source, graph.chip(), control);
    return placed.offsets().isEmpty()
        ? written.text()
        : written.withAddresses(placed.offsets(), placed.peak());
  }

  /** Checks that the written groups hold, and are no worse than those of the file. */
  private void verify(CompiledNetwork written) {
    checkSame(written);
    LayerGraph read = LayerGraph.of(written.network(), graph.chip());
    List<FileGroup> before = List.copyOf(files.values());
    Map<Integer, String> others = new TreeMap<>();
    List<FileGroup> after = List.copyOf(FileGroup.all(read, written, others).values());
    if (others.size() != kept().size()) {
      throw new InputException(input, "", "would have groups that cannot be checked: " + others);
    }
    boolean right = before.stream().allMatch(group -> group.differences().isEmpty());
    long clashes = 0;
    for (int k = 0; k < after.size(); k++) {
      FileGroup group = after.get(k);
      List<String> wrong = new ArrayList<>(group.violations());
      wrong.addAll(right ? group.differences() : List.of());
      if (!wrong.isEmpty()) {
        throw new InputException(input, "group " + k, "does not hold as written: " + wrong.get(0));
      }
      clashes += group.clashes();
    }
    boolean valid =
        !before.isEmpty() && before.stream().allMatch(group -> group.violations().isEmpty());
    long theirs = before.stream().mapToLong(FileGroup::clashes).sum();
    if (valid && clashes > theirs) {
      throw new InputException(
          input, "", "our groups have " + clashes + " clashes, the file's " + theirs);
    }
  }

  private void checkSame(CompiledNetwork written) {
    Map<String, Op> found = new HashMap<>();
    written.network().ops().forEach(op -> found.put(op.name(), op));
    for (Op op : compiled.network().ops()) {
      Op other = found.get(op.name());
      if (other == null
          || !other.type().equals(op.type())
          || !other.inputs().equals(op.inputs())
          || !other.outputs().equals(op.outputs())) {
        throw new InputException(
            input, "op \"" + op.name() + "\"", "would not be the same in the file written");
      }
    }
    if (written.network().ops().size() != compiled.network().ops().size()) {
      int[] counts = {written.network().ops().size(), compiled.network().ops().size()};
      throw new InputException(input, "", "would have other ops: " + Arrays.toString(counts));
    }
  }
}

package stowage.importer.tpumlir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.network.Baseline;

/**
 * TPU-MLIR's files as networks: for the planning of GMEM a layer group is one op, of which only the
 * results are tensors. Where a file carries addresses, they are a plan to compare with.
 */
public final class TpuMlirFormat extends InputFormat {
  /** Who made the plan that a file carries. */
  public static final String SOURCE = "TPU-MLIR";

  /** TPU-MLIR rounds sizes in GMEM up to this (lib/Dialect/Tpu/Transforms/AddressAssign). */
  private static final long ALIGNMENT = 4096;

  /** The same for chips of the CV18xx family. */
  private static final long CV18XX_ALIGNMENT = 16;

  public TpuMlirFormat() {
    super("a network as TPU-MLIR text", Set.of(Feature.PLANS), ".mlir");
  }

  @Override
  public List<String> writePlan(Path model, Planned plan, Path target) throws IOException {
    TpuMlirFile file = TpuMlirFile.open(model);
    AtomicFiles.writeString(target, file.withAddresses(plan.offsets(), plan.bytes()));
    return List.of();
  }

  @Override
  public String writeOrder(Path model, Map<String, Integer> places, Path target)
      throws IOException {
    AtomicFiles.writeString(target, TpuMlirFile.open(model).withOrder(places));
    return "TPU-MLIR sorts ops again unless model_deploy.py runs with --disable_topo_sort.";
  }

  @Override
  public Input.Graph read(Path file, Options options) {
    return graph(TpuMlirFile.open(file));
  }

  /** The network of an opened file, whose groups are one op each, with the plan of GMEM. */
  static Input.Graph graph(TpuMlirFile file) {
    List<String> notes = new ArrayList<>();
    try {
      Optional<Baseline> baseline = baseline(file.module(), notes);
      TpuNetwork network = new TpuNetwork(file.module(), false);
      return new Input.Graph(
          InputException.checked(file.path, "", () -> network.network(notes)), baseline);
    } catch (ArithmeticException overflow) {
      throw new InputException(
          file.path, "", "its addresses and sizes reach beyond what 64 bits hold", overflow);
    }
  }

  private static Optional<Baseline> baseline(TpuMlirModule module, List<String> notes) {
    Map<String, TpuValue> planned = new LinkedHashMap<>();
    int without = 0;
    for (TpuValue value : module.values()) {
      if (value.present() && !value.tensor().isWeight() && value.tensor().bytes() > 0) {
        if (value.address().isPresent()) {
          planned.put(value.name(), value);
        } else {
          without++;
        }
      }
    }
    if (planned.isEmpty()) {
      return Optional.empty();
    }
    if (without > 0) {
      notes.add("the file's own plan leaves out " + without + " tensors");
    }
    long alignment =
        module.chip().startsWith("cv18") && !module.chip().startsWith("cv184")
            ? CV18XX_ALIGNMENT
            : ALIGNMENT;
    Map<String, Long> offsets = offsets(planned, module, alignment, notes);
    return Optional.of(
        new Baseline(SOURCE, offsets, module.neuronBytes().orElse(-1), alignment, true));
  }

  /**
   * Addresses as offsets. Some modes put inputs and outputs into regions of their own, far away;
   * these are laid end to end, so that the largest offset says how much memory is used in all.
   */
  private static Map<String, Long> offsets(
      Map<String, TpuValue> planned, TpuMlirModule module, long alignment, List<String> notes) {
    TreeMap<Long, Long> ends = new TreeMap<>();
    long total = 0;
    for (TpuValue value : planned.values()) {
      long size = roundedUp(value.tensor().bytes(), alignment);
      ends.merge(value.address().getAsLong(), size, Math::max);
      total = Math.addExact(total, size);
    }
    // A hole larger than all tensors together separates two regions.
    TreeMap<Long, Long> shifts = new TreeMap<>();
    long base = Math.min(ends.firstKey(), module.neuronAddress().orElse(Long.MAX_VALUE));
    if (ends.firstKey() - base > total) {
      base = ends.firstKey();
    }
    long end = base;
    long used = 0;
    shifts.put(base, base);
    for (Map.Entry<Long, Long> block : ends.entrySet()) {
      if (block.getKey() - end > total) {
        used += roundedUp(end - base, alignment);
        base = block.getKey();
        shifts.put(base, base - used);
      }
      end = Math.max(end, block.getKey() + block.getValue());
    }
    if (shifts.size() > 1) {
      notes.add(
          "the file's own plan uses %s regions of memory; they are laid end to end"
              .formatted(shifts.size()));
    }
    Map<String, Long> offsets = new LinkedHashMap<>();
    planned.forEach(
        (name, value) -> {
          long address = value.address().getAsLong();
          offsets.put(name, address - shifts.floorEntry(address).getValue());
        });
    return Collections.unmodifiableMap(offsets);
  }

  private static long roundedUp(long size, long multiple) {
    return Math.multiplyExact(Math.addExact(size, multiple - 1) / multiple, multiple);
  }
}

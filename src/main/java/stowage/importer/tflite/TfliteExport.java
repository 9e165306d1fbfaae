package stowage.importer.tflite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.flat.FlatFront;
import stowage.importer.flat.FlatFront.Data;
import stowage.importer.flat.FlatFront.Node;
import stowage.importer.flat.FlatFront.Old;
import stowage.importer.flat.FlatFront.Table;
import stowage.importer.flat.FlatFront.Tables;
import stowage.importer.flat.FlatFront.Text;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.network.Tensor;

/**
 * Export of a plan into a TFLite file as metadata {@code OfflineMemoryAllocation}, so that TFLite
 * Micro puts every tensor where we put it.
 *
 * <p>The file is not taken apart: a new outermost table is put in front of it, see {@link
 * FlatFront}. Only offsets that count from the file's start (data outside tables) are corrected.
 */
public final class TfliteExport {
  /** TFLite Micro's alignment of tensors (MicroArenaBufferAlignment). */
  static final int ALIGNMENT = 16;

  private static final int MODEL_FIELDS = 8;
  private static final int BUFFER_OFFSET = 1;
  private static final int LARGE_OPTIONS_OFFSET = 9;

  private TfliteExport() {}

  /**
   * Writes a copy of a model with a plan in it.
   *
   * @param offsets bytes from the arena's start, by tensor; activations that are not there are left
   *     to the runtime
   * @throws InputException when the model cannot be read, an offset is not aligned or a tensor is
   *     not one of the model's
   */
  public static void write(Path source, Map<String, Long> offsets, Path target) throws IOException {
    TfliteModel model = TfliteModel.read(source);
    SubgraphLayout layout = new SubgraphLayout(model);
    byte[] written = write(model, Map.of(), List.of(), plan(model, layout, offsets));
    AtomicFiles.write(target, stream -> stream.write(written));
  }

  private static int[] plan(TfliteModel model, SubgraphLayout layout, Map<String, Long> offsets) {
    offsets.forEach((name, offset) -> check(model.file(), layout, name, offset));
    Map<String, Long> planned = new HashMap<>(offsets);
    planned.keySet().removeIf(name -> layout.tensors.get(name).kind() != Tensor.Kind.ACTIVATION);
    return OfflinePlan.of(layout.names(), planned);
  }

  private static void check(Path file, SubgraphLayout layout, String name, long offset) {
    if (layout.tensors.get(name) == null) {
      throw new InputException(
          file, "tensor \"" + name + "\"", "is in the plan, but not in the model");
    }
    if (offset < 0 || offset > Integer.MAX_VALUE || offset % ALIGNMENT != 0) {
      String what =
          "lies at %s; TFLite Micro takes multiples of %s below 2 GiB (plan without --alignment,"
              + " and for views inside of other tensors with --in-place none)";
      throw new InputException(file, "tensor \"" + name + "\"", what, offset, ALIGNMENT);
    }
  }

  /**
   * A copy of a model with other subgraphs and codes, more buffers, and a plan.
   *
   * @param replaced new content of fields of the table Model, by number
   * @param more buffers after those that the model has
   * @param plan the integers of the plan, null for none; a plan that the model has is dropped
   */
  static byte[] write(TfliteModel model, Map<Integer, Node> replaced, List<Node> more, int[] plan) {
    FlatTable root = model.root();
    checkFields(model, root, MODEL_FIELDS, "its outermost table");
    List<Node> buffers = new ArrayList<>();
    model.buffers().forEach(buffer -> buffers.add(new Old(buffer.table())));
    if (buffers.isEmpty()) {
      buffers.add(new Table());
    }
    buffers.addAll(more);
    List<Node> metadata = new ArrayList<>();
    for (TfliteModel.Metadata entry : model.metadata()) {
      if (!entry.name().equals(OfflinePlan.NAME)) {
        metadata.add(new Old(entry.table()));
      }
    }
    if (plan != null) {
      metadata.add(new Table(new Text(OfflinePlan.NAME), buffers.size()));
      buffers.add(new Table(new Data(OfflinePlan.integers(plan))));
    }
    Object[] fields = new Object[MODEL_FIELDS];
    Arrays.setAll(fields, field -> replaced.getOrDefault(field, FlatFront.target(root, field)));
    fields[TfliteModel.VERSION] = root.int32(TfliteModel.VERSION, 0);
    fields[TfliteModel.BUFFERS] = new Tables(buffers);
    fields[TfliteModel.METADATA] = new Tables(metadata);
    byte[] old = model.bytes().array();
    byte[] written = FlatFront.write(new Table(fields), TfliteModel.IDENTIFIER, old);
    correctAbsolute(model, written, written.length - old.length);
    return written;
  }

  /** Refuses a table with fields that are not known, for these would be lost. */
  static void checkFields(TfliteModel model, FlatTable table, int known, String what) {
    for (int field = known; field < table.fields(); field++) {
      if (table.place(field, 1) != 0) {
        throw model.fault("", "has a field of a newer schema in %s, which would be lost", what);
      }
    }
  }

  /** Data outside of the tables is found by its distance from the file's start. */
  private static void correctAbsolute(TfliteModel model, byte[] written, int moved) {
    Set<Integer> places = new HashSet<>(); // each once, since tables may be shared
    model.buffers().forEach(buffer -> places.add(buffer.table().place(BUFFER_OFFSET, Long.BYTES)));
    for (FlatTable subgraph : model.root().tables(TfliteModel.SUBGRAPHS)) {
      for (FlatTable operator : subgraph.tables(3)) {
        places.add(operator.place(LARGE_OPTIONS_OFFSET, Long.BYTES));
      }
    }
    places.remove(0);
    ByteBuffer out = ByteBuffer.wrap(written).order(ByteOrder.LITTLE_ENDIAN);
    for (int place : places) {
      long offset = out.getLong(moved + place);
      out.putLong(moved + place, offset > 1 ? offset + moved : offset);
    }
  }
}

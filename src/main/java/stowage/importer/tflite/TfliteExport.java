package stowage.importer.tflite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.network.Tensor;

/**
 * Writes a plan into a TFLite file as metadata {@code OfflineMemoryAllocation}, so that TFLite
 * Micro puts every tensor where we put it.
 *
 * <p>The file is not taken apart. Offsets in FlatBuffers count forward from where they are, so a
 * table that is put before everything else can point at all that follows, and what follows need not
 * know that it was moved:
 *
 * <pre>
 *   new:  root, "TFL3" | Model with its lists of buffers and metadata | metadata, data of the plan
 *   old:  root, "TFL3" | Model (no longer used) | all else, as it was
 * </pre>
 *
 * <p>The new part's length is a multiple of 16 bytes, which keeps the alignment of what follows.
 * Only offsets that count from the file's start (data kept outside of the tables) are corrected.
 */
public final class TfliteExport {
  /** TFLite Micro's alignment of tensors (MicroArenaBufferAlignment). */
  static final int ALIGNMENT = 16;

  private static final int MODEL_FIELDS = 8;
  private static final int BUFFER_OFFSET = 1;
  private static final int LARGE_OPTIONS_OFFSET = 9;

  private final TfliteModel model;
  private final byte[] old;
  private final Set<Integer> corrected = new HashSet<>();
  private ByteBuffer out;

  private TfliteExport(TfliteModel model, byte[] old) {
    this.model = model;
    this.old = old;
  }

  /**
   * Writes a copy of a model with a plan in it.
   *
   * @param source the model
   * @param offsets bytes from the arena's start, by tensor; activations that are not there are left
   *     to the runtime
   * @param target the file to write
   * @throws InputException when the model cannot be read, an offset is not aligned or a tensor is
   *     not one of the model's
   * @throws IOException when the file cannot be written
   */
  public static void write(Path source, Map<String, Long> offsets, Path target) throws IOException {
    byte[] bytes = InputFiles.readAllBytes(source);
    TfliteModel model = TfliteModel.of(source, bytes);
    SubgraphLayout layout = new SubgraphLayout(model);
    layout.run();
    byte[] written = new TfliteExport(model, bytes).with(plan(model, layout, offsets));
    AtomicFiles.write(target, stream -> stream.write(written));
  }

  private static int[] plan(TfliteModel model, SubgraphLayout layout, Map<String, Long> offsets) {
    int tensors = model.subgraphs().stream().mapToInt(s -> s.tensors().size()).sum();
    int[] plan = new int[OfflinePlan.HEADER + tensors];
    plan[0] = 1;
    plan[2] = tensors;
    Map<String, Tensor> known = new HashMap<>();
    layout.tensors().forEach(tensor -> known.put(tensor.name(), tensor));
    offsets.forEach((name, offset) -> check(model.file(), known, name, offset));
    int at = OfflinePlan.HEADER;
    for (int s = 0; s < model.subgraphs().size(); s++) {
      for (int t = 0; t < model.subgraphs().get(s).tensors().size(); t++) {
        Tensor tensor = known.get(layout.name(s, t));
        Long offset = offsets.get(tensor.name());
        boolean planned = offset != null && tensor.kind() == Tensor.Kind.ACTIVATION;
        plan[at++] = planned ? offset.intValue() : -1;
      }
    }
    return plan;
  }

  private static void check(Path file, Map<String, Tensor> known, String name, long offset) {
    if (!known.containsKey(name)) {
      throw new InputException(
          file, "tensor \"" + name + "\"", "is in the plan, but not in the model");
    }
    if (offset < 0 || offset > Integer.MAX_VALUE || offset % ALIGNMENT != 0) {
      throw new InputException(
          file,
          "tensor \"" + name + "\"",
          "lies at "
              + offset
              + "; TFLite Micro takes multiples of "
              + ALIGNMENT
              + " below 2 GiB (plan without --alignment, and for views inside of other tensors with"
              + " --in-place none)");
    }
  }

  private byte[] with(int[] plan) {
    FlatTable root = model.root();
    for (int field = MODEL_FIELDS; field < root.fields(); field++) {
      if (root.place(field, Integer.BYTES) != 0) {
        throw new InputException(
            model.file(),
            "",
            "has a field of a newer schema in its outermost table, which would be lost");
      }
    }
    List<FlatTable> kept = new ArrayList<>();
    for (TfliteModel.Metadata metadata : model.metadata()) {
      if (!metadata.name().equals(OfflinePlan.NAME)) {
        kept.add(metadata.table());
      }
    }
    int buffers = Math.max(1, model.buffers().size());
    byte[] name = OfflinePlan.NAME.getBytes(StandardCharsets.UTF_8);

    // Everything's place in the new part.
    int vtable = 8;
    int table = vtable + 4 + 2 * MODEL_FIELDS;
    int bufferList = table + 4 + 4 * MODEL_FIELDS;
    int metadataList = bufferList + 4 + 4 * (buffers + 1);
    int entryVtable = metadataList + 4 + 4 * (kept.size() + 1);
    int entry = entryVtable + 8;
    int entryName = entry + 12;
    int dataVtable = (entryName + 4 + name.length + 1 + 3) / 4 * 4;
    int data = dataVtable + 8;
    int emptyVtable = data + 8;
    int empty = emptyVtable + 4;
    int values = (empty + 4 + 4 + 15) / 16 * 16;
    int length = (values + 4 * plan.length + 15) / 16 * 16;

    out = ByteBuffer.allocate(length + old.length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0, table);
    out.put(4, "TFL3".getBytes(StandardCharsets.US_ASCII));
    vtable(vtable, table, 4 + 4 * MODEL_FIELDS, new int[MODEL_FIELDS]);
    for (int field = 0; field < MODEL_FIELDS; field++) {
      int place = root.place(field, Integer.BYTES);
      boolean present = place != 0 || field == TfliteModel.BUFFERS || field == TfliteModel.METADATA;
      out.putShort(vtable + 4 + 2 * field, (short) (present ? 4 + 4 * field : 0));
      int target = table + 4 + 4 * field;
      if (field == TfliteModel.VERSION) {
        out.putInt(target, root.int32(field, 0));
      } else if (field == TfliteModel.BUFFERS) {
        point(target, bufferList);
      } else if (field == TfliteModel.METADATA) {
        point(target, metadataList);
      } else if (place != 0) {
        point(target, length + place + model.bytes().getInt(place));
      }
    }
    out.putInt(bufferList, buffers + 1);
    for (int b = 0; b < model.buffers().size(); b++) {
      point(bufferList + 4 + 4 * b, length + model.buffers().get(b).table().position());
    }
    if (model.buffers().isEmpty()) {
      point(bufferList + 4, empty);
    }
    point(bufferList + 4 + 4 * buffers, data);
    out.putInt(metadataList, kept.size() + 1);
    for (int m = 0; m < kept.size(); m++) {
      point(metadataList + 4 + 4 * m, length + kept.get(m).position());
    }
    point(metadataList + 4 + 4 * kept.size(), entry);
    vtable(entryVtable, entry, 12, new int[] {4, 8});
    point(entry + 4, entryName);
    out.putInt(entry + 8, buffers);
    out.putInt(entryName, name.length);
    out.put(entryName + 4, name);
    vtable(dataVtable, data, 8, new int[] {4});
    point(data + 4, values - 4);
    vtable(emptyVtable, empty, 4, new int[0]);
    out.putInt(values - 4, 4 * plan.length);
    for (int k = 0; k < plan.length; k++) {
      out.putInt(values + 4 * k, plan[k]);
    }
    out.put(length, old);
    correctAbsolute(length);
    return out.array();
  }

  private void vtable(int place, int table, int tableBytes, int[] fields) {
    out.putShort(place, (short) (4 + 2 * fields.length));
    out.putShort(place + 2, (short) tableBytes);
    for (int k = 0; k < fields.length; k++) {
      out.putShort(place + 4 + 2 * k, (short) fields[k]);
    }
    out.putInt(table, table - place);
  }

  private void point(int from, int to) {
    out.putInt(from, to - from);
  }

  /** Data outside of the tables is found by its distance from the file's start. */
  private void correctAbsolute(int moved) {
    for (TfliteModel.Data buffer : model.buffers()) {
      correct(buffer.table().place(BUFFER_OFFSET, Long.BYTES), moved);
    }
    for (FlatTable subgraph : model.root().tables(TfliteModel.SUBGRAPHS)) {
      for (FlatTable operator : subgraph.tables(3)) {
        correct(operator.place(LARGE_OPTIONS_OFFSET, Long.BYTES), moved);
      }
    }
  }

  private void correct(int place, int moved) {
    // Tables may be shared; each place is corrected once.
    if (place != 0 && out.getLong(moved + place) > 1 && corrected.add(place)) {
      out.putLong(moved + place, out.getLong(moved + place) + moved);
    }
  }
}

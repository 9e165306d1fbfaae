package stowage.importer.executorch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * Export of a plan into an ExecuTorch program: the {@code allocation_info} of every tensor planned
 * and the {@code non_const_buffer_sizes} of its memories.
 *
 * <p>Numbers that are in the file are overwritten where they are. FlatBuffers leaves out numbers
 * that are 0, so a tensor that was at offset 0 has no place for another; it gets a new table after
 * the others. Then the constants after the tables move, by a multiple of their alignment, and the
 * header says where to; offsets in the tables count from there, and need not change. A plan in
 * other memories than the program's makes them memory ids from 1 on, with sizes of their own.
 *
 * <pre>
 *   old:  header | tables          | padding | constants
 *   new:  header | tables, patched | new allocation_infos | padding | constants
 * </pre>
 */
public final class PteExport {
  private static final int LARGEST_ALIGNMENT = 1 << 16;
  private static final int COPIED_BYTES = 1 << 16;

  /** A table's own vtable: its length, the table's, and where the three fields are. */
  private static final short[] VTABLE = {10, 16, 4, 8, 12, 0};

  private static final int ALLOCATION_BYTES = 16;

  private final PteProgram program;
  private final byte[] tables;

  /** The same bytes, little-endian. */
  private final ByteBuffer patched;

  private final Map<Integer, Integer> users = new HashMap<>();
  private final Map<Integer, Long> written = new HashMap<>();
  private ByteBuffer added;

  private PteExport(PteProgram program) {
    this.program = program;
    this.tables = Arrays.copyOf(program.bytes(), (program.bytes().length + 7) / 8 * 8);
    this.patched = ByteBuffer.wrap(tables).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Writes a copy of a program with a plan in it.
   *
   * @param module the method that is planned; empty for all
   * @param offsets bytes from the start of its memory, by buffer
   * @param ids the memory of each buffer; empty where each stays in its own
   * @throws InputException when the program cannot be read, a buffer has no offset, a memory would
   *     grow, or several methods would have to share new ones
   */
  public static void write(
      Path source, String module, Map<String, Long> offsets, Map<String, Integer> ids, Path target)
      throws IOException {
    PteProgram program = PteProgram.read(source);
    new PteExport(program).write(PteProblem.of(program, module), offsets, ids, target);
  }

  private void write(
      PteProblem problem, Map<String, Long> offsets, Map<String, Integer> ids, Path target)
      throws IOException {
    for (PteProgram.Method method : program.methods()) {
      for (PteProgram.Value value : method.values()) {
        if (value.tensor() != null && value.tensor().allocation() != null) {
          users.merge(value.tensor().allocation().position(), 1, Integer::sum);
        }
      }
    }
    int memories = ids.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (memories > 0 && problem.places.size() != 1) {
      throw new InputException(
          program.file(), "", "has memories of its own; --module METHOD plans one method");
    }
    long[] ends = new long[problem.places.size()];
    long[] sizes = new long[memories + 1];
    List<PlannedMethod.Group> groups = problem.groups;
    int tensors = users.values().stream().mapToInt(Integer::intValue).sum();
    added =
        ByteBuffer.allocate(
            2 * VTABLE.length + ALLOCATION_BYTES * tensors + Long.BYTES * (memories + 2));
    added.order(ByteOrder.LITTLE_ENDIAN);
    for (int g = 0; g < groups.size(); g++) {
      PlannedMethod.Group group = groups.get(g);
      String id = group.buffer().id();
      Long offset = offsets.get(id);
      if (offset == null) {
        throw new InputException(
            program.file(), "buffer \"" + id + "\"", "has no place in the plan");
      }
      int index = problem.memoryOf(g);
      PteProblem.Place place = problem.places.get(index);
      ends[index] = Math.max(ends[index], offset + group.buffer().size());
      for (int m = 0; m < group.members().size(); m++) {
        PteProgram.Value value = place.method().values().get(group.members().get(m));
        put(value.tensor(), ids.getOrDefault(id, place.id()), offset + group.distances().get(m));
      }
      if (memories > 0) {
        int memory = ids.get(id);
        sizes[memory] = Math.max(sizes[memory], offset + group.buffer().size());
      }
    }
    if (memories > 0) {
      replaceSizes(problem.places.get(0), sizes);
    }
    for (int p = 0; p < ends.length && memories == 0; p++) {
      resize(problem.places.get(p), ends[p]);
    }
    AtomicFiles.write(target, this::copy);
  }

  private void put(PteProgram.TensorInfo tensor, int memory, long offset) {
    Long before = written.put(tensor.table().position(), offset);
    if (before != null && before != offset) {
      String what = "uses one table for two tensors, which the plan has at %s and %s";
      throw new InputException(program.file(), "", what, before, offset);
    }
    if (before != null || offset == tensor.offset() && memory == tensor.memory()) {
      return;
    }
    FlatTable allocation = tensor.allocation();
    int id = allocation.place(0, Integer.BYTES);
    int low = allocation.place(1, Integer.BYTES);
    int high = allocation.place(2, Integer.BYTES);
    boolean fits = id != 0 && (low != 0 || (int) offset == 0) && (high != 0 || offset >>> 32 == 0);
    if (fits && users.get(allocation.position()) == 1) {
      patched.putInt(id, memory);
      if (low != 0) {
        patched.putInt(low, (int) offset);
      }
      if (high != 0) {
        patched.putInt(high, (int) (offset >>> 32));
      }
      return;
    }
    if (added.position() == 0) {
      for (short entry : VTABLE) {
        added.putShort(entry);
      }
    }
    int pointer = tensor.table().place(PteProgram.ALLOCATION_INFO, Integer.BYTES);
    patched.putInt(pointer, tables.length + added.position() - pointer);
    added.putInt(added.position()).putInt(memory).putInt((int) offset);
    added.putInt((int) (offset >>> 32));
  }

  /** Sets the sizes of new memories, after the tables where there are more than before. */
  private void replaceSizes(PteProblem.Place place, long[] sizes) {
    PteProgram.Method method = place.method();
    for (PteProgram.Value value : method.values()) {
      PteProgram.TensorInfo tensor = value.tensor();
      if (tensor != null && tensor.memory() > 0 && tensor.bytes() == 0) {
        put(tensor, 1, 0);
      }
    }
    if (sizes.length <= method.sizes().length) {
      for (int id = 1; id < method.sizes().length; id++) {
        long size = id < sizes.length ? sizes[id] : 0;
        patched.putLong(method.sizesPlace() + Long.BYTES * id, size);
      }
      return;
    }
    while ((tables.length + added.position() + Integer.BYTES) % Long.BYTES != 0) {
      added.put((byte) 0);
    }
    int pointer = method.sizesPointer();
    patched.putInt(pointer, tables.length + added.position() - pointer);
    added.putInt(sizes.length);
    for (long size : sizes) {
      added.putLong(size);
    }
  }

  /** Sets a memory's size, and moves tensors without bytes into it. */
  private void resize(PteProblem.Place place, long end) {
    long old = place.method().sizes()[place.id()];
    if (end > old) {
      String what = "takes %s bytes of memory %s; the plan would take %s";
      throw new InputException(
          program.file(), "method \"" + place.method().name() + "\"", what, old, place.id(), end);
    }
    patched.putLong(place.method().sizesPlace() + Long.BYTES * place.id(), end);
    for (PteProgram.Value value : place.method().values()) {
      PteProgram.TensorInfo tensor = value.tensor();
      if (tensor != null
          && tensor.memory() == place.id()
          && tensor.bytes() == 0
          && tensor.offset() > end) {
        put(tensor, place.id(), 0);
      }
    }
  }

  /** Writes header and tables, what is added to them, and what follows them in the file. */
  private void copy(OutputStream out) throws IOException {
    boolean grown = added.position() > 0;
    int length = grown ? tables.length + added.position() : program.bytes().length;
    long base = program.segmentBase();
    long behind = base == 0 ? program.bytes().length : base;
    if (base > 0 && length > base) {
      long alignment = Math.min(LARGEST_ALIGNMENT, Long.lowestOneBit(base));
      base += (length - base + alignment - 1) / alignment * alignment;
    }
    if (program.header()) {
      patched.putLong(PteProgram.PROGRAM_SIZE, length).putLong(PteProgram.SEGMENT_BASE, base);
    }
    out.write(tables, 0, Math.min(tables.length, length));
    if (grown) {
      out.write(added.array(), 0, added.position());
    }
    for (long at = length; at < base; at++) {
      out.write(0);
    }
    try (InputStream in = InputFiles.open(program.file())) {
      in.skipNBytes(behind);
      byte[] part = new byte[COPIED_BYTES];
      for (int count = in.read(part); count >= 0; count = in.read(part)) {
        out.write(part, 0, count);
      }
    }
  }
}

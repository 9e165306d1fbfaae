package stowage.importer.pytorch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.PackingBaseline;
import stowage.importer.io.UniqueNames;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * The allocations of one pool as a packing problem, with the most memory that the allocator held as
 * what it takes.
 *
 * <p>An allocation is alive from its event {@code alloc} to its {@code free_completed}, when its
 * memory may be given out again. A trace is a ring that may have lost its beginning: what is freed
 * without having been allocated is alive from the start, what is in the final segments without an
 * event is alive throughout, and what is not freed is live to the end. Likewise for segments.
 */
final class PoolProblem {
  /** PyTorch's caching allocator rounds sizes up to multiples of this (kMinBlockSize). */
  private static final long ALIGNMENT = 512;

  private final Path file;
  private final String name;
  private final MemorySnapshot.Pool pool;
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<Long> addresses = new ArrayList<>();
  private final UniqueNames names = new UniqueNames();
  private final int end;

  private record Alive(long bytes, int from) {}

  private PoolProblem(Path file, String name, MemorySnapshot.Pool pool) {
    this.file = file;
    this.name = name;
    this.pool = pool;
    this.end = Math.max(1, pool.steps());
  }

  static Input.Packing of(Path file, String name, MemorySnapshot.Pool pool) {
    String where = "pool \"" + name + "\"";
    return InputException.checked(file, where, new PoolProblem(file, name, pool)::input);
  }

  private void addBuffers() {
    Map<Long, Alive> alive = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    for (MemorySnapshot.Event event : pool.events()) {
      if (event.action() == MemorySnapshot.Action.ALLOC) {
        Alive lost = alive.put(event.address(), new Alive(event.bytes(), event.step()));
        if (lost != null) {
          // Its free is not in the trace; the address was given out again, so it was free by now.
          add(event.address(), lost.bytes(), lost.from(), event.step());
        }
        seen.add(event.address());
      } else if (event.action() == MemorySnapshot.Action.FREE_COMPLETED) {
        Alive known = alive.remove(event.address());
        if (known != null) {
          add(event.address(), known.bytes(), known.from(), event.step());
        } else if (seen.add(event.address())) {
          add(event.address(), event.bytes(), 0, event.step());
        }
      }
    }
    alive.forEach((address, known) -> add(address, known.bytes(), known.from(), end));
    for (MemorySnapshot.Extent block : pool.blocks()) {
      if (!seen.contains(block.address())) {
        add(block.address(), block.bytes(), 0, end);
      }
    }
  }

  private void add(long address, long bytes, int from, int to) {
    buffers.add(new Buffer(names.of(Long.toHexString(address)), bytes, from, Math.max(to, from)));
    addresses.add(address);
  }

  /** The most bytes of segments at once. */
  private long reserved() {
    long atEnd =
        pool.segments().stream().mapToLong(MemorySnapshot.Extent::bytes).reduce(0, Math::addExact);
    // From the end back to the start, where the segments are those that the trace does not make.
    long now = atEnd;
    long most = atEnd;
    for (int k = pool.events().size() - 1; k >= 0; k--) {
      MemorySnapshot.Event event = pool.events().get(k);
      if (event.action() == MemorySnapshot.Action.SEGMENT_ALLOC) {
        now = Math.subtractExact(now, event.bytes());
      } else if (event.action() == MemorySnapshot.Action.SEGMENT_FREE) {
        now = Math.addExact(now, event.bytes());
      }
      most = Math.max(most, now);
    }
    return most;
  }

  private Input.Packing input() {
    addBuffers();
    long bits = addresses.stream().reduce(ALIGNMENT, (one, other) -> one | other);
    Memory memory = new Memory("reserved", Memory.UNBOUNDED, Long.lowestOneBit(bits), 0, 0);
    PackingProblem problem =
        new PackingProblem(name, buffers, List.of(memory), ConflictPairs.none());
    long base = addresses.stream().mapToLong(Long::longValue).min().orElse(0);
    base -= Math.floorMod(base, ALIGNMENT);
    long first = base;
    long[] offsets = addresses.stream().mapToLong(address -> address - first).toArray();
    long reserved;
    try {
      reserved = reserved();
    } catch (ArithmeticException overflow) {
      throw new InputException(
          file, "pool \"" + name + "\"", "its segments have more than 2^63 bytes", overflow);
    }
    return new Input.Packing(
        problem,
        List.of(),
        new PackingBaseline("PyTorch", Placement.of(offsets), List.of(reserved), List.of()));
  }
}

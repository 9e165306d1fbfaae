package stowage.importer.xla;

import java.util.List;
import java.util.Map;

/**
 * A compiled module's buffer assignment, as XLA's messages {@code BufferAssignmentProto} and {@code
 * HloModuleProto} (openxla/xla, xla/service/hlo.proto) or their text say it.
 *
 * @param allocations in the file's order
 * @param traces what the heap simulator recorded, each once
 * @param events of all traces, those that are there twice too
 */
record XlaModule(
    String name,
    long logicalBuffers,
    List<Allocation> allocations,
    List<Trace> traces,
    long events) {

  /** One allocation: XLA's number of it, its bytes, what it is for, and the buffers in it. */
  record Allocation(long index, long bytes, Use use, List<Assigned> assigned) {}

  /** What an allocation is for. Only temporary ones are planned. */
  enum Use {
    TEMPORARY,
    PARAMETER,
    CONSTANT,
    LIVE_OUT,
    THREAD_LOCAL
  }

  /** A buffer's place in an allocation, in bytes. */
  record Assigned(long buffer, String name, long offset, long bytes) {}

  /**
   * The live ranges that one run of the heap simulator gave to buffers.
   *
   * @param lives first step and step after the last, by buffer
   * @param sharedWith the buffer whose memory a buffer uses, by the latter
   */
  record Trace(int steps, Map<Long, Life> lives, Map<Long, Long> sharedWith) {}

  /** Steps during which a buffer is alive, half-open. */
  record Life(int start, int end) {}

  long temporaryBytes() {
    return allocations.stream()
        .filter(allocation -> allocation.use() == Use.TEMPORARY)
        .mapToLong(Allocation::bytes)
        .reduce(0, (sum, own) -> sum + Math.max(0, Math.min(own, Long.MAX_VALUE / 2 - sum)));
  }

  /** Events of the traces where they say the live ranges of temporaries, else 0. */
  long weight() {
    boolean says =
        allocations.stream()
            .filter(allocation -> allocation.use() == Use.TEMPORARY)
            .flatMap(allocation -> allocation.assigned().stream())
            .anyMatch(assigned -> isTraced(assigned.buffer()));
    return says ? events : 0;
  }

  boolean isTraced(long buffer) {
    return traces.stream().anyMatch(trace -> trace.lives().containsKey(buffer));
  }
}

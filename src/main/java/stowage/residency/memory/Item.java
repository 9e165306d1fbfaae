package stowage.residency.memory;

import java.util.List;
import stowage.network.memory.MemoryMap;

/**
 * A buffer over the steps of a fixed order, as a residency plan sees it.
 *
 * @param id its name
 * @param bytes its size, aligned for the fast memory
 * @param kind what it is for
 * @param home index of its home among the map's homes; -1 where it may never leave the fast memory
 * @param given whether its home holds its value at the start: weights and inputs
 * @param wanted whether its home has to hold its value at the end: outputs
 * @param events its uses, by step
 */
public record Item(
    String id,
    long bytes,
    MemoryMap.Kind kind,
    int home,
    boolean given,
    boolean wanted,
    List<Event> events) {

  /**
   * A use of a buffer by an op.
   *
   * @param step position in the order
   * @param readBytes bytes read
   * @param writtenBytes bytes written
   */
  public record Event(int step, long readBytes, long writtenBytes) {}

  /** Keeps an unmodifiable copy. */
  public Item {
    events = List.copyOf(events);
  }
}

package stowage.residency.memory;

import java.util.List;
import stowage.network.memory.MemoryMap;

/**
 * A buffer over the steps of a fixed order, as a residency plan sees it.
 *
 * @param bytes its size, aligned for the fast memories
 * @param kind what it is for
 * @param home number of the memory where it has a place for its whole live range; a fast one where
 *     a rule pins it there
 * @param given whether its home holds its value at the start: weights and inputs
 * @param wanted whether its home has to hold its value at the end: outputs
 * @param events its uses, by step
 */
public record HeldBuffer(
    String id,
    long bytes,
    MemoryMap.Kind kind,
    int home,
    boolean given,
    boolean wanted,
    List<Event> events) {

  /** A use of a buffer by an op. */
  public record Event(int step, long readBytes, long writtenBytes) {
    /** Whether the op touches a byte; else the buffer is only there. */
    public boolean isUse() {
      return readBytes > 0 || writtenBytes > 0;
    }
  }

  public HeldBuffer {
    events = List.copyOf(events);
  }

  /** Its id and bytes, for people. */
  public String label() {
    return id + " (" + bytes + ")";
  }

  /** The step of the first event. */
  public int first() {
    return events.get(0).step();
  }

  /** The step of the last event. */
  public int last() {
    return events.get(events.size() - 1).step();
  }

  /** Whether an event writes the buffer; the first one of what is not given makes it. */
  public boolean writes(int event) {
    return events.get(event).writtenBytes() > 0 || event == 0 && !given;
  }

  /** The step of the event after one; the number of steps after the last. */
  public int nextStep(int event, int steps) {
    return event + 1 < events.size() ? events.get(event + 1).step() : steps;
  }

  /** The first step at which its home has a place for it. */
  public int homeFrom() {
    return given ? 0 : first();
  }

  /** The step after the last at which its home has a place for it. */
  public int homeTo(int steps) {
    return wanted || kind == MemoryMap.Kind.WEIGHTS ? steps : last() + 1;
  }
}

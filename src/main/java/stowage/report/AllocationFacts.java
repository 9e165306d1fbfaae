package stowage.report;

import java.util.List;

/**
 * What a system that allocates memory object by object asks for.
 *
 * @param streams networks that run side by side over one set of constants
 * @param objects allocations of one stream, constants apart
 * @param objectBytes what these take
 * @param constantBytes what the constants take, once for all streams
 * @param types the figures of each type of memory, constants and all streams together
 */
public record AllocationFacts(
    int streams, int objects, long objectBytes, long constantBytes, List<MemoryType> types) {

  /** Copies the types. */
  public AllocationFacts {
    types = List.copyOf(types);
  }

  /**
   * A type of memory.
   *
   * @param name such as {@code usm_device}
   * @param current bytes in use once all is allocated
   * @param max the most bytes in use at once until then
   */
  public record MemoryType(String name, long current, long max) {}
}

package stowage.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a running system says of its memory pool: which allocations there are and who uses them, as
 * OpenVINO's GPU plugin dumps it.
 *
 * @param users one for each use of an allocation
 */
public record PoolDump(List<User> users) {
  /** The pool of allocations without padding. */
  public static final String PLAIN = "non_padded_pool";

  /** The pool of allocations with padding. */
  public static final String PADDED = "padded_pool";

  /** Allocations that are not used again. */
  public static final String NOT_REUSED = "no_reusable_pool";

  /** All kinds of pools. */
  public static final List<String> POOLS = List.of(PLAIN, PADDED, NOT_REUSED);

  public PoolDump {
    users = List.copyOf(users);
  }

  /**
   * One use of an allocation.
   *
   * @param pool one of {@link #POOLS}
   * @param layout the layout of a padded allocation, else empty
   * @param address where the allocation is, as it is in the dump
   * @param memory the type of memory, such as {@code usm_device}
   * @param poolBytes bytes of the allocation
   * @param primitive the user's name
   * @param uniqueId the user's number
   * @param bytes what the user asked for
   */
  public record User(
      String pool,
      String layout,
      String address,
      String memory,
      long poolBytes,
      String primitive,
      long uniqueId,
      long bytes) {}

  /** The users of each allocation, by its type of memory and address, in the dump's order. */
  public Map<String, List<User>> allocations() {
    Map<String, List<User>> found = new LinkedHashMap<>();
    for (User user : users) {
      String key = user.memory() + " " + user.address();
      found.computeIfAbsent(key, none -> new ArrayList<>()).add(user);
    }
    return found;
  }
}

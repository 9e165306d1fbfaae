package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.liveness.PlanningCase;
import stowage.network.PoolDump;

/**
 * Check of what the plugin's pool gave to whom, from its own dump.
 *
 * <p><b>From the dump alone</b>: all users of an allocation agree on what it is; each asked for no
 * more bytes than it has; no one uses one twice (a node restricts itself, so two results of it
 * never share); what is not reused has one user; no two allocations of shared memory overlap in
 * addresses.
 *
 * <p><b>With the network</b>: two users of an allocation must not be alive at once ({@link
 * PoolNetwork}), and each must have asked for what its result takes at least. Users that the
 * network does not have (the plugin adds reorders and fuses ops) are counted and not judged. Two
 * that are never alive at once, but that the plugin's passes keep apart on this network, are a
 * warning: the program that ran may have been another after fusing.
 *
 * <p>O(users + pairs of users of one allocation).
 *
 * @param known how many of them the network has; -1 without a network
 * @param pools figures by kind of pool, in the order of {@link PoolDump#POOLS}
 * @param memories bytes of allocations by type of memory
 * @param faults what does not hold
 * @param warnings what is suspicious
 */
public record PoolAudit(
    int users,
    int known,
    int allocations,
    List<Pool> pools,
    Map<String, Long> memories,
    List<Fault> faults,
    List<String> warnings) {

  /** What may be wrong. */
  public enum Kind {
    /** Users alive at once share memory, or allocations overlap in addresses. */
    OVERLAP,
    /** A user asked for more than the allocation has, or for less than its result takes. */
    SIZE,
    /** Lines on one allocation contradict each other. */
    CONTRADICTION
  }

  /** One thing that does not hold, in a sentence. */
  public record Fault(Kind kind, String text) {
    private static Fault of(Kind kind, String format, Object... values) {
      return new Fault(kind, format.formatted(values));
    }
  }

  /**
   * A kind of pool: its name in the dump, its allocations and their bytes, the bytes that all users
   * together asked for, and the smallest share of its allocation that a user asked for, 0 to 1.
   */
  public record Pool(String name, int allocations, long bytes, long requested, double least) {
    /** Requested by allocated bytes, as the plugin reports it; above 1 where memory is reused. */
    public double efficiency() {
      return bytes == 0 ? 0 : (double) requested / bytes;
    }
  }

  public PoolAudit {
    pools = List.copyOf(pools);
    memories = Collections.unmodifiableMap(memories);
    faults = List.copyOf(faults);
    warnings = List.copyOf(warnings);
  }

  /** Whether nothing is wrong. */
  public boolean holds() {
    return faults.isEmpty();
  }

  /** Checks a dump against the network that ran, or null. */
  public static PoolAudit of(PoolDump dump, PlanningCase planningCase) {
    List<Fault> faults = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    PoolNetwork network = planningCase == null ? null : new PoolNetwork(planningCase);
    List<List<PoolDump.User>> allocations = List.copyOf(dump.allocations().values());
    for (List<PoolDump.User> users : allocations) {
      checkAlone(users, faults);
      if (network != null) {
        checkPairs(users, network, faults, warnings);
      }
    }
    checkAddresses(allocations, faults);
    int known = network == null ? -1 : 0;
    if (network != null) {
      for (PoolDump.User user : dump.users()) {
        known += network.knows(user) ? 1 : 0;
        long least = network.leastBytes(user);
        if (least > user.bytes()) {
          String text = "%s asked for %s bytes, but needs %s";
          faults.add(Fault.of(Kind.SIZE, text, quoted(user), user.bytes(), least));
        }
      }
    }
    Map<String, Long> memories = new TreeMap<>();
    allocations.forEach(
        users -> memories.merge(users.get(0).memory(), users.get(0).poolBytes(), Long::sum));
    return new PoolAudit(
        dump.users().size(),
        known,
        allocations.size(),
        pools(allocations),
        memories,
        faults,
        warnings);
  }

  private static List<Pool> pools(List<List<PoolDump.User>> allocations) {
    List<Pool> pools = new ArrayList<>();
    for (String name : PoolDump.POOLS) {
      int count = 0;
      long bytes = 0;
      long requested = 0;
      double least = 1;
      for (List<PoolDump.User> users : allocations) {
        if (users.get(0).pool().equals(name)) {
          count++;
          bytes += users.get(0).poolBytes();
          for (PoolDump.User user : users) {
            requested += user.bytes();
            least = Math.min(least, (double) user.bytes() / Math.max(1, user.poolBytes()));
          }
        }
      }
      if (count > 0) {
        pools.add(new Pool(name, count, bytes, requested, least));
      }
    }
    return pools;
  }

  private static void checkAlone(List<PoolDump.User> users, List<Fault> faults) {
    PoolDump.User first = users.get(0);
    for (int k = 0; k < users.size(); k++) {
      PoolDump.User user = users.get(k);
      if (!user.pool().equals(first.pool()) || user.poolBytes() != first.poolBytes()) {
        faults.add(
            Fault.of(
                Kind.CONTRADICTION,
                "%s is of %s with %s bytes for %s, of %s with %s for %s",
                allocation(user),
                first.pool(),
                first.poolBytes(),
                quoted(first),
                user.pool(),
                user.poolBytes(),
                quoted(user)));
      }
      if (user.bytes() > user.poolBytes()) {
        faults.add(
            Fault.of(
                Kind.SIZE,
                "%s asked for %s bytes of %s, which has %s",
                quoted(user),
                user.bytes(),
                allocation(user),
                user.poolBytes()));
      }
      for (int j = 0; j < k; j++) {
        if (users.get(j).uniqueId() == user.uniqueId()) {
          faults.add(
              new Fault(Kind.OVERLAP, quoted(user) + " uses " + allocation(user) + " twice"));
        }
      }
    }
    if (first.pool().equals(PoolDump.NOT_REUSED) && users.size() > 1) {
      faults.add(
          new Fault(
              Kind.OVERLAP,
              allocation(first) + " is not reused, and has " + users.size() + " users"));
    }
  }

  private static void checkPairs(
      List<PoolDump.User> users, PoolNetwork network, List<Fault> faults, List<String> warnings) {
    for (int k = 0; k < users.size(); k++) {
      for (int j = 0; j < k; j++) {
        PoolDump.User one = users.get(j);
        PoolDump.User other = users.get(k);
        if (one.uniqueId() == other.uniqueId()) {
          continue; // already reported
        }
        String pair = quoted(one) + " and " + quoted(other) + " share " + allocation(one);
        String why = network.conflict(one, other);
        if (why != null) {
          faults.add(new Fault(Kind.OVERLAP, pair + ", " + why));
        } else if (network.restricts(one, other)) {
          warnings.add(pair + ", which the plugin's passes forbid on this network");
        }
      }
    }
  }

  /** Neighbours in order of address, of each type of unified shared memory. */
  private static void checkAddresses(List<List<PoolDump.User>> allocations, List<Fault> faults) {
    List<PoolDump.User> firsts =
        allocations.stream()
            .map(users -> users.get(0))
            .filter(user -> user.memory().startsWith("usm_") && address(user) > 0)
            .sorted(
                Comparator.comparing(PoolDump.User::memory).thenComparingLong(PoolAudit::address))
            .toList();
    for (int k = 1; k < firsts.size(); k++) {
      PoolDump.User before = firsts.get(k - 1);
      PoolDump.User user = firsts.get(k);
      if (before.memory().equals(user.memory())
          && address(user) - address(before) < before.poolBytes()) {
        faults.add(
            new Fault(
                Kind.OVERLAP,
                "%s has %s bytes and reaches into %s"
                    .formatted(allocation(before), before.poolBytes(), allocation(user))));
      }
    }
  }

  /** The address as a number, 0 where it is none. */
  private static long address(PoolDump.User user) {
    String text = user.address().startsWith("0x") ? user.address().substring(2) : user.address();
    try {
      return Long.parseUnsignedLong(text, 16);
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  private static String allocation(PoolDump.User user) {
    return user.memory() + " " + user.address();
  }

  private static String quoted(PoolDump.User user) {
    return "\"" + user.primitive() + "\"";
  }
}

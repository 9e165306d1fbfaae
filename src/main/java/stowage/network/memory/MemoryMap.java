package stowage.network.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import stowage.network.InvalidNetworkException;

/**
 * The memories of a chip as a plan sees them: fast ones, the innermost first, which are planned
 * step by step, and the slower ones behind them, where whatever does not fit has its home. Memories
 * have numbers: the fast ones from 0 on, then the homes.
 *
 * @param fastSpaces the memories that are planned, the innermost first, at least one
 * @param homes the memories behind them, at least one
 * @param overlap whether a DMA channel moves data while ops compute; else ops wait for transfers
 * @param mustBeFast kinds of buffers that ops can use in the memory that they compute from alone
 * @param rules which buffers have their home where, the first that matches counts; buffers that
 *     none matches go to the first home that can be written
 * @param links pairs of memories between which data moves, with figures of their own; where there
 *     are none, data moves between any two at the figures of the outer one
 * @param compute what ops compute from, and how fast; the first rule that matches an op counts
 */
public record MemoryMap(
    String name,
    List<Space> fastSpaces,
    List<Space> homes,
    boolean overlap,
    List<Kind> mustBeFast,
    List<Rule> rules,
    List<Link> links,
    List<Compute> compute) {

  /** What a buffer is for. */
  public enum Kind {
    /** Constant data of the model. */
    WEIGHTS,
    /** Results of ops, inputs and outputs of the network. */
    ACTIVATIONS,
    /** Working space of one op. */
    SCRATCH
  }

  /**
   * A memory.
   *
   * @param name unique in the map
   * @param capacity in bytes
   * @param alignment of what is in it, in bytes
   * @param base its first address
   * @param bytesPerMicrosecond how fast it is read and written
   * @param setupNanoseconds what beginning a transfer or an access from an op costs
   * @param granularity transfers move multiples of so many bytes
   * @param writable false for flash and ROM
   */
  public record Space(
      String name,
      long capacity,
      long alignment,
      long base,
      double bytesPerMicrosecond,
      long setupNanoseconds,
      long granularity,
      boolean writable) {

    private Space withCapacity(long bytes) {
      return new Space(
          name,
          bytes,
          alignment,
          base,
          bytesPerMicrosecond,
          setupNanoseconds,
          granularity,
          writable);
    }

    /** Bytes that a transfer of a buffer moves. */
    public long moved(long bytes) {
      return (bytes + granularity - 1) / granularity * granularity;
    }

    /** Nanoseconds of an access to so many bytes, with its set-up; 0 for none. */
    public long nanoseconds(long bytes) {
      return bytes == 0
          ? 0
          : setupNanoseconds + MemoryMap.nanoseconds(moved(bytes), bytesPerMicrosecond);
    }
  }

  /**
   * A rule of where buffers have their home.
   *
   * @param kind which kind it is for; null for any
   * @param op the name of an op: the rule is for what that op makes and its scratch; null for any
   * @param memory the home's name; the fast memory's for buffers that never leave it
   */
  public record Rule(Kind kind, String op, String memory) {}

  /**
   * Two memories between which data moves.
   *
   * @param bytesPerMicrosecond how fast
   * @param setupNanoseconds what beginning a transfer costs
   * @param granularity transfers move multiples of so many bytes
   */
  public record Link(
      int one, int other, double bytesPerMicrosecond, long setupNanoseconds, long granularity) {

    /** Bytes that a transfer of a buffer moves. */
    public long moved(long bytes) {
      return (bytes + granularity - 1) / granularity * granularity;
    }

    /** Nanoseconds of a transfer of a buffer. */
    public long nanoseconds(long bytes) {
      return setupNanoseconds + MemoryMap.nanoseconds(moved(bytes), bytesPerMicrosecond);
    }
  }

  /**
   * A rule of what ops compute from and how long they compute: the longest of the times given.
   *
   * @param op name of the op; null for any
   * @param type type of the ops; null for any
   * @param memory number of the memory that they compute from
   * @param only whether they can use no other memory
   * @param macsPerNanosecond multiply-accumulates; 0 where no time comes from them
   * @param bytesPerMicrosecond bytes of operands and results; 0 where no time comes from them
   * @param nanoseconds of each op at least
   */
  public record Compute(
      String op,
      String type,
      int memory,
      boolean only,
      double macsPerNanosecond,
      double bytesPerMicrosecond,
      long nanoseconds) {

    /** Nanoseconds of an op that makes so many products and touches so many bytes. */
    public long nanoseconds(long macs, long bytes) {
      double byMacs = macsPerNanosecond > 0 ? Math.ceil(macs / macsPerNanosecond) : 0;
      double byBytes = bytesPerMicrosecond > 0 ? Math.ceil(1000 * bytes / bytesPerMicrosecond) : 0;
      return Math.max(nanoseconds, (long) Math.max(byMacs, byBytes));
    }
  }

  private static final Compute ANYWHERE = new Compute(null, null, 0, false, 0, 0, 0);

  /** Nanoseconds that no access or transfer counts more than; no plan takes so long. */
  public static final long MOST_NANOSECONDS = 1L << 60;

  private static long nanoseconds(long bytes, double bytesPerMicrosecond) {
    return (long) Math.min(MOST_NANOSECONDS, Math.ceil(1000 * bytes / bytesPerMicrosecond));
  }

  /** Checks that names are unique and rules name memories of the map. */
  public MemoryMap {
    fastSpaces = List.copyOf(fastSpaces);
    homes = List.copyOf(homes);
    mustBeFast = List.copyOf(mustBeFast);
    rules = List.copyOf(rules);
    links = List.copyOf(links);
    compute = List.copyOf(compute);
    if (homes.stream().noneMatch(Space::writable)) {
      throw new InvalidNetworkException(
          "no memory behind the fast ones is writable; results need a home");
    }
    List<String> names = new ArrayList<>();
    for (Space space : Stream.concat(fastSpaces.stream(), homes.stream()).toList()) {
      if (names.contains(space.name())) {
        throw new InvalidNetworkException("memory \"" + space.name() + "\" is defined twice");
      }
      names.add(space.name());
    }
    for (Space space : fastSpaces) {
      if (!space.writable()) {
        throw new InvalidNetworkException(
            "memory \"" + space.name() + "\" is a fast one and should be writable");
      }
    }
    for (Rule rule : rules) {
      if (!names.contains(rule.memory())) {
        throw new InvalidNetworkException(
            "a rule names the memory \"" + rule.memory() + "\", which the map does not have");
      }
    }
  }

  /** The innermost memory. */
  public Space fast() {
    return fastSpaces.get(0);
  }

  /** How many memories are planned; homes have the numbers from there on. */
  public int fastCount() {
    return fastSpaces.size();
  }

  /** How many memories there are. */
  public int count() {
    return fastSpaces.size() + homes.size();
  }

  public Space space(int memory) {
    return memory < fastSpaces.size()
        ? fastSpaces.get(memory)
        : homes.get(memory - fastSpaces.size());
  }

  /** The number of a memory; -1 where there is none of this name. */
  public int indexOf(String memory) {
    return Stream.concat(fastSpaces.stream(), homes.stream())
        .map(Space::name)
        .toList()
        .indexOf(memory);
  }

  /** The link between two memories; null where no data moves between them. */
  public Link link(int one, int other) {
    for (Link link : links) {
      if (link.one() == one && link.other() == other
          || link.one() == other && link.other() == one) {
        return link;
      }
    }
    Space outer = space(Math.max(one, other));
    return links.isEmpty()
        ? new Link(
            one, other, outer.bytesPerMicrosecond(), outer.setupNanoseconds(), outer.granularity())
        : null;
  }

  /** The rule of what an op computes from; the innermost memory, in no time, where none matches. */
  public Compute computeOf(String op, String type) {
    return compute.stream()
        .filter(rule -> rule.op() == null || rule.op().equals(op))
        .filter(rule -> rule.type() == null || rule.type().equals(type))
        .findFirst()
        .orElse(ANYWHERE);
  }

  /** The map with another capacity of the innermost memory. */
  public MemoryMap withFastCapacity(long bytes) {
    List<Space> changed = new ArrayList<>(fastSpaces);
    changed.set(0, fast().withCapacity(bytes));
    return new MemoryMap(name, changed, homes, overlap, mustBeFast, rules, links, compute);
  }
}

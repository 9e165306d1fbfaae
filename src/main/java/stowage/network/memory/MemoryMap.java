package stowage.network.memory;

import java.util.List;
import stowage.network.InvalidNetworkException;

/**
 * The memories of a chip as a plan sees them: one fast memory, which is planned step by step, and
 * the slower ones behind it, where whatever does not fit has its home.
 *
 * @param name of the map
 * @param fast the memory that is planned
 * @param homes the memories behind it, at least one
 * @param overlap whether a DMA channel moves data while ops compute; else ops wait for each
 *     transfer
 * @param mustBeFast kinds of buffers that ops can use in the fast memory alone
 * @param rules which buffers have their home where, the first that matches counts; buffers that
 *     none matches go to the first home that can be written
 */
public record MemoryMap(
    String name,
    Space fast,
    List<Space> homes,
    boolean overlap,
    List<Kind> mustBeFast,
    List<Rule> rules) {

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

    /** Bytes that a transfer of a buffer moves. */
    public long moved(long bytes) {
      return (bytes + granularity - 1) / granularity * granularity;
    }

    /** Nanoseconds of an access to so many bytes, with its set-up; 0 for none. */
    public long nanoseconds(long bytes) {
      return bytes == 0
          ? 0
          : setupNanoseconds + (long) Math.ceil(1000 * moved(bytes) / bytesPerMicrosecond);
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

  /** Checks that names are unique and rules name memories of the map. */
  public MemoryMap {
    homes = List.copyOf(homes);
    mustBeFast = List.copyOf(mustBeFast);
    rules = List.copyOf(rules);
    if (homes.stream().noneMatch(Space::writable)) {
      throw new InvalidNetworkException(
          "no memory behind \"" + fast.name() + "\" is writable; results need a home");
    }
    for (int k = 0; k < homes.size(); k++) {
      String home = homes.get(k).name();
      if (home.equals(fast.name())
          || homes.subList(0, k).stream().anyMatch(other -> other.name().equals(home))) {
        throw new InvalidNetworkException("memory \"" + home + "\" is defined twice");
      }
    }
    for (Rule rule : rules) {
      if (!rule.memory().equals(fast.name())
          && homes.stream().noneMatch(home -> home.name().equals(rule.memory()))) {
        throw new InvalidNetworkException(
            "a rule names the memory \"" + rule.memory() + "\", which the map does not have");
      }
    }
  }

  /** The memory with another capacity of the fast one. */
  public MemoryMap withFastCapacity(long bytes) {
    Space changed =
        new Space(
            fast.name(),
            bytes,
            fast.alignment(),
            fast.base(),
            fast.bytesPerMicrosecond(),
            fast.setupNanoseconds(),
            fast.granularity(),
            fast.writable());
    return new MemoryMap(name, changed, homes, overlap, mustBeFast, rules);
  }
}

package stowage.packing;

import java.util.Arrays;
import java.util.Locale;

/** A quantity of a placement that is to be low; an {@link Objective} is a list of them. */
public enum Goal {
  /** The highest end of a buffer, memory by memory, from the last listed to the first. */
  PEAK,
  /** The sum of the weights of the reuse pairs that are paid for, over all memories. */
  REUSE,
  /** Bytes by which peaks exceed capacities, over all memories; capacities do not bind then. */
  OVERFLOW,
  /** Banks that some buffer touches, over all memories that have banks. */
  BANKS;

  /** {@return the word by which the command line and files know it} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return the goal of a word, or null} */
  public static Goal named(String word) {
    return Arrays.stream(values()).filter(goal -> goal.word().equals(word)).findAny().orElse(null);
  }
}

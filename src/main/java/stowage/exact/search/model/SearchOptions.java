package stowage.exact.search.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * Which prunes the canonical search uses.
 *
 * @param prunes those that are on
 */
public record SearchOptions(Set<Prune> prunes) {

  /** Keeps a copy. */
  public SearchOptions {
    prunes = Set.copyOf(prunes);
  }

  /** All prunes on: the fastest setting on the whole. */
  public static SearchOptions all() {
    return new SearchOptions(EnumSet.allOf(Prune.class));
  }

  /** All prunes off: an enumeration of the canonical placements, for tests. */
  public static SearchOptions none() {
    return new SearchOptions(EnumSet.noneOf(Prune.class));
  }

  /** All prunes but one. */
  public static SearchOptions without(Prune prune) {
    return new SearchOptions(EnumSet.complementOf(EnumSet.of(prune)));
  }

  /** Whether a prune is on. */
  public boolean has(Prune prune) {
    return prunes.contains(prune);
  }
}

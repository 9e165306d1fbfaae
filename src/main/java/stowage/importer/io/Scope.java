package stowage.importer.io;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The values known by name in a piece of code, and those it took from the code around it. */
public final class Scope<V> {
  private final Scope<V> outer;
  private final Map<String, V> values = new HashMap<>();
  private final Set<V> captured = new LinkedHashSet<>();

  /** A scope without names of its own yet, within code around it; null where it sees none. */
  public Scope(Scope<V> outer) {
    this.outer = outer;
  }

  /** Whether there is code around it. */
  public boolean isNested() {
    return outer != null;
  }

  /** Makes a value known; false when its name was taken in this very scope. */
  public boolean define(String name, V value) {
    return values.put(name, value) == null;
  }

  /** The names of this very scope. */
  public Set<String> names() {
    return values.keySet();
  }

  /** The values of this very scope. */
  public Collection<V> values() {
    return values.values();
  }

  /** The value of a name, or null; counts it as taken where it is an outer scope's. */
  public V find(String name) {
    V found = values.get(name);
    if (found == null && outer != null) {
      found = outer.find(name);
      if (found != null) {
        captured.add(found);
      }
    }
    return found;
  }

  /** Looks a name up without counting it as taken. */
  public V peek(String name) {
    V found = values.get(name);
    return found == null && outer != null ? outer.peek(name) : found;
  }

  /** What was taken from the code around, in the order in which it was. */
  public Set<V> captured() {
    return captured;
  }
}

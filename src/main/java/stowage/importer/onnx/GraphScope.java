package stowage.importer.onnx;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The names known in a graph, and those it took from the graphs around it. */
final class GraphScope {
  private final GraphScope outer;
  private final Map<String, GraphValue> values = new HashMap<>();
  private final Set<GraphValue> captured = new LinkedHashSet<>();

  /**
   * A scope without names of its own yet.
   *
   * @param outer the graph around it; null for the main graph
   */
  GraphScope(GraphScope outer) {
    this.outer = outer;
  }

  /** Whether this is the body of an op of control flow. */
  boolean isNested() {
    return outer != null;
  }

  /** Makes a value known; false when its name was taken in this very graph. */
  boolean define(GraphValue value) {
    return values.put(value.name, value) == null;
  }

  /** The names of this very graph. */
  Set<String> names() {
    return values.keySet();
  }

  /** The values of this very graph. */
  Collection<GraphValue> values() {
    return values.values();
  }

  /** The value of a name, or null; counts it as taken where it is an outer graph's. */
  GraphValue find(String name) {
    GraphValue found = values.get(name);
    if (found == null && outer != null) {
      found = outer.find(name);
      if (found != null) {
        captured.add(found);
      }
    }
    return found;
  }

  /** Looks a name up without counting it as taken. */
  GraphValue peek(String name) {
    GraphValue found = values.get(name);
    return found == null && outer != null ? outer.peek(name) : found;
  }

  /** What was taken from the graphs around, in the order in which it was. */
  Set<GraphValue> captured() {
    return captured;
  }
}

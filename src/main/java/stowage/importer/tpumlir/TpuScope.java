package stowage.importer.tpumlir;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The values known in a piece of code, and those it took from the code around it. */
final class TpuScope {
  private final TpuScope outer;
  private final Map<String, TpuValue> values = new HashMap<>();
  private final Set<TpuValue> captured = new LinkedHashSet<>();

  /**
   * A scope without values of its own yet.
   *
   * @param outer the code around it; null for a function's, which sees nothing of its callers
   */
  TpuScope(TpuScope outer) {
    this.outer = outer;
  }

  void define(String name, TpuValue value) {
    values.put(name, value);
  }

  /** The value of a name, or null; counts it as taken where it is the outer code's. */
  TpuValue find(String name) {
    TpuValue found = values.get(name);
    if (found == null && outer != null) {
      found = outer.find(name);
      if (found != null && found.present()) {
        captured.add(found);
      }
    }
    return found;
  }

  /** What was taken from the code around, in the order in which it was. */
  Set<TpuValue> captured() {
    return captured;
  }
}

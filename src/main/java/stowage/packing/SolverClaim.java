package stowage.packing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Claim of a complete method that exhausted its search.
 *
 * @param kind {@code search}, {@code cp-sat} or {@code choco}
 * @param engine the engine and its version
 * @param statistics figures such as nodes, branches and conflicts
 * @param agreed another engine that proved the same, or null
 * @param how what it follows from, a sentence without full stop; null for a search of its own
 */
public record SolverClaim(
    String kind, String engine, SortedMap<String, Long> statistics, String agreed, String how)
    implements Certificate {

  /** {@return a claim without a second engine's agreement} */
  public static SolverClaim of(String kind, String engine, Map<String, Long> statistics) {
    return new SolverClaim(kind, engine, new TreeMap<>(statistics), null, null);
  }

  /** {@return a claim that follows from others, as a sentence without its full stop says} */
  public static SolverClaim because(String how) {
    return new SolverClaim("search", "search", new TreeMap<>(), null, how);
  }

  /** {@return the same claim with the kind of another one that proved it} */
  public SolverClaim agreedBy(String other) {
    return new SolverClaim(kind, engine, statistics, other, how);
  }

  /** The search that was exhausted, or what the claim follows from, as a sentence. */
  String searched(String goal) {
    return how == null
        ? engine + " searched every way to " + goal + " and found none."
        : Character.toUpperCase(how.charAt(0)) + how.substring(1) + ".";
  }

  @Override
  public SolverClaim renumbered(IntUnaryOperator number) {
    return this;
  }

  @Override
  public long proves(PackingProblem problem, long value) {
    throw new IllegalArgumentException("a certificate of kind " + kind + " is a solver claim");
  }

  @Override
  public String explanation(PackingProblem problem, long value) {
    return searched("stay below " + ByteText.both(value))
        + " This is the solver's claim; it has no certificate that can be checked"
        + (agreed == null ? "." : ", but " + agreed + " proved the same.");
  }

  @Override
  public Map<String, Object> fields(PackingProblem problem) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("engine", engine);
    fields.put("agreed", agreed);
    fields.put("statistics", statistics);
    return fields;
  }

  @Override
  public boolean checkable() {
    return false;
  }
}

package stowage.generator;

/**
 * A parameter of a generator: a name in lower camel case, a standard value whose type (Long,
 * Double, Boolean or String) is that of all, and its meaning with unit and range.
 */
public record Parameter(String name, Object standard, String meaning) {
  /** The parameter that every generator has. */
  public static final Parameter SEED = new Parameter("seed", 1L, "of every random choice");

  public Parameter {
    if (!(standard instanceof Long
        || standard instanceof Double
        || standard instanceof Boolean
        || standard instanceof String)) {
      throw new IllegalArgumentException(
          "parameter " + name + " has a standard value of no known type: " + standard);
    }
  }
}

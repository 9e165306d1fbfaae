package stowage.generator;

/**
 * A parameter of a generator.
 *
 * @param name its name, in lower camel case
 * @param standard its standard value: a Long, Double, Boolean or String, whose type all values
 *     share
 * @param meaning what it says, with its unit and range
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

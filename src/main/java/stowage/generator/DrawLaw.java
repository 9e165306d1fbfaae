package stowage.generator;

/** How random lengths and sizes are spread over a range. */
enum DrawLaw {
  /** Every number alike. */
  UNIFORM,
  /** Small ones more often: the excess over the least has a mean of a fifth of the range. */
  EXPONENTIAL,
  /** Every power alike. */
  LOG_UNIFORM;

  /** A number of a range, both ends included. */
  long draw(Draws draws, long least, long most) {
    return switch (this) {
      case UNIFORM -> draws.uniform(least, most);
      case EXPONENTIAL -> draws.exponential(least, most, (most - least) / 5.0);
      case LOG_UNIFORM -> draws.logUniform(least, most);
    };
  }
}

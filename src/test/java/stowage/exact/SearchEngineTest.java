package stowage.exact;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same seeds as the tests of the other engines, so that all of them agree on each problem. */
class SearchEngineTest {

  @Test
  void agreesWithBruteForce() {
    EngineChecks.agreesWithBruteForce(new SearchEngine(), EngineOptions.defaults(), 0, 1_000);
  }

  @Test
  @Tag("thorough")
  void agreesWithBruteForceOnTenThousand() {
    EngineChecks.agreesWithBruteForceThroughout(
        new SearchEngine(), EngineOptions.defaults(), 1_000, 10_000);
  }
}

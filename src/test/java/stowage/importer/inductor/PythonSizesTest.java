package stowage.importer.inductor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of the expressions that sizes of buffers are in generated Python. */
class PythonSizesTest {
  private static final Map<String, Long> KNOWN = Map.of("s0", 5L);

  private static long of(String text) {
    return PythonSizes.of(text, KNOWN, new TreeSet<>());
  }

  /** The values are Python's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4*s0 - 2 | 18",
        "(4 - 1)*3 | 9",
        "7 // 2 | 3",
        "-7 // 2 | -4",
        "2**3**2 | 512",
        "-2**2 | -4",
        "(-2)**3 | -8",
        "2*-3 | -6",
        "--4 | 4",
        "1**1000 | 1",
        "(-1)**101 | -1",
        "0**2 | 0",
        "0**0 | 1",
        "max(2, s0, 3) | 5",
        "min(2, s0, 3) | 2",
        "align(1) + align(64) | 128"
      })
  void valuesAreThoseOfPython(String text, long value) {
    assertEquals(value, of(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2 +",
        "(2",
        "2)",
        "2**-1",
        "2**63",
        "4.5",
        "cdiv(2, 2)",
        "2 // 0",
        "*2",
        "2 3"
      })
  void whatIsNoWholeNumberIsAFault(String text) {
    assertThrows(ArithmeticException.class, () -> of(text));
  }

  @Test
  void deepExpressionsAreAFault() {
    for (String deep : new String[] {"-", "(", "2**", "-("}) {
      String said =
          assertThrows(ArithmeticException.class, () -> of(deep.repeat(100_000) + "4"))
              .getMessage();
      assertTrue(said.endsWith("is nested too deeply"), said::toString);
    }
  }

  @Test
  void elementsReachFromTheFirstToTheLast() {
    TreeSet<String> free = new TreeSet<>();
    assertEquals(32, PythonSizes.elements("(4, 8)", "(8, 1)", KNOWN, free));
    assertEquals(25, PythonSizes.elements("(s0,)", "(6,)", KNOWN, free));
    assertEquals(0, PythonSizes.elements("(4, 0)", "(1, 1)", KNOWN, free));
    assertEquals(1, PythonSizes.elements("()", "()", KNOWN, free));
    assertTrue(free.isEmpty());
    assertThrows(
        ArithmeticException.class, () -> PythonSizes.elements("(4, 8)", "(1,)", KNOWN, free));
    assertThrows(ArithmeticException.class, () -> PythonSizes.elements("4", "1", KNOWN, free));
  }
}

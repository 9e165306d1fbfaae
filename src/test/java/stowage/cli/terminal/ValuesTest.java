package stowage.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Durations and sizes as the command line takes them. */
class ValuesTest {
  @ParameterizedTest
  @CsvSource({
    "10, 10",
    "10s, 10",
    "0.5, 0.5",
    "500ms, 0.5",
    "2m, 120",
    "2min, 120",
    "1h, 3600",
    "1.5h, 5400",
    "1m30s, 90",
    "1h1m1s500ms, 3661.5",
    "' 3 s', 3",
    "-1, -1",
    "-1s, -1",
    "1e3, 1000",
    "0, 0"
  })
  void durations(String text, double seconds) {
    assertEquals(seconds, new Seconds().convert(text), 1e-12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "10q", "30s1m", "1m1m", "1.2.3s", "ten", "NaN", "١", "10 20s"})
  void noDurations(String text) {
    assertThrows(TypeConversionException.class, () -> new Seconds().convert(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0x4000, 16384", "0X10, 16", "0x7fffffffffffffff, 9223372036854775807", "16KiB, 16384",
    "16k, 16384", "1kB, 1000", "1.5MiB, 1572864", "0, 0"
  })
  void sizes(String text, long bytes) {
    assertEquals(bytes, new ByteSize().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x", "0xg", "0x8000000000000000", "x10", "1.5", "-0x10", "0x1.8"})
  void noSizes(String text) {
    assertThrows(TypeConversionException.class, () -> new ByteSize().convert(text));
  }
}

package stowage.importer.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.Thorough;

class CsvRowsTest extends FolderTest {
  private static final String LETTERS = "ab,\"\n\r\té漢😀 ;";

  private CsvRows rows(String text) throws IOException {
    return new CsvRows(file("x.csv", text));
  }

  @Test
  void whatIsWrittenByTheRulesIsReadBack() throws IOException {
    long seed = 4180;
    Random random = new Random(seed);
    for (int round = 0; round < Thorough.of(100, 300); round++) {
      List<List<String>> written = new ArrayList<>();
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
      int count = 1 + random.nextInt(40);
      for (int r = 0; r < count; r++) {
        List<String> row = new ArrayList<>();
        int fields = 1 + random.nextInt(5);
        for (int f = 0; f < fields; f++) {
          String field = field(random);
          row.add(field);
          text.append(f == 0 ? "" : ",").append(quoted(field, fields == 1, random));
        }
        written.add(row);
        text.append(
            r == count - 1 && random.nextBoolean() ? "" : random.nextBoolean() ? "\n" : "\r\n");
      }
      String where = "seed " + seed + ", round " + round;
      try (CsvRows rows = rows(text.toString())) {
        for (List<String> row : written) {
          assertTrue(rows.next(), where);
          List<String> read = new ArrayList<>();
          for (int f = 0; f < rows.fields(); f++) {
            read.add(rows.text(f, "c"));
            assertTrue(rows.holds(f, read.get(f).getBytes(StandardCharsets.UTF_8)), where);
          }
          assertEquals(row, read, where);
        }
        assertFalse(rows.next(), where);
      }
    }
  }

  /** Some fields are longer than what is read from the disk at once. */
  private static String field(Random random) {
    StringBuilder field = new StringBuilder();
    int length = random.nextInt(60) == 0 ? 70_000 : random.nextInt(6);
    int letters = LETTERS.codePointCount(0, LETTERS.length());
    for (int k = 0; k < length; k++) {
      field.appendCodePoint(
          LETTERS.codePointAt(LETTERS.offsetByCodePoints(0, random.nextInt(letters))));
    }
    return field.toString();
  }

  private static String quoted(String field, boolean alone, Random random) {
    boolean needed =
        field.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
            || (alone && field.isEmpty());
    return needed || random.nextInt(4) == 0 ? '"' + field.replace("\"", "\"\"") + '"' : field;
  }

  @Test
  void rowsEndAtAnEmptyLineAndKnowWhereTheyBegin() throws IOException {
    try (CsvRows rows = rows("a,\"b\nc\"\n1,2\n\nbehind\n")) {
      assertTrue(rows.next());
      assertEquals(1, rows.line());
      assertTrue(rows.next());
      assertEquals(3, rows.line());
      assertFalse(rows.next());
      assertTrue(rows.hasTextBehind());
      assertFalse(rows.next());
    }
    try (CsvRows rows = rows("a\n\n \r\n\t\n")) {
      assertTrue(rows.next());
      assertFalse(rows.next());
      assertFalse(rows.hasTextBehind());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "+17, 17",
    "' 5\t', 5",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "00000000000000000000000000012, 12"
  })
  void numbersAreWholeAndFitALong(String text, long value) throws IOException {
    try (CsvRows rows = rows(text + "\n")) {
      rows.next();
      assertEquals(value, rows.number(0, "size"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775808, does not fit 64 bits",
    "-9223372036854775809, does not fit 64 bits",
    "99999999999999999999999, does not fit 64 bits",
    "1.5, should be a whole number",
    "1e3, should be a whole number",
    "0x10, should be a whole number",
    "--1, should be a whole number",
    "+, should be a whole number",
    "'1 2', should be a whole number",
    "\u0663, should be a whole number",
    "' ', is empty"
  })
  void whatIsNoNumberIsToldWithItsPlace(String text, String told) throws IOException {
    try (CsvRows rows = rows("x\n" + text + ",\n")) {
      rows.next();
      rows.next();
      Refusals.input(() -> rows.number(0, "size"), "line 2, column \"size\"", told);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"open|line 1: a quotation mark is not closed",
        "\"a\"b|line 1: a closing quotation mark should be followed by a comma",
      })
  void quotationMarksComeInPairs(String text, String told) throws IOException {
    try (CsvRows rows = rows(text)) {
      Refusals.input(rows::next, told);
    }
  }

  @Test
  void binaryFilesAreNoTables() throws IOException {
    try (CsvRows rows = rows("a,b\nc,\0d\n")) {
      rows.next();
      Refusals.input(rows::next, "line 2: holds a zero byte");
    }
    Path latin = file("l.csv", new byte[] {'a', (byte) 0xe9, '\n'});
    try (CsvRows rows = new CsvRows(latin)) {
      rows.next();
      Refusals.input(() -> rows.text(0, "id"), "is not UTF-8 text");
    }
  }
}

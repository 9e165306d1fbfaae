package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.importer.io.InputException;
import stowage.network.memory.MemoryMap;

/** Memory maps in JSON: what they say and what their faults are called. */
class MemoryMapJsonTest extends FolderTest {
  private MemoryMap map(String more) throws IOException {
    String text =
        """
        {"name": "m", "memories": [
          {"name": "l1", "capacity": 100, "megabytesPerSecond": 4000},
          {"name": "l2", "capacity": 200, "megabytesPerSecond": 2000},
          {"name": "dram", "capacity": 999, "megabytesPerSecond": 1000, "setupNanoseconds": 7}]
          %s}
        """;
    Path file = file("map.json", text.formatted(more));
    return MemoryMapJson.read(file);
  }

  @Test
  void theFirstMemoryIsFastUnlessMoreAre() throws IOException {
    assertEquals(1, map("").fastCount());
    MemoryMap two = map(", \"fast\": 2");
    assertEquals(2, two.fastCount());
    assertEquals("dram", two.space(2).name());
    assertEquals(1007, two.link(0, 2).nanoseconds(1000), "at the figures of the outer memory");
  }

  @Test
  void alignmentsAreKeptInOffsetsAndBases() throws IOException {
    String text =
        """
        {"name": "m", "memories": [
          {"name": "l1", "capacity": 100, "megabytesPerSecond": 4000, "alignment": 24},
          {"name": "dram", "capacity": 999, "megabytesPerSecond": 1000, "alignment": 16, "base": %s}]}
        """;
    MemoryMap read = MemoryMapJson.read(file("map.json", text.formatted(32)), 16);
    assertEquals(48, read.space(0).alignment());
    assertEquals(16, read.space(1).alignment());
    Path odd = file("odd.json", text.formatted(40));
    Refusals.says(
        InputException.class,
        () -> MemoryMapJson.read(odd),
        "line 3",
        "40 should be a multiple of the alignment, 16");
  }

  @Test
  void linksAreTheOnlyWays() throws IOException {
    MemoryMap map = map(", \"links\": [{\"between\": [\"l2\", \"l1\"], \"granularity\": 8}]");
    assertEquals(16, map.link(0, 1).moved(9));
    assertEquals(4, map.link(1, 0).nanoseconds(8));
    assertNull(map.link(0, 2));
  }

  @Test
  void anOpComputesAsTheFirstRuleThatMatchesSays() throws IOException {
    MemoryMap map =
        map(
            ", \"compute\": [{\"type\": \"Conv\", \"memory\": \"l2\", \"gigaMacsPerSecond\": 2},"
                + " {\"megabytesPerSecond\": 500, \"nanoseconds\": 30}]");
    assertEquals(50, map.computeOf("one", "Conv").nanoseconds(100, 1_000_000));
    assertEquals(1, map.computeOf("one", "Conv").memory());
    assertEquals(200, map.computeOf("two", "Add").nanoseconds(100, 100));
    assertEquals(30, map.computeOf("two", "Add").nanoseconds(0, 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          , "fast": 3                                       | fast
          , "rulez": []                                     | did you mean "rules"
          , "rules": [{"memory": "drm"}]                    | did you mean "dram"
          , "rules": [{"kind": "weight", "memory": "dram"}] | did you mean "weights"
          , "links": [{"between": ["l1"]}]                  | two memories
          , "links": [{"between": ["l1", "l3"]}]            | did you mean "l1"
          , "compute": [{"memory": "l2", "gigamacs": 2}]    | gigaMacsPerSecond
          , "compute": [{"gigaMacsPerSecond": 0}]           | gigaMacsPerSecond
          """)
  void faultsNameTheFieldAndWhatWouldBeRight(String more, String word) {
    Refusals.input(() -> map(more), word);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "writable": false         | line 2, column 14, field "memories" | results need a home
          "alignment": 2199023255552 | field "memories[1].alignment"      | 1 to 1099511627776
          """)
  void faultsOfAMemoryHaveTheirPlace(String field, String place, String what) throws IOException {
    Path file =
        file(
            "map.json",
            """
            {"name": "m",
             "memories": [{"name": "l1", "capacity": 100, "megabytesPerSecond": 4000},
               {"name": "dram", "capacity": 999, "megabytesPerSecond": 1000, %s}]}
            """
                .formatted(field));
    Refusals.input(() -> MemoryMapJson.read(file), place, what);
  }
}

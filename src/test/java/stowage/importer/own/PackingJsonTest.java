package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.SchemaFields.properties;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.importer.ProblemSamples;
import stowage.importer.SchemaFields;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

public class PackingJsonTest extends FolderTest {
  private Path file(String text) throws IOException {
    return file("in.json", text);
  }

  /** Holds that a problem is another one in all that files hold. */
  public static void assertSame(PackingProblem expected, PackingProblem found, String message) {
    assertEquals(expected.name(), found.name(), message);
    assertEquals(expected.buffers(), found.buffers(), message);
    assertEquals(expected.memories(), found.memories(), message);
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.conflicts().of(i), found.conflicts().of(i), message);
      Relations asked = expected.relations();
      assertArrayEquals(asked.exclusive().of(i), found.relations().exclusive().of(i), message);
      assertArrayEquals(asked.otherBank().of(i), found.relations().otherBank().of(i), message);
    }
    assertEquals(expected.relations().reuse(), found.relations().reuse(), message);
    assertEquals(expected.relations().together(), found.relations().together(), message);
    assertEquals(expected.goals(), found.goals(), message);
  }

  @Test
  void readsSeveralIntervalsAsGapsOverTheirHull() throws IOException {
    String text =
        "{\"buffers\": [{\"id\": \"a\", \"size\": 4, \"intervals\": [[5, 7], [0, 2], [7, 9]]}]}";
    Buffer buffer = PackingJson.read(file(text)).buffer(0);
    assertEquals(new Buffer("a", 4, 0, 9).withGaps(List.of(Gap.empty(2, 5))), buffer);
  }

  @Test
  void apartIsAnotherNameOfConflicts() throws IOException {
    String text =
        "{\"buffers\": [%s, %s, %s], \"apart\": [[\"a\", \"b\"]], \"conflicts\": [[\"c\", \"b\"]]}";
    String buffer = "{\"id\": \"%s\", \"lower\": 0, \"upper\": 1, \"size\": 1}";
    Object[] buffers = Stream.of("a", "b", "c").map(buffer::formatted).toArray();
    PackingProblem problem = PackingJson.read(file(text.formatted(buffers)));
    assertTrue(problem.conflicts().contains(0, 1) && problem.conflicts().contains(1, 2));
  }

  /** The example of the format's documentation, so that it stays true. */
  private static String documentedExample() throws IOException {
    String page = Files.readString(Path.of("docs/packing-format.md"));
    int start = page.indexOf("```json\n") + 8;
    return page.substring(start, page.indexOf("```", start));
  }

  @Test
  void readsTheDocumentedExample() throws IOException {
    PackingProblem problem = PackingJson.read(file(documentedExample()));
    assertEquals("two-branches", problem.name());
    assertEquals(
        List.of(
            new Memory("sram", 65536, 32, 0, 16384), new Memory("dram", Memory.UNBOUNDED, 1, 0, 0)),
        problem.memories());
    assertEquals(
        new Buffer("left", 4096, 0, 4).withMemories(List.of("sram")).withinBank(true),
        problem.buffer(0));
    assertEquals(
        new Buffer("state", 1024, 0, 9)
            .withAlignment(64)
            .withFixedOffset(0)
            .withGaps(List.of(Gap.empty(3, 5), new Gap(new LiveRange(6, 8), 0, 256)))
            .withMemories(List.of("dram")),
        problem.buffer(2));
    assertTrue(problem.conflicts().contains(0, 1));
    assertEquals(List.of(new Relations.Reuse(0, 2, 3)), problem.relations().reuse());
    assertFalse(PackingJson.read(folder.resolve("in.json"), true).buffer(2).isFixed());
  }

  @Test
  void readsTheLeastThereCanBeAndFieldsInAnyOrder() throws IOException {
    PackingProblem least = PackingJson.read(file("{\"buffers\": []}"));
    assertEquals("in", least.name());
    assertEquals(List.of(Memory.main()), least.memories());
    PackingProblem turned =
        PackingJson.read(
            file(
                """
                {"conflicts": [["b", "a"]],
                 "buffers": [{"size": 3, "upper": 2, "lower": 1, "id": "a", "memories": ["m"]},
                             {"id": "b", "lower": 0, "upper": 0, "size": 0}],
                 "memories": [{"capacity": null, "name": "m"}]}
                """));
    assertTrue(turned.conflicts().contains(0, 1));
    assertFalse(turned.memories().get(0).isBounded());
  }

  @Test
  void problemsGoRoundTrip() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      PackingProblem problem = ProblemSamples.everything(new Random(seed));
      Path file = folder.resolve("p.json");
      PackingJson.write(file, problem);
      assertSame(problem, PackingJson.read(file), "seed " + seed);
    }
  }

  @Test
  void buffersGoRoundTripThroughCsv() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      PackingProblem problem = ProblemSamples.everything(new Random(seed));
      Path file = folder.resolve("p.csv");
      PackingCsv.write(file, problem);
      List<Buffer> expected = new ArrayList<>();
      for (int i = 0; i < problem.size(); i++) {
        Buffer buffer = problem.buffer(i);
        long common = problem.alignment(i, 0);
        boolean contradicted = buffer.isFixed() && buffer.fixedOffset() % common != 0;
        Buffer free = buffer.withFixedOffset(Buffer.NONE);
        expected.add(
            problem.memories().size() > 1
                ? free
                : free.withAlignment(contradicted ? free.alignment() : common)
                    .withMemories(List.of()));
      }
      List<Buffer> found = PackingCsv.read(file, true).buffers();
      assertEquals(expected, found, "seed " + seed);
    }
  }

  /** A text, in which BUFFER begins a problem of one buffer, and what is said of it. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '~',
      textBlock =
          """
          ~~ => is empty
          [] => line 1, column 1: an array should be an object
          BUFFER}], "reuse": [{"a": "a", "b": "aa"}]} => field "reuse": no buffer has the id "aa"; did you mean "a"
          BUFFER}], "objective": ["peek"]} => did you mean "peak"
          BUFFER, "intervals": [[0, 3], [5, 8]]}]} => lower and upper should be 0 and 8
          BUFFER}], "memories": [{"name": "m", "reserved": [{"from": 9, "to": 3}]}]} => should satisfy 0 <= from < to
          {"name": "x"} => field "buffers" is missing
          {"buffers": [} => line 1, column 14: is not well-formed JSON
          {"buffers": [ => is not well-formed JSON: Unexpected end-of-input
          {"buffers": []} x => is not well-formed JSON
          {"buffers": []} {} => text follows the end
          ~\u0000\u0001\u007fELF~ => is not well-formed JSON
          {"bufers": []} => field "bufers" is not known; did you mean "buffers"
          {"buffers": [], "buffers": []} => field "buffers" is defined twice
          {"schemaVersion": 2, "buffers": []} => 2 should be a whole number
          {\\n "buffers": [\\n  {"id": "a", "lower": 0, "upper": 9, "size": -4}]} => line 3, column 47, field "buffers[0].size": -4 should be a whole number between 0
          BUFFER.5}]} => 4.5 should be a whole number
          BUFFERe3}]} => 4e3 should be a whole number
          BUFFER99999999999999999999}]} => should be a whole number
          BUFFER, "siez": 1}]} => did you mean "size"
          BUFFER, "size": 1}]} => field "size" is defined twice
          {"buffers": [{"id": "a", "lower": 0, "upper": 9}]} => field "buffers[0]": field "size" is missing
          {"buffers": [{"id": 7, "lower": 0, "upper": 9, "size": 4}]} => 7 should be a text
          {"buffers": [{"id": "", "lower": 0, "upper": 9, "size": 4}]} => should be a name that is not empty
          {"buffers": [{"id": "\\ud800", "lower": 0, "upper": 9, "size": 4}]} => half of a surrogate pair
          {"buffers": [{"id": "a", "lower": 9, "upper": 0, "size": 4}]} => live range [9, 0) ends before it starts
          {"buffers": [{"id": "a", "lower": 0, "upper": 2147483648, "size": 4}]} => 2147483648 should be a whole number between
          BUFFER},\\n{"id": "a", "lower": 0, "upper": 9, "size": 4}]} => line 2, column 46, field "buffers[1]": id "a" is defined on line 1 already
          {"buffers": [{"id": "a", "lower": 0, "upper": 9, "size": 2000000000000000000},\\n{"id": "b", "lower": 0, "upper": 9, "size": 2000000000000000000}]} => field "buffers[1]": size 2000000000000000000 takes the sum
          BUFFER, "alignment": 0}]} => 0 should be a whole number between 1
          BUFFER, "alignment": 4, "offset": 6}]} => a multiple of the alignment 4
          BUFFER, "gaps": [{"lower": 3}]}]} => field "upper" is missing
          BUFFER, "gaps": [{"lower": 3, "upper": 3}]}]} => needs at least one step
          BUFFER, "gaps": [{"lower": 3, "upper": 10}]}]} => should be inside
          BUFFER, "gaps": [{"lower": 3, "upper": 4, "window": [1]}]}]} => a window should be two numbers
          BUFFER, "gaps": [{"lower": 3, "upper": 4, "window": [3, 1]}]}]} => must satisfy 0 <= start <= end
          BUFFER, "memories": ["man"]}]} => line 1, field "buffers[0].memories": memory "man" is not defined; did you mean
          BUFFER}], "memories": []} => line 1, column 76, field "memories": it should have 1 to 63 memories
          BUFFER}], "memories": [{}]} => field "name" is missing
          BUFFER}], "memories": [{"name": "a b"}]} => no blank in its name
          BUFFER}], "memories": [{"name": "a"}, {"name": "a"}]} => field "memories[1]": memory "a" is defined twice
          BUFFER}], "memories": [{"name": "a", "alignment": 4, "base": 2}]} => base 2 should be a multiple of the alignment 4
          BUFFER}], "conflicts": [["a"]]} => should name two buffers, not 1
          BUFFER}], "conflicts": [["a", "a"]]} => two different buffers
          BUFFER}],\\n"conflicts": [["a", "b"]]} => line 2, field "conflicts": no buffer has the id "b"
          """)
  void refusesInOneLineThatSaysWhereAndWhat(String text, String expected) throws IOException {
    String buffer = "{\"buffers\": [{\"id\": \"a\", \"lower\": 0, \"upper\": 9, \"size\": 4";
    Path file = file(text.replace("BUFFER", buffer).replace("\\n", "\n"));
    String message = Refusals.file(file, () -> PackingJson.read(file), expected);
    assertFalse(message.contains("Source"), message);
  }

  @Test
  void theSchemaNamesTheFieldsThatAreRead() throws IOException {
    JsonNode schema = SchemaFields.schema("packing");
    JsonNode parts = schema.get("$defs");
    assertEquals(Set.copyOf(PackingJson.PROBLEM_FIELDS), properties(schema));
    assertEquals(Set.copyOf(PackingJson.MEMORY_FIELDS), properties(parts.get("memory")));
    assertEquals(Set.copyOf(PackingJson.BUFFER_FIELDS), properties(parts.get("buffer")));
    assertEquals(Set.copyOf(PackingJson.GAP_FIELDS), properties(parts.get("gap")));
    JsonNode lists = schema.get("properties");
    assertEquals(Set.copyOf(PackingJson.REUSE_FIELDS), properties(lists.get("reuse").get("items")));
    assertEquals(
        Set.copyOf(PackingJson.TOGETHER_FIELDS), properties(lists.get("together").get("items")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{ // mine\n}", "{\"buffers\": [NaN]}"})
  void saysNothingOfTheParsersSettings(String text) throws IOException {
    Path file = file(text);
    String message = Refusals.file(file, () -> PackingJson.read(file), "is not well-formed JSON");
    assertFalse(message.matches("(?s).*(Feature|parser|enable).*"), message);
  }
}

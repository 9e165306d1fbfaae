package stowage.importer.dsa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.own.PackingJsonTest;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;

class DsaFormatTest extends FolderTest {
  private static final String DOCUMENT =
      """
      {"schema_version": 1, "profile": "pypto_research_v1", "instance": "two pools",
       "metadata": {"live_intervals": "are below"},
       "problem": {
         "pools": [
           {"id": 7, "name": "Vec", "capacity": 512, "reserved_ranges": [{"begin": 0, "end": 64}]},
           {"id": 2, "name": "Acc", "capacity": null, "reserved_ranges": [],
            "bank_geometry": {"bank_size": 128, "num_banks": 4}}],
         "buffers": [
           {"id": 10, "name": "a", "size": 64, "alignment": 32, "allowed_pools": [7],
            "live_intervals": [{"lower": 5, "upper": 7}, {"lower": 0, "upper": 2}]},
           {"id": 4, "name": "b", "size": 32, "alignment": 32, "allowed_pools": [2, 7],
            "live_intervals": [{"lower": 2, "upper": 5}]},
           {"id": 5, "name": "c", "size": 32, "alignment": 0, "allowed_pools": [7],
            "live_intervals": [{"lower": 0, "upper": 9}]}],
         "constraints": {
           "colocations": [{"first": 10, "second": 4}],
           "separations": [{"first": 10, "second": 5, "reasons": ["generic"]}],
           "temporal_exclusions": [{"first": 4, "second": 5}],
           "pinned_allocations": [
             {"buffer": 5, "pool": 7, "offset": 96, "exclusive_for_all_time": true}]},
         "cost_model": {"reuse_penalties": [
           {"first": 4, "second": 10, "cost": 3, "reason": "cross_pipe"},
           {"first": 4, "second": 5, "cost": 0, "reason": "generic"}]},
         "objective": {"aggregation": "lexicographic",
                       "terms": ["capacity_overflow", "reuse_cost", "max_peak"]}}}
      """;

  private Path file(String text) throws IOException {
    return file("d.json", text);
  }

  private PackingProblem read(String text) throws IOException {
    return ImporterTest.packing(file(text)).problem();
  }

  @Test
  void everythingBecomesWhatItMeans() throws IOException {
    PackingProblem problem = read(DOCUMENT);
    assertEquals("two pools", problem.name());
    assertEquals(
        List.of(
            new Memory("Vec", 512, 1, 0, 0, List.of(new ReservedRange(0, 64))),
            new Memory("Acc", Memory.UNBOUNDED, 1, 0, 128)),
        problem.memories());
    assertEquals(
        new Buffer("10", 64, 0, 7)
            .withAlignment(32)
            .withGaps(List.of(Gap.empty(2, 5)))
            .withMemories(List.of("Vec")),
        problem.buffer(0));
    assertEquals(List.of("Acc", "Vec"), problem.buffer(1).memories());
    assertEquals(96, problem.buffer(2).fixedOffset());
    assertTrue(problem.buffer(2).holdsPlace());
    assertTrue(problem.conflicts().contains(0, 2));
    assertTrue(problem.relations().exclusive().contains(1, 2));
    assertEquals(List.of(new Relations.Together(0, 1, 0)), problem.relations().together());
    assertEquals(List.of(new Relations.Reuse(0, 1, 3, "cross_pipe")), problem.relations().reuse());
    assertEquals(List.of(Goal.REUSE, Goal.PEAK), problem.goals());
  }

  private void refuses(String from, String to, String expected) throws IOException {
    Path wrong = file(DOCUMENT.replace(from, to));
    Refusals.input(() -> InputFormats.read(wrong), expected, "line ");
  }

  @Test
  void whatIsWrongIsNamedWithItsPlace() throws IOException {
    refuses("\"buffer\": 5", "\"buffer\": 6", "buffer 6 is not defined");
    refuses("\"lower\": 2, \"upper\": 5", "\"lower\": 6, \"upper\": 5", "ends before it starts");
    refuses("\"max_peak\"", "\"mean_peak\"", "should be one of capacity_overflow, reuse_cost");
    refuses("pypto_research_v1", "pypto", "should be one of standard_dsa");
    refuses("\"schema_version\": 1", "\"schema_version\": 2", "schema_version");
    refuses("{\"first\": 4, \"second\": 5}", "{\"first\": 4, \"second\": 4}", "two different");
  }

  @Test
  void thePublishedDocumentsAreRead() throws IOException {
    List<Path> documents = PublicData.all("reuse", ".json");
    for (Path one : documents) {
      PackingProblem problem = ImporterTest.packing(one).problem();
      assertEquals(List.of(Goal.REUSE), problem.goals(), one.toString());
      assertTrue(problem.size() > 0, one.toString());
    }
    assertTrue(documents.size() > 100, documents.size() + " documents");
  }

  /** What is written is read back as the same problem, and only what the schema lacks is lost. */
  @Test
  void writesWhatItReads() throws IOException {
    PackingProblem problem = read(DOCUMENT);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    DsaWriter.write(written, problem);
    Path copy = file("copy.json", written.toByteArray());
    PackingProblem again = ImporterTest.packing(copy).problem();
    PackingJsonTest.assertSame(problem, again, "a copy");
    assertEquals(List.of(), DsaWriter.omissions(problem));
  }

  /** The fingerprint does not depend on the order of fields, nor on white space. */
  @Test
  void writesSolutionsThatNameTheirProblem() throws IOException {
    PackingProblem problem = read(DOCUMENT);
    Placement placement = Placement.of(new long[] {0, 0, 96}, new int[] {0, 0, 0});
    String solution = DsaSolution.of(file(DOCUMENT), problem, placement);
    JsonNode root = JsonChecks.read(solution);
    assertEquals("two pools", root.get("instance").textValue());
    JsonChecks.holds(root.get("placements"), "0/pool=7 0/buffer=4 1/offset=96");
    String mark = root.get("problem_fingerprint").textValue();
    ObjectNode parsed = JsonChecks.read(DOCUMENT);
    parsed.set("schema_version", parsed.remove("schema_version"));
    assertEquals(mark, DsaSolution.fingerprint(parsed));
    parsed.put("instance", "another");
    assertNotEquals(mark, DsaSolution.fingerprint(parsed));
  }

  /** FNV-1a of the text that nlohmann/json gives a small document, computed by hand elsewhere. */
  @Test
  void fingerprintsAsTheirToolsDo() throws IOException {
    ObjectNode small = JsonChecks.read("{\"b\": [], \"a\": [1, \"x\"]}");
    assertEquals("163de867cc59d2a6", DsaSolution.fingerprint(small));
  }

  @Test
  void refusesReuseOfWholeSlotsAlone() throws IOException {
    String text =
        DOCUMENT.replace(
            "\"constraints\": {",
            "\"pypto_structure\": {\"whole_slot_reuse\": true}, \"constraints\": {");
    Refusals.input(() -> InputFormats.read(file(text)), "whole_slot_reuse");
  }
}

package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import stowage.JsonChecks;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.own.Chips;
import stowage.network.Chip;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Precision;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.partition.TailPartitioner;
import stowage.onchip.search.GroupOptions;
import stowage.packing.RunControl;
import stowage.report.group.GroupHtml;
import stowage.report.group.GroupReport;
import stowage.report.group.GroupSvg;
import stowage.report.group.LmemSvg;
import stowage.report.plan.PlanSvgTest;
import stowage.report.svg.TextWidth;

/** The pictures of layer groups are read back: what they draw is what was planned. */
class GroupPicturesTest {
  private static Grouping grouping(GroupOptions.Lmem lmem, String chipName) {
    Input read = InputFormats.read(Path.of("models/networks/mobilenet_v2.json"));
    Chip chip = Chips.load(chipName);
    LayerGraph graph = LayerGraph.of(Precision.F16.apply(((Input.Graph) read).network()), chip);
    GroupOptions options =
        new GroupOptions(
            lmem,
            GroupOptions.SlicingSearch.QUICK,
            GroupOptions.GroupObjective.TRAFFIC,
            lmem == GroupOptions.Lmem.DOCUMENT);
    return grouping(graph, options);
  }

  static Grouping grouping(LayerGraph graph, GroupOptions options) {
    return new GroupPlanner(graph, options, new CpSatLmem(), RunControl.ofSeconds(30, 1, 1))
        .plan(new TailPartitioner());
  }

  static GroupReport report(Grouping grouping) {
    GroupReport.Gmem gmem = new GroupReport.Gmem(1, 1, "OPTIMAL");
    return new GroupReport(grouping, null, "today", gmem, null, 0.5);
  }

  /** The rectangles of a picture that carry a title, by what the title says before the colon. */
  private static Map<String, Integer> titled(Document picture) {
    Map<String, Integer> drawn = new HashMap<>();
    for (Element title : PlanSvgTest.elements(picture, "title").toList()) {
      if (((Element) title.getParentNode()).getTagName().equals("rect")) {
        String text = title.getTextContent();
        drawn.merge(text.substring(0, text.lastIndexOf(": ")), 1, Integer::sum);
      }
    }
    return drawn;
  }

  /** How many elements of a name are marked as clashes, by an attribute. */
  private static long red(Document picture, String name, String attribute) {
    return PlanSvgTest.elements(picture, name)
        .filter(element -> element.getAttribute(attribute).equals("#c1121f"))
        .count();
  }

  @Test
  void namesAreShortenedInTheMiddle() {
    String name = "layer3.0.downsample.weight";
    assertEquals(name, LmemSvg.fitting(name, 500, 10));
    String shown = LmemSvg.fitting(name, TextWidth.of(name, 10) / 2, 10);
    assertTrue(shown.startsWith("lay") && shown.endsWith("weight"), shown);
    assertTrue(TextWidth.of(shown, 10) <= TextWidth.of(name, 10) / 2, shown);
  }

  @Test
  void everyBufferIsDrawnAndEveryClashMarked() throws Exception {
    int clashes = 0;
    for (String chip : List.of("bm1688", "cv184x")) {
      for (PlannedGroup group : grouping(GroupOptions.Lmem.DOCUMENT, chip).groups()) {
        if (!group.isGrouped()) {
          continue;
        }
        Document picture = PlanSvgTest.parsed(LmemSvg.of(group, 0));
        Map<String, Integer> drawn = titled(picture);
        LmemProblem problem = group.plan().problem();
        for (LmemBuffer buffer : problem.buffers()) {
          // A life around the end of the table is drawn in two parts.
          int parts = buffer.start() < buffer.end() || buffer.end() == 0 ? 1 : 2;
          assertEquals(parts, drawn.get(buffer.id()), buffer.id());
        }
        assertEquals(problem.size(), drawn.size());
        // One more outline is in the legend.
        assertEquals(group.answer().score().clashes() + 1, red(picture, "rect", "stroke"));
        assertEquals(
            group.answer().score().clashes(),
            red(picture, "text", "fill"),
            "in the table of steps");
        clashes += (int) group.answer().score().clashes();
      }
    }
    assertTrue(clashes > 0, "no group clashes: the test shows nothing");
  }

  @Test
  void theNetworkShowsEveryOpAndEveryGroup() throws Exception {
    Grouping grouping = grouping(GroupOptions.Lmem.TODAY, "bm1688");
    Map<String, Integer> drawn = titled(PlanSvgTest.parsed(GroupSvg.overview(grouping)));
    for (int p = 0; p < grouping.graph().size(); p++) {
      assertEquals(1, drawn.get(grouping.graph().layer(p).op().name()));
    }
    for (int k = 0; k < grouping.groups().size(); k++) {
      assertEquals(1, drawn.get("group " + k));
    }
    String page = GroupHtml.of(report(grouping));
    String start = "<script type=\"application/json\" id=\"data\">";
    int at = page.indexOf(start) + start.length();
    JsonNode data = JsonChecks.read(page.substring(at, page.indexOf("</script>", at)));
    assertEquals(grouping.groups().size(), data.get("groups").size());
    for (int k = 0; k < grouping.groups().size(); k++) {
      PlannedGroup group = grouping.groups().get(k);
      JsonNode lane = data.get("groups").get(k).get("lane");
      assertEquals(group.isGrouped(), lane != null);
      if (lane != null) {
        assertLane(group, lane);
      }
    }
    JsonNode clashes = data.get("figures").get(3);
    assertEquals("clashes", clashes.get("name").asText());
    assertTrue(clashes.get("bound").asLong() <= clashes.get("ours").asLong());
  }

  /** What the page draws of a lane, against the plan of the group. */
  private static void assertLane(PlannedGroup group, JsonNode lane) {
    LmemProblem problem = group.plan().problem();
    assertEquals(problem.size(), lane.get("offset").size());
    for (int b = 0; b < problem.size(); b++) {
      assertEquals(group.answer().placement().offset(b), lane.get("offset").get(b).asLong());
      assertEquals(problem.buffer(b).size(), lane.get("size").get(b).asLong());
      JsonNode gap = lane.get("gaps").get(Integer.toString(b));
      for (int s = 0; s < problem.steps(); s++) {
        boolean within =
            lane.get("lower").get(b).asInt() <= s && s < lane.get("upper").get(b).asInt();
        boolean out =
            gap != null && gap.get(0).get(0).asInt() <= s && s < gap.get(0).get(1).asInt();
        assertEquals(
            problem.buffer(b).isLive(s), within && !out, problem.buffer(b).id() + " at " + s);
      }
    }
    int clashing = 0;
    for (JsonNode step : lane.get("table")) {
      for (String moves : List.of("loads", "stores")) {
        for (JsonNode move : step.get(moves)) {
          clashing += move.size() - 1;
        }
      }
    }
    assertEquals(group.answer().score().clashes(), clashing);
  }
}

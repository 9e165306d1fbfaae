package stowage.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import stowage.JsonChecks;
import stowage.packing.Status;
import stowage.report.FigureSize;
import stowage.report.compare.CompareReport.Kind;
import stowage.report.compare.CompareReport.Row;
import stowage.report.plan.PlanSvgTest;

class CompareReportTest {
  private static CompareReport sample() {
    return new CompareReport(
        "a|b <c>",
        1000,
        "max-load",
        1000L,
        new CompareReport.Objects(1900, 1800, "object-levels"),
        List.of(
            Row.placed("greedy", Kind.ARENA, 1250, 0.01).withBounds(1100L, null),
            Row.without("graph-only", Kind.ARENA, 0, "needs a graph, \"really\""),
            Row.placed("search", Kind.EXACT, 1000, 2),
            Row.placed("objects", Kind.OBJECTS, 2000, 0.0001)
                .withBounds(null, 1800L)
                .withRules("whole objects")));
  }

  private static CompareReport proven(long optimum, Row... rows) {
    return new CompareReport("p", optimum, "search", optimum, null, List.of(rows));
  }

  @Test
  void sortsByPeakAndSaysWhatIsProven() {
    CompareReport report = sample();
    assertEquals(
        List.of("search", "greedy", "objects", "graph-only"),
        report.rows().stream().map(Row::planner).toList());
    assertEquals(Status.OPTIMAL, report.status());
    assertEquals(Status.OPTIMAL, report.status(report.rows().get(0)));
    assertEquals(Status.FEASIBLE, report.status(report.rows().get(1)));
    assertEquals(Status.UNKNOWN, report.status(report.rows().get(3)));
    assertEquals(0.25, report.gap(report.rows().get(1)));
    assertEquals(150 / 1100.0, report.rows().get(1).rulesGap(), 1e-12);
  }

  @Test
  void jsonHasEveryFieldOfEveryRow() throws Exception {
    JsonNode json = JsonChecks.read(sample().json());
    JsonChecks.holds(json, "lowerBound=1000 best=1000 status=OPTIMAL");
    JsonNode greedy = json.get("rows").get(1);
    JsonChecks.holds(
        greedy,
        "planner=greedy kind=arena status=FEASIBLE peak=1250 gap=0.25 rulesBound=1100 "
            + "reason=null");
    assertEquals(0.1, greedy.get("rulesCost").asDouble(), 1e-12);
    assertTrue(greedy.get("rules").isNull());
    assertEquals("whole objects", json.get("rows").get(2).get("rules").asText());
    JsonChecks.holds(
        json,
        "objects/best=1900 objects/lowerBound=1800 objects/status=FEASIBLE "
            + "rows/2/objectsBound=1800");
    JsonNode without = json.get("rows").get(3);
    assertTrue(without.get("peak").isNull() && without.get("gap").isNull());
    assertEquals("needs a graph, \"really\"", without.get("reason").asText());
  }

  @Test
  void tablesHoldWhatIsKnown() {
    String text = sample().brief(Set.of(), Set.of(), List.of("forced"), true);
    assertTrue(text.startsWith("a|b <c>: proven optimum 1000 bytes (max-load)"), text);
    assertTrue(text.contains("25 %") && text.contains("forced by design"), text);
    String markdown = sample().table().markdown();
    assertTrue(markdown.lines().allMatch(line -> line.startsWith("|") && line.endsWith("|")));
    String csv = sample().table().csv();
    assertTrue(
        csv.contains("greedy,arena,FEASIBLE,1250,0.250000,1100,0.136364,0.100000,,0.010,,\n"), csv);
    assertTrue(csv.endsWith("\"needs a graph, \"\"really\"\"\"\n"), csv);
    CompareReport plain =
        new CompareReport(
            "p", 10, "search", null, null, List.of(Row.without("x", Kind.ARENA, 1, "no")));
    assertFalse(plain.table().markdown().contains("forced by design"), "no empty columns");
    String none = plain.brief(Set.of(), Set.of(), List.of(), true);
    assertTrue(none.contains("best none"), none);
  }

  @Test
  void theBriefTableFitsAHundredColumnsAndEndsWithTheBestSystem() {
    CompareReport report =
        proven(
            1000,
            Row.placed("portfolio", Kind.EXACT, 1000, 1),
            Row.placed("vela-greedy", Kind.ARENA, 1100, 0.01),
            Row.placed("vela", Kind.ARENA, 1050, 0.02),
            Row.placed("mine-first", Kind.ARENA, 1060, 0.02),
            Row.placed("greedy-size", Kind.ARENA, 1040, 0.01));
    String text =
        report.brief(Set.of("vela", "vela-greedy"), Set.of("mine-first"), List.of(), false);
    assertTrue(text.endsWith("best system: vela, 5 % above the optimum\n"), text);
    Row[] equal = {Row.placed("tvm", Kind.ARENA, 9, 0), Row.placed("xla", Kind.ARENA, 9, 0)};
    String ties = proven(9, equal).brief(Set.of("tvm", "xla"), Set.of(), List.of(), false);
    assertTrue(ties.endsWith("best systems: tvm and 1 other, optimal\n"), ties);
    assertTrue(text.contains("2 more planners and variants: --all"), text);
    Row[] late = {Row.placed("tvm", Kind.ARENA, 9, 0), Row.without("xla", Kind.ARENA, 0, "late")};
    CompareReport unproven = new CompareReport("p", 8, "max-load", 9L, null, List.of(late));
    String open = unproven.brief(Set.of("tvm", "xla"), Set.of(), List.of(), false);
    assertTrue(open.contains("1 of them without a plan: --all --columns remark"), open);
    assertTrue(open.contains("  above the bound  ") && !open.contains("above the optimum"), open);
    assertTrue(text.contains("mine-first"), text);
    assertFalse(text.contains("vela-greedy") || text.contains("greedy-size"), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
    String all = report.brief(Set.of("vela"), Set.of(), List.of("kind"), true);
    assertTrue(all.contains("greedy-size") && all.contains("arena"), all);
  }

  private static List<Double> dots(String svg) throws Exception {
    return PlanSvgTest.elements(PlanSvgTest.parsed(svg), "circle")
        .filter(circle -> circle.hasAttribute("stroke"))
        .map(circle -> Double.valueOf(circle.getAttribute("cx")))
        .toList();
  }

  @Test
  void thePictureSetsDotsByGap() throws Exception {
    String svg = CompareSvg.of(sample(), FigureSize.USUAL);
    PlanSvgTest.assertStandsAlone(svg);
    assertFalse(svg.contains("logarithmic"));
    List<Double> dots = dots(svg);
    assertEquals(3, dots.size(), "a planner without a plan has no dot");
    double unit = (dots.get(2) - dots.get(0)) / 1.0;
    assertEquals(0.25, (dots.get(1) - dots.get(0)) / unit, 0.001, "the axis is linear");
    assertTrue(svg.contains("forced by design"));
  }

  @Test
  void farApartGapsGetALogarithmicAxis() throws Exception {
    CompareReport report =
        proven(
            100_000,
            Row.placed("a", Kind.EXACT, 100_000, 1),
            Row.placed("b", Kind.ARENA, 100_100, 1),
            Row.placed("c", Kind.ARENA, 101_000, 1),
            Row.placed("d", Kind.ARENA, 110_000, 1));
    String svg = CompareSvg.of(report, FigureSize.USUAL);
    assertTrue(svg.contains("logarithmic"));
    List<Double> dots = dots(svg);
    assertEquals(dots.get(2) - dots.get(1), dots.get(3) - dots.get(2), 0.05, "decades are equal");
    assertTrue(dots.get(0) < dots.get(1), "0 has a place of its own");
  }

  @Test
  void thePictureHasTheSizeAskedForAndNothingOutsideIt() throws Exception {
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < 30; k++) {
      rows.add(Row.placed("planner-" + k, Kind.ARENA, 100 + 3L * k * k, 1));
      CompareReport report = proven(100, rows.toArray(Row[]::new));
      for (FigureSize size :
          List.of(
              new FigureSize(800, 400, 11),
              new FigureSize(600, 1200, 14),
              new FigureSize(1920, 1080, 24))) {
        Document picture = PlanSvgTest.parsed(CompareSvg.of(report, size));
        Element svg = picture.getDocumentElement();
        assertEquals(size.width(), Double.parseDouble(svg.getAttribute("width")), 0.01);
        assertEquals(size.height(), Double.parseDouble(svg.getAttribute("height")), 0.01);
        String[] box = svg.getAttribute("viewBox").split(" ");
        for (Element text : PlanSvgTest.elements(picture, "text").toList()) {
          String what = size + ": " + text.getTextContent();
          double x = Double.parseDouble(text.getAttribute("x"));
          double y = Double.parseDouble(text.getAttribute("y"));
          assertTrue(x >= 0 && x <= Double.parseDouble(box[2]), what);
          assertTrue(y >= 0 && y <= Double.parseDouble(box[3]), what);
        }
      }
    }
  }

  @Test
  void picturesOfNothingAreStillPictures() throws Exception {
    PlanSvgTest.parsed(CompareSvg.of(proven(0), FigureSize.USUAL));
    Row same = Row.placed("a", Kind.EXACT, 10, 0);
    PlanSvgTest.parsed(CompareSvg.of(proven(10, same, same), FigureSize.USUAL));
  }
}

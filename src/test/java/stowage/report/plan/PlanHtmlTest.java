package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import stowage.JsonChecks;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.report.RunReport;
import stowage.report.SampleRuns;

class PlanHtmlTest {
  private static String html(Plan plan) {
    return PlanHtml.of(RunReport.of(plan));
  }

  private static JsonNode data(String html) throws Exception {
    Matcher data =
        Pattern.compile(
                "<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL)
            .matcher(html);
    assertTrue(data.find());
    return JsonChecks.read(data.group(1));
  }

  @Test
  void holdsEveryBufferAsDataAlone() throws Exception {
    PackingProblem problem = SampleRuns.nasty();
    String html = html(SampleRuns.nastyPlan());
    PlanSvgTest.assertStandsAlone(html);
    assertFalse(html.contains("<script>alert"), "an id opens no element");
    assertFalse(html.contains("<i>\"nasty\""), "a name opens no element");
    JsonNode data = data(html);
    for (int i = 0; i < problem.size(); i++) {
      assertEquals(problem.buffer(i).id(), data.get("id").get(i).asText());
    }
    JsonChecks.holds(data, "offset/1=8 bound/step=3");
  }

  @Test
  void everyPlaceOfTheTemplateIsFilled() {
    String html = html(SampleRuns.threeOptimal());
    assertFalse(Pattern.compile("@[a-z]+@").matcher(html).find());
    assertTrue(html.contains("so every plan&#39;s peak is at least that."), "the bound in words");
    assertTrue(html.contains("default-src 'none'"), "the page forbids loading anything");
  }

  @Test
  void namesWithTheTemplatesOwnMarksStayAsTheyAre() {
    PackingProblem problem = SampleRuns.three().withName("@data@ $1 \\0");
    String html = html(SampleRuns.plan(problem, Placement.of(new long[] {0, 8, 0})));
    assertTrue(html.contains("<h1>@data@ $1 \\0</h1>"));
  }

  @Test
  void gapsMemoriesAndTensorsAreInTheData() throws Exception {
    RunReport report =
        SampleRuns.carrying(
            SampleRuns.richPlan(),
            List.of(List.of("x", "</script>"), List.of(), List.of(), List.of(), List.of()));
    String html = PlanHtml.of(report);
    JsonNode data = data(html);
    assertEquals("[[4,8,0,0],[10,14,8,24]]", data.get("gaps").get("0").toString().replace(" ", ""));
    JsonChecks.holds(data, "memories/1/name=dram memory/0=1 tensors/0/1=</script>");
    assertTrue(html.contains("<select id=\"memory\">"));
  }

  @Test
  void withoutAPlacementTheStillPictureStands() {
    String none = html(Plan.of(new Incumbent(SampleRuns.three())));
    assertTrue(none.contains("<svg") && !none.contains("<canvas"));
    assertTrue(html(SampleRuns.infeasible()).contains("The capacity of 11 bytes is too small."));
  }
}

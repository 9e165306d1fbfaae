package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.planning.LoadedProblem;
import stowage.report.FigureSize;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.SampleRuns;

public class PlanSvgTest {
  private static String svg(Plan plan) {
    return PlanSvg.of(RunReport.of(plan));
  }

  /** Parses, which fails on anything that is not well-formed. */
  public static Document parsed(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  /** The elements of a name, in the order of the document. */
  public static Stream<Element> elements(Document document, String name) {
    NodeList nodes = document.getElementsByTagName(name);
    return IntStream.range(0, nodes.getLength()).mapToObj(k -> (Element) nodes.item(k));
  }

  private static List<String> texts(Document document, String element) {
    return elements(document, element).map(Node::getTextContent).toList();
  }

  public static void assertStandsAlone(String text) {
    String rest = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for (String reference : List.of("http:", "https:", "src=", "@import", "url(", "<link")) {
      assertFalse(rest.contains(reference), "nothing is loaded: " + reference);
    }
    Matcher href = Pattern.compile("href=\"(?!data:)").matcher(rest);
    assertFalse(href.find(), "nothing is linked");
  }

  @Test
  void smallPictureIsTheGoldenOne() throws IOException {
    String drawn = svg(SampleRuns.threeOptimal()).replaceAll("\\d+\\.\\d+ s", "0.000 s");
    try (InputStream golden = PlanSvgTest.class.getResourceAsStream("three.svg")) {
      assertEquals(new String(golden.readAllBytes(), StandardCharsets.UTF_8), drawn);
    }
  }

  @Test
  void panelsDrawnBeforehandGiveTheSamePicture() {
    for (Plan plan : List.of(SampleRuns.threeOptimal(), SampleRuns.richPlan())) {
      RunReport report = RunReport.of(plan);
      RunReport later =
          RunReport.of(plan, report.input(), report.settings(), RunFacts.NONE, report);
      assertTrue(later.tellsSamePlan(report));
      assertTrue(later.isBoundChecked());
      assertEquals(PlanSvg.of(later), PlanSvg.of(later, PlanSvg.panels(report)));
    }
    RunReport other = RunReport.of(SampleRuns.threeOptimal());
    assertFalse(other.tellsSamePlan(RunReport.of(SampleRuns.threeOptimal())));
  }

  @Test
  void rectanglesLieWhereTheBuffersDo() throws Exception {
    Document document = parsed(svg(SampleRuns.threeOptimal()));
    int found = 0;
    for (Element group : elements(document, "title").toList()) {
      String title = group.getTextContent();
      if (title.startsWith("a\n") || title.startsWith("b\n")) {
        Element rectangle = (Element) group.getNextSibling();
        boolean first = title.startsWith("a\n");
        // a takes 5 of the 9 steps and 8 bytes, b 6 steps and 4 bytes; the peak is 12.
        double width = Double.parseDouble(rectangle.getAttribute("width"));
        assertEquals((first ? 5 : 6) * 782.0 / 9, width, 0.02);
        double height = Double.parseDouble(rectangle.getAttribute("height"));
        assertEquals((first ? 8 : 4) * 440 / (12 * 1.045), height, 0.02);
        found++;
      }
    }
    assertEquals(2, found);
  }

  @Test
  void everyIdIsThereAndEscaped() throws Exception {
    PackingProblem problem = SampleRuns.nasty();
    String svg = svg(SampleRuns.nastyPlan());
    assertFalse(svg.contains("<script"), "an id opens no element");
    assertStandsAlone(svg);
    List<String> titles = texts(parsed(svg), "title");
    for (Buffer buffer : problem.buffers()) {
      String shown = buffer.id().replace('\u0001', '\uFFFD');
      assertTrue(titles.stream().anyMatch(title -> title.startsWith(shown)), shown);
    }
    assertTrue(texts(parsed(svg), "text").contains(problem.name()));
  }

  @Test
  void eachMemoryHasAPanelAndGapsAreLeftOpen() throws Exception {
    String svg = svg(SampleRuns.richPlan());
    Document document = parsed(svg);
    assertStandsAlone(svg);
    List<String> texts = texts(document, "text");
    assertTrue(texts.contains("memory sram") && texts.contains("memory dram"), texts.toString());
    assertTrue(texts.contains("lent to others"), "the legend names the outlines");
    // [0, 4), [8, 10), the window of [10, 14), and [14, 20); nothing in [4, 8).
    Element gapped =
        elements(document, "title")
            .filter(title -> title.getTextContent().startsWith("gapped"))
            .findFirst()
            .orElseThrow();
    Element group = (Element) gapped.getParentNode();
    assertEquals(4, group.getElementsByTagName("rect").getLength());
  }

  @Test
  void linesNamePeakBoundAndCapacity() throws Exception {
    PackingProblem problem = SampleRuns.three().withCapacity(0, 28);
    Bound bound = Bound.of(13, SampleRuns.word("search"));
    Plan plan = SampleRuns.plan(problem, Placement.of(new long[] {0, 20, 0}), bound);
    List<String> texts = texts(parsed(svg(plan)), "text");
    assertTrue(texts.containsAll(List.of("peak", "24 B", "bound", "13 B", "capacity", "28 B")));
    Plan full =
        SampleRuns.plan(
            SampleRuns.three().withCapacity(0, 24), Placement.of(new long[] {0, 20, 0}));
    assertTrue(texts(parsed(svg(full)), "text").contains("24 B (capacity)"), "one line, one label");
    List<String> met = texts(parsed(svg(SampleRuns.threeOptimal())), "text");
    assertTrue(met.contains("peak = bound"), met.toString());
    assertTrue(met.contains("step 3 proves the bound"), met.toString());
  }

  @Test
  void theLegendNamesOnlyWhatIsDrawn() throws Exception {
    PackingProblem empty = PackingProblem.of("empty", Buffers.of("a:0[0,1)"));
    Plan plan = SampleRuns.plan(empty, Placement.of(new long[1]));
    List<String> texts = texts(parsed(svg(plan)), "text");
    assertEquals("size", texts.get(texts.size() - 1), texts.toString());
  }

  @Test
  void withoutAPlacementTheLoadStandsAgainstTheCapacity() throws Exception {
    List<String> texts = texts(parsed(svg(SampleRuns.infeasible())), "text");
    assertTrue(texts.containsAll(List.of("capacity", "11 B", "bound", "12 B")), texts.toString());
    parsed(svg(Plan.of(new Incumbent(PackingProblem.of("empty", List.of())))));
    PackingProblem empty = PackingProblem.of("empty", List.of());
    parsed(svg(SampleRuns.plan(empty, Placement.of(new long[0]))));
  }

  @Test
  void manyBuffersBecomeASmallDensityPicture() throws Exception {
    int count = BufferShapes.MOST_DRAWN + 1;
    List<Buffer> buffers = new ArrayList<>();
    long[] offsets = new long[count];
    Random random = new Random(5);
    for (int i = 0; i < count; i++) {
      int start = i / 100 * 10;
      buffers.add(new Buffer("b" + i, 64 + random.nextInt(64), start, start + 10));
      offsets[i] = i % 100 * 128L;
    }
    String svg = svg(SampleRuns.plan(PackingProblem.of("many", buffers), Placement.of(offsets)));
    parsed(svg);
    assertStandsAlone(svg);
    assertTrue(svg.length() < 400_000, svg.length() + " characters");
    Matcher image = Pattern.compile("base64,([^\"]*)").matcher(svg);
    assertTrue(image.find());
    var picture =
        ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(image.group(1))));
    assertEquals(1200, picture.getWidth());
    int middle = picture.getRGB(600, 400) & 0xFFFFFF;
    assertTrue(middle != 0xFFFFFF, "the memory is in use");
    assertEquals(0xFFFFFF, picture.getRGB(600, 0) & 0xFFFFFF, "above the peak nothing is");
  }

  @Test
  void hasTheSizeAndTextAskedFor() {
    Plan plan = SampleRuns.threeOptimal();
    RunSettings settings = new RunSettings(null, 1, 1, false, new FigureSize(1600, 900, 22));
    LoadedProblem input = LoadedProblem.of(plan.problem());
    String svg = PlanSvg.of(RunReport.of(plan, input, settings, RunFacts.NONE, null));
    assertTrue(svg.contains("width=\"1600\" height=\"900\" viewBox=\"0 0 800 450\""), svg);
    assertTrue(PlanSvg.of(RunReport.of(plan)).contains("width=\"1000\""), "the usual width");
  }
}

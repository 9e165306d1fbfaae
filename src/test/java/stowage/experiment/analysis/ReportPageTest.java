package stowage.experiment.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import stowage.report.Browser;

/** The page of a report in a browser, and its plots as files. */
class ReportPageTest {
  private static final List<String> PLOTS =
      List.of("anytime", "cactus", "gap-boxes", "profile-peak", "profile-proof", "scaling");

  // The browser writes into it until its very end.
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path folder;

  private static Path page;

  @BeforeAll
  static void writeReport() throws IOException {
    page = Report.write(SyntheticExperiment.write(folder, 2, 7));
  }

  @Test
  void everyPlotIsDrawnAndTheConsoleIsQuiet() throws Exception {
    // What the browser laid out is given by a script that only this copy has.
    String script =
        """
        <pre id="seen"></pre><script>
        document.querySelectorAll('figure > svg').forEach(svg => {
          const box = svg.getBoundingClientRect();
          let drawn = 0;
          svg.querySelectorAll('path, line, polyline, circle, rect, text').forEach(part => {
            const own = part.getBBox();
            drawn += own.width > 0 || own.height > 0 ? 1 : 0;
          });
          seen.textContent += svg.parentNode.id + ' ' + Math.round(box.width) + ' '
              + Math.round(box.height) + ' ' + drawn + ';';
        });
        </script></body>
        """;
    String html = Files.readString(page).replace("</body>", script);
    String seen = Browser.opened(folder, html, 1000);
    Matcher told = Pattern.compile("<pre id=\"seen\">([^<]*)</pre>").matcher(seen);
    assertTrue(told.find() && !told.group(1).isEmpty(), "nothing is drawn");
    TreeSet<String> names = new TreeSet<>();
    for (String plot : told.group(1).split(";")) {
      String[] parts = plot.strip().split(" ");
      names.add(parts[0]);
      assertTrue(Integer.parseInt(parts[1]) > 300 && Integer.parseInt(parts[2]) > 200, plot);
      assertTrue(Integer.parseInt(parts[3]) > 20, plot);
    }
    assertEquals(new TreeSet<>(PLOTS), names);
  }

  @Test
  void plotsAreWellFormedAndTellWhereTheyComeFrom() throws Exception {
    for (String plot : PLOTS) {
      Path file = page.resolveSibling("plots").resolve(plot + ".svg");
      Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
      assertEquals("svg", svg.getDocumentElement().getTagName());
      String text = svg.getDocumentElement().getTextContent();
      for (String origin :
          List.of("Command: stowage experiment run", "Commit: c0ffee", "host", "hash")) {
        assertTrue(text.contains(origin), plot + " does not tell " + origin);
      }
    }
  }

  @Test
  void thePageNamesItsOriginOnceAtItsEnd() throws IOException {
    String html = Files.readString(page);
    int captions = html.split("<figcaption>", -1).length - 1;
    assertTrue(captions >= PLOTS.size() + 8, captions + " captions");
    for (String origin : List.of("Command: ", "Commit: ", "Machine: ", "Data: ")) {
      assertEquals(html.lastIndexOf(origin), html.indexOf(origin), origin + "more than once");
      assertTrue(html.indexOf(origin) > html.lastIndexOf("<figcaption>"), origin);
    }
    assertTrue(html.contains("Mean gap to the proven optimum: "), "the result comes first");
    assertTrue(
        html.matches("(?s).*Mean gap[^<]* \\(\\d+ of \\d+ runs\\).*"), "runs without a plan");
    assertFalse(
        Pattern.compile("(src|href)=\"(https?:|//)").matcher(html).find(),
        "the page should need nothing else");
  }
}

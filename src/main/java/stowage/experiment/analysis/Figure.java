package stowage.experiment.analysis;

import java.awt.Dimension;
import java.awt.geom.Rectangle2D;
import java.io.StringWriter;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.JFreeChart;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A plot of a report without a title, in SVG's units, of which a screen has 96 an inch. */
record Figure(String name, String title, String caption, JFreeChart chart, int width, int height) {
  private static final String SVG = "http://www.w3.org/2000/svg";

  /** The plot as an SVG element by Batik, for a file of its own or HTML, with its provenance. */
  String svg(String provenance) {
    Document document = emptyDocument();
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setComment("Drawn by JFreeChart and Batik");
    context.setIDGenerator(
        new SVGIDGenerator() {
          @Override
          public String generateID(String prefix) {
            return name() + "-" + super.generateID(prefix); // several are in one page
          }
        });
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(width(), height()));
    chart().draw(graphics, new Rectangle2D.Double(0, 0, width(), height()));
    Element root = graphics.getRoot();
    root.setAttributeNS(null, "viewBox", "0 0 " + width() + " " + height());
    root.setAttributeNS(null, "role", "img");
    Element description = document.createElementNS(SVG, "desc");
    description.setTextContent(title() + ". " + caption() + "\n" + provenance);
    Element title = document.createElementNS(SVG, "title");
    title.setTextContent(title());
    root.insertBefore(description, root.getFirstChild());
    root.insertBefore(title, description);
    StringWriter text = new StringWriter();
    try {
      graphics.stream(root, text, true, false);
    } catch (SVGGraphics2DIOException failure) {
      throw new IllegalStateException("plot " + name() + " cannot be written", failure);
    }
    String all = text.toString();
    return all.substring(all.indexOf("<svg"));
  }

  private static Document emptyDocument() {
    try {
      return DocumentBuilderFactory.newDefaultNSInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(SVG, "svg", null);
    } catch (ParserConfigurationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}

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
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Writes plots as SVG, by Batik. */
final class SvgCharts {
  private static final String SVG = "http://www.w3.org/2000/svg";

  private SvgCharts() {}

  /**
   * A plot as an SVG element, to be in a file of its own or within HTML.
   *
   * @param provenance where its figures come from; kept as the element's description
   */
  static String svg(Figure figure, String provenance) {
    Document document = emptyDocument();
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setComment("Drawn by JFreeChart and Batik");
    context.setIDGenerator(
        new SVGIDGenerator() {
          @Override
          public String generateID(String prefix) {
            return figure.name() + "-" + super.generateID(prefix); // several are in one page
          }
        });
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(figure.width(), figure.height()));
    figure.chart().draw(graphics, new Rectangle2D.Double(0, 0, figure.width(), figure.height()));
    Element root = graphics.getRoot();
    root.setAttributeNS(null, "viewBox", "0 0 " + figure.width() + " " + figure.height());
    root.setAttributeNS(null, "role", "img");
    Element description = document.createElementNS(SVG, "desc");
    description.setTextContent(figure.title() + ". " + figure.caption() + "\n" + provenance);
    Element title = document.createElementNS(SVG, "title");
    title.setTextContent(figure.title());
    root.insertBefore(description, root.getFirstChild());
    root.insertBefore(title, description);
    StringWriter text = new StringWriter();
    try {
      graphics.stream(root, text, true, false);
    } catch (SVGGraphics2DIOException failure) {
      throw new IllegalStateException("plot " + figure.name() + " cannot be written", failure);
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

package stowage.report.check;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import stowage.packing.Buffer;

/**
 * A check as JUnit's XML, which build servers show as tests: one test case per model, failed where
 * its peak is not within the limit.
 *
 * <p>Source: the elements that Jenkins, GitLab and Maven's Surefire read ({@code testsuites},
 * {@code testsuite}, {@code testcase}, {@code failure}), as in Surefire's surefire-test-report.xsd.
 */
public final class CheckJunit {
  private CheckJunit() {}

  /** The whole document. */
  public static String of(CheckReport report) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("testsuites");
      counts(xml, report);
      xml.writeCharacters("\n  ");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", "stowage check");
      counts(xml, report);
      xml.writeAttribute("errors", "0");
      xml.writeAttribute("skipped", "0");
      for (CheckReport.Model model : report.models()) {
        write(xml, model);
      }
      xml.writeCharacters("\n  ");
      xml.writeEndElement();
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException impossible) {
      throw new IllegalStateException(impossible);
    }
    return text + "\n";
  }

  private static void counts(XMLStreamWriter xml, CheckReport report) throws XMLStreamException {
    double seconds = report.models().stream().mapToDouble(CheckReport.Model::seconds).sum();
    xml.writeAttribute("tests", String.valueOf(report.models().size()));
    xml.writeAttribute("failures", String.valueOf(report.failures().size()));
    xml.writeAttribute("time", seconds(seconds));
  }

  private static void write(XMLStreamWriter xml, CheckReport.Model model)
      throws XMLStreamException {
    xml.writeCharacters("\n    ");
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", "stowage.check");
    xml.writeAttribute("name", valid(model.file()));
    xml.writeAttribute("time", seconds(model.seconds()));
    if (model.verdict() != CheckReport.Verdict.WITHIN) {
      xml.writeCharacters("\n      ");
      xml.writeStartElement("failure");
      xml.writeAttribute("type", model.verdict().word());
      xml.writeAttribute("message", valid(model.reason()));
      if (model.blocking() != null) {
        for (Buffer buffer : model.blocking().largestFirst()) {
          xml.writeCharacters(
              valid("\n" + buffer.id() + ", " + buffer.size() + " bytes, " + buffer.live()));
        }
        xml.writeCharacters("\n      ");
      }
      xml.writeEndElement();
      xml.writeCharacters("\n    ");
    }
    xml.writeEndElement();
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  /** The text without the characters that XML has no way to write. */
  private static String valid(String text) {
    return text.codePoints()
        .map(
            c ->
                c == '\n' || c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c > 0xFFFF
                    ? c
                    : 0xFFFD)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}

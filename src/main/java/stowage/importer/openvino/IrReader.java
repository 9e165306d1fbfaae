package stowage.importer.openvino;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import stowage.importer.InputException;
import stowage.importer.InputFiles;

/**
 * Reads the XML of IR files. Document types and entities other than XML's own five are refused, so
 * that nothing outside of the file is ever looked at.
 */
final class IrReader implements AutoCloseable {
  private static final int FIRST_VERSION = 2;
  private static final int LAST_VERSION = 11;
  private static final int DEEPEST = 30;

  private final Path file;
  private final InputStream in;
  private final XMLStreamReader xml;
  private String name = "";
  private int version;

  /** Opens a file. */
  IrReader(Path file) {
    this.file = file;
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("entities are not read");
        });
    this.in = new BufferedInputStream(InputFiles.open(file));
    try {
      this.xml = factory.createXMLStreamReader(in);
    } catch (XMLStreamException malformed) {
      throw malformed(malformed);
    }
  }

  /** The network's name. */
  String name() {
    return name;
  }

  /** The version of the format. */
  int version() {
    return version;
  }

  /**
   * Reads the file's graph.
   *
   * @throws InputException naming the line, what stands there and what should
   */
  IrGraph read() {
    try {
      while (next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      if (!xml.getLocalName().equals("net")) {
        throw fault("the outermost element is <" + xml.getLocalName() + ">; it should be <net>");
      }
      name = attribute("name", "");
      version = (int) integer("version", -1);
      if (version < FIRST_VERSION || version > LAST_VERSION) {
        throw fault(
            "version " + version + " should be between " + FIRST_VERSION + " and " + LAST_VERSION);
      }
      IrGraph graph = graph("net", 0);
      while (xml.hasNext()) {
        next();
      }
      return graph;
    } catch (XMLStreamException malformed) {
      throw malformed(malformed);
    }
  }

  @Override
  public void close() {
    try {
      xml.close();
      in.close();
    } catch (XMLStreamException | IOException failure) {
      // nothing was written, and all that was needed has been read
      return;
    }
  }

  private int next() throws XMLStreamException {
    int event = xml.next();
    if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
      throw fault("document types and entities are not allowed in IR files");
    }
    return event;
  }

  /** Goes to the next child element; false at the end of the element named. */
  private boolean child(String of) throws XMLStreamException {
    while (true) {
      int event = next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        return true;
      }
      if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals(of)) {
        return false;
      }
      if (event == XMLStreamConstants.END_DOCUMENT) {
        throw fault("<" + of + "> should end");
      }
    }
  }

  private void skip() throws XMLStreamException {
    for (int depth = 1; depth > 0; ) {
      int event = next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
  }

  private IrGraph graph(String element, int depth) throws XMLStreamException {
    if (depth > DEEPEST) {
      throw fault("layers are nested deeper than " + DEEPEST);
    }
    List<IrGraph.Layer> layers = new ArrayList<>();
    List<IrGraph.Edge> edges = new ArrayList<>();
    boolean found = false;
    while (child(element)) {
      switch (xml.getLocalName()) {
        case "layers" -> {
          found = true;
          while (child("layers")) {
            layers.add(layer(depth));
          }
        }
        case "edges" -> {
          while (child("edges")) {
            edges.add(
                new IrGraph.Edge(
                    (int) integer("from-layer", -1),
                    (int) integer("from-port", 0),
                    (int) integer("to-layer", -1),
                    (int) integer("to-port", 0),
                    line()));
            skip();
          }
        }
        default -> skip();
      }
    }
    if (!found) {
      throw fault("<" + element + "> should hold <layers>");
    }
    return new IrGraph(List.copyOf(layers), List.copyOf(edges));
  }

  private IrGraph.Layer layer(int depth) throws XMLStreamException {
    String element = xml.getLocalName();
    int line = line();
    int id = (int) integer("id", -1);
    String layerName = attribute("name", "");
    String type = attribute("type", "");
    String precision = attribute("precision", "");
    if (id < 0 || type.isEmpty()) {
      throw fault("a layer should have an id and a type");
    }
    Map<String, String> data = new LinkedHashMap<>();
    List<IrGraph.Port> inputs = new ArrayList<>();
    List<IrGraph.Port> outputs = new ArrayList<>();
    List<IrGraph.Blob> blobs = new ArrayList<>();
    List<IrGraph> bodies = new ArrayList<>();
    List<Integer> collected = new ArrayList<>();
    boolean decompression = false;
    while (child(element)) {
      switch (xml.getLocalName()) {
        case "data" -> {
          for (int k = 0; k < xml.getAttributeCount(); k++) {
            data.put(xml.getAttributeLocalName(k), xml.getAttributeValue(k));
          }
          skip();
        }
        case "input" -> ports("input", inputs);
        case "output" -> ports("output", outputs);
        case "weights", "biases" -> blob(blobs);
        case "blobs" -> {
          while (child("blobs")) {
            blob(blobs);
          }
        }
        case "body" -> bodies.add(graph("body", depth + 1));
        case "then_body" -> bodies.add(graph("then_body", depth + 1));
        case "else_body" -> bodies.add(graph("else_body", depth + 1));
        case "port_map" -> {
          while (child("port_map")) {
            if (xml.getLocalName().equals("output") && integer("axis", -1) >= 0) {
              collected.add((int) integer("external_port_id", -1));
            }
            skip();
          }
        }
        case "rt_info" -> {
          while (child("rt_info")) {
            decompression |= attribute("name", "").equals("decompression");
            skip();
          }
        }
        default -> skip(); // what is not needed, such as back_edges
      }
    }
    return new IrGraph.Layer(
        id,
        layerName,
        type,
        precision,
        data,
        List.copyOf(inputs),
        List.copyOf(outputs),
        List.copyOf(blobs),
        List.copyOf(bodies),
        List.copyOf(collected),
        decompression,
        line);
  }

  private void ports(String element, List<IrGraph.Port> ports) throws XMLStreamException {
    while (child(element)) {
      int id = (int) integer("id", -1);
      String precision = attribute("precision", "");
      List<Long> dims = new ArrayList<>();
      while (child("port")) {
        if (xml.getLocalName().equals("dim")) {
          dims.add(number("extent", xml.getElementText(), -1));
        } else {
          skip();
        }
      }
      ports.add(new IrGraph.Port(id, List.copyOf(dims), precision));
    }
  }

  private void blob(List<IrGraph.Blob> blobs) throws XMLStreamException {
    blobs.add(new IrGraph.Blob(xml.getLocalName(), integer("size", 0), attribute("precision", "")));
    skip();
  }

  private String attribute(String key, String otherwise) {
    String value = xml.getAttributeValue(null, key);
    return value == null ? otherwise : value;
  }

  private long integer(String key, long otherwise) {
    String value = xml.getAttributeValue(null, key);
    return value == null ? otherwise : number(key, value, -1);
  }

  private long number(String what, String text, long least) {
    String digits = text.strip();
    if (digits.matches("-?\\d{1,18}")) {
      long value = Long.parseLong(digits);
      if (value >= least) {
        return value;
      }
    }
    throw fault(what + " \"" + digits + "\" should be a whole number");
  }

  private int line() {
    return xml.getLocation().getLineNumber();
  }

  private InputException fault(String what) {
    return new InputException(file, "line " + line(), what);
  }

  private InputException malformed(XMLStreamException failure) {
    String where =
        failure.getLocation() == null ? "" : "line " + failure.getLocation().getLineNumber();
    String what = String.valueOf(failure.getMessage());
    int message = what.indexOf("Message: ");
    return new InputException(
        file,
        where,
        "is no well-formed XML, or is cut short: "
            + (message < 0 ? what : what.substring(message + "Message: ".length())),
        failure);
  }
}

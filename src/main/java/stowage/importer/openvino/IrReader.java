package stowage.importer.openvino;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * Reader of the XML of IR files, which is UTF-8. Document types are refused, and so are entities
 * except the five that XML defines, so that no other file is read.
 */
final class IrReader {
  private static final int FIRST_VERSION = 1;
  private static final int LAST_VERSION = 11;
  private static final int DEEPEST = 30;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final Path file;
  private final XMLStreamReader xml;
  private String name = "";

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
    // Decoded here, since the parser prints of its own accord what it cannot decode.
    String text = InputFiles.readText(file);
    int start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    try {
      this.xml = factory.createXMLStreamReader(new StringReader(text.substring(start)));
    } catch (XMLStreamException malformed) {
      throw malformed(malformed);
    }
  }

  String name() {
    return name;
  }

  IrGraph read() {
    try {
      while (next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      if (!xml.getLocalName().equals("net")) {
        throw fault("the outermost element is <" + xml.getLocalName() + ">; it should be <net>");
      }
      name = attribute("name", "");
      int version = integer("version", -1);
      if (version < FIRST_VERSION || version > LAST_VERSION) {
        throw fault("version %s should be between %s and %s", version, FIRST_VERSION, LAST_VERSION);
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
        case "edges" -> edges("edges", edges);
        default -> skip();
      }
    }
    if (!found) {
      throw fault("<" + element + "> should hold <layers>");
    }
    return new IrGraph(List.copyOf(layers), List.copyOf(edges));
  }

  private void edges(String element, List<IrGraph.Edge> edges) throws XMLStreamException {
    while (child(element)) {
      edges.add(
          new IrGraph.Edge(
              integer("from-layer", -1),
              integer("from-port", 0),
              integer("to-layer", -1),
              integer("to-port", 0),
              line()));
      skip();
    }
  }

  private IrGraph.Layer layer(int depth) throws XMLStreamException {
    String element = xml.getLocalName();
    int line = line();
    int id = integer("id", -1);
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
    BodyParts bodies = new BodyParts();
    boolean decompression = false;
    while (child(element)) {
      String child = xml.getLocalName();
      switch (child) {
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
        case "body", "then_body", "else_body" ->
            bodies.graphs.put(child.replace("body", ""), graph(child, depth + 1));
        case "port_map", "then_port_map", "else_port_map" ->
            portMap(child, child.replace("port_map", ""), bodies);
        case "back_edges" -> edges(child, bodies.backEdges);
        case "rt_info" -> {
          while (child("rt_info")) {
            decompression |= attribute("name", "").equals("decompression");
            skip();
          }
        }
        default -> skip(); // what is not needed
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
        bodies.build(),
        decompression,
        line);
  }

  /** The parts of the code inside a layer, by what is before their elements' names. */
  private static final class BodyParts {
    final Map<String, IrGraph> graphs = new LinkedHashMap<>();
    final Map<String, List<IrGraph.Mapping>> inputs = new LinkedHashMap<>();
    final Map<String, List<IrGraph.Mapping>> outputs = new LinkedHashMap<>();
    final List<IrGraph.Edge> backEdges = new ArrayList<>();

    List<IrGraph.Body> build() {
      List<IrGraph.Body> bodies = new ArrayList<>();
      graphs.forEach(
          (prefix, graph) ->
              bodies.add(
                  new IrGraph.Body(
                      graph,
                      List.copyOf(inputs.getOrDefault(prefix, List.of())),
                      List.copyOf(outputs.getOrDefault(prefix, List.of())),
                      List.copyOf(backEdges))));
      return List.copyOf(bodies);
    }
  }

  private void portMap(String element, String prefix, BodyParts bodies) throws XMLStreamException {
    while (child(element)) {
      boolean input = xml.getLocalName().equals("input");
      if (input || xml.getLocalName().equals("output")) {
        (input ? bodies.inputs : bodies.outputs)
            .computeIfAbsent(prefix, key -> new ArrayList<>())
            .add(
                new IrGraph.Mapping(
                    integer("external_port_id", -1),
                    integer("internal_layer_id", -1),
                    integer("internal_port_id", -1),
                    integer("axis", -1),
                    Math.abs((long) signed("part_size", 1))));
      }
      skip();
    }
  }

  private void ports(String element, List<IrGraph.Port> ports) throws XMLStreamException {
    while (child(element)) {
      int id = integer("id", -1);
      String precision = attribute("precision", "");
      List<Long> dims = new ArrayList<>();
      while (child("port")) {
        if (xml.getLocalName().equals("dim")) {
          String extent = xml.getElementText().strip();
          boolean open = extent.isEmpty() || extent.equals("?");
          dims.add(open ? IrGraph.OPEN : number("extent", extent, IrGraph.OPEN));
        } else {
          skip();
        }
      }
      ports.add(new IrGraph.Port(id, List.copyOf(dims), precision));
    }
  }

  private void blob(List<IrGraph.Blob> blobs) throws XMLStreamException {
    long size = number("size", attribute("size", "0"), 0);
    blobs.add(new IrGraph.Blob(xml.getLocalName(), size, attribute("precision", "")));
    skip();
  }

  private String attribute(String key, String otherwise) {
    String value = xml.getAttributeValue(null, key);
    return value == null ? otherwise : value;
  }

  /** An attribute that names a layer, a port or an axis: 0 or more, or -1 for none. */
  private int integer(String key, int otherwise) {
    int value = signed(key, otherwise);
    if (value < -1) {
      throw fault(key + " " + value + " should be 0 or more");
    }
    return value;
  }

  private int signed(String key, int otherwise) {
    String text = xml.getAttributeValue(null, key);
    long value = text == null ? otherwise : number(key, text, Integer.MIN_VALUE);
    if (value > Integer.MAX_VALUE) {
      throw fault(key + " " + value + " should be " + Integer.MAX_VALUE + " or less");
    }
    return (int) value;
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

  private InputException fault(String what, Object... arguments) {
    return InputException.atLine(file, line(), what, arguments);
  }

  private InputException malformed(XMLStreamException failure) {
    String where =
        failure.getLocation() == null ? "" : "line " + failure.getLocation().getLineNumber();
    String what = String.valueOf(failure.getMessage());
    int message = what.indexOf("Message: ");
    return new InputException(
        file,
        where,
        "is not well-formed XML, or is truncated: "
            + (message < 0 ? what : what.substring(message + "Message: ".length())),
        failure);
  }
}

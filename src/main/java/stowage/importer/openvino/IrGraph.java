package stowage.importer.openvino;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import stowage.importer.io.InputException;
import stowage.network.ElementType;

/** A graph of an IR file: the whole network, or the code inside a layer; edges end at inputs. */
record IrGraph(List<Layer> layers, List<Edge> edges) {
  /** An extent that the file leaves open. */
  static final long OPEN = -1;

  /** OpenVINO's words for element types: those of ports, and those of attributes. */
  private static final Map<String, ElementType> TYPES =
      ElementType.words(
          """
          FP64=F64 F64=F64 FP32=F32 F32=F32 FP16=F16 F16=F16 BF16=BF16 F8E4M3=F8 F8E5M2=F8 F8E8M0=F8
          NF4=F4 F4E2M1=F4 I64=I64 U64=U64 I32=I32 U32=U32 I16=I16 Q78=I16 U16=U16 I8=I8 U8=U8 I4=I4
          U4=U4 U2=U2 U1=BIT BIN=BIT BOOL=BOOL BOOLEAN=BOOL STRING=OPAQUE
          """);

  /**
   * One layer.
   *
   * @param id by which edges name it
   * @param precision the element type of old versions; empty when the ports have it
   * @param inputs its input ports in order
   * @param outputs its output ports in order
   * @param blobs constant data of old versions
   * @param bodies code inside
   * @param decompression whether it only unpacks compressed weights
   * @param line where it starts, counted from 1
   */
  record Layer(
      int id,
      String name,
      String type,
      String precision,
      Map<String, String> data,
      List<Port> inputs,
      List<Port> outputs,
      List<Blob> blobs,
      List<Body> bodies,
      boolean decompression,
      int line) {

    /** The name, or one made of type and id where the file gives none. */
    String label() {
      return name.isEmpty() ? type + " " + id : name;
    }

    String where() {
      return "line " + line + ", layer \"" + name + "\"";
    }

    InputException fault(Path file, String what, Object... arguments) {
      return new InputException(file, where(), what, arguments);
    }

    /** Whether it gives a variable's value. */
    boolean isReading() {
      return type.equals("ReadValue") || (type.equals("Memory") && inputs.isEmpty());
    }

    /** Whether it replaces a variable's value. */
    boolean isWriting() {
      return type.equals("Assign") || (type.equals("Memory") && !inputs.isEmpty());
    }

    /** The name of the variable that it gives or replaces. */
    String variable() {
      return data.getOrDefault(type.equals("Memory") ? "id" : "variable_id", label());
    }

    /** Attributes as numbers, lists of numbers and flags where they can be read as such. */
    Map<String, Object> attributes() {
      Map<String, Object> attributes = new LinkedHashMap<>();
      data.keySet().forEach(key -> attributes.put(key, attribute(key)));
      return attributes;
    }

    /** The whole numbers of a list such as {@code 1,1}; empty when it is none. */
    List<Long> integers(String key) {
      Object value = attribute(key);
      List<?> list = value instanceof List<?> several ? several : List.of(value);
      return list.stream().allMatch(Long.class::isInstance)
          ? list.stream().map(Long.class::cast).toList()
          : List.of();
    }

    boolean flag(String key) {
      Object value = attribute(key);
      return value.equals(Boolean.TRUE) || value.equals(1L);
    }

    private Object attribute(String key) {
      String text = data.getOrDefault(key, "").strip();
      if (text.matches("-?\\d{1,18}")) {
        return Long.parseLong(text);
      } else if (text.matches("-?\\d{1,18}(\\s*,\\s*-?\\d{1,18})++")) {
        return Stream.of(text.split(",")).map(part -> Long.parseLong(part.strip())).toList();
      } else if (text.matches("-?\\d{1,30}\\.\\d{0,30}([eE][+-]?\\d{1,3})?")) {
        return Double.parseDouble(text);
      }
      return switch (text) {
        case "true", "True" -> Boolean.TRUE;
        case "false", "False" -> Boolean.FALSE;
        default -> text;
      };
    }
  }

  /**
   * Where an edge ends.
   *
   * @param dims extents, {@link #OPEN} where unknown
   * @param precision the element type; empty when the layer says
   */
  record Port(int id, List<Long> dims, String precision) {}

  /** Constant data of a layer, in bytes. */
  record Blob(String name, long size, String precision) {}

  /** An edge between two layers' ports. */
  record Edge(int fromLayer, int fromPort, int toLayer, int toPort, int line) {}

  /** Code inside a layer: what goes in, what comes out, what one turn hands to the next. */
  record Body(IrGraph graph, List<Mapping> inputs, List<Mapping> outputs, List<Edge> backEdges) {}

  /**
   * A port of a layer and the place in its code that belongs to it.
   *
   * @param externalPort the layer's port; -1 for what has none, such as the number of a loop's turn
   * @param layer id of the layer inside
   * @param port port of that layer; -1 in versions in which layers inside represent ports
   * @param axis along which each turn takes or gives one part; -1 for the whole
   * @param part extent of a part along the axis
   */
  record Mapping(int externalPort, int layer, int port, int axis, long part) {
    boolean isSliced() {
      return axis >= 0;
    }
  }

  /** The element type of a word such as {@code FP32} or {@code f32}; null when it is not known. */
  static ElementType type(String word) {
    return TYPES.get(word.toUpperCase(Locale.ROOT));
  }
}

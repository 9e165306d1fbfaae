package stowage.importer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Readers that know just enough of each format to count, written apart from the importers and by
 * other means: raw bytes for ONNX and TFLite, a document tree for OpenVINO, patterns for TPU-MLIR.
 */
final class SecondReaders {
  private SecondReaders() {}

  /** What a file holds, as far as counting goes. */
  static final class Counted {
    /** Bytes of each activation by key, -1 where this reader cannot tell. */
    final Map<String, Long> activations = new LinkedHashMap<>();

    /** Bytes of each weight by key. */
    final Map<String, Long> weights = new LinkedHashMap<>();

    final List<String> inputs = new ArrayList<>();
    final List<String> outputs = new ArrayList<>();

    /** Keys each op reads and makes. */
    final List<List<String>> reads = new ArrayList<>();

    final List<List<String>> makes = new ArrayList<>();

    long weightBytes() {
      return weights.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The largest sum of live bytes, inputs freed after their last use, counted step by step. */
    long maxLoad() {
      long most = 0;
      for (int step = 0; step < reads.size(); step++) {
        long live = 0;
        for (Map.Entry<String, Long> activation : activations.entrySet()) {
          String key = activation.getKey();
          int start = inputs.contains(key) ? 0 : Integer.MAX_VALUE;
          int end = outputs.contains(key) ? reads.size() : 0;
          for (int k = 0; k < reads.size(); k++) {
            if (makes.get(k).contains(key)) {
              start = k;
              end = Math.max(end, k + 1);
            }
            if (reads.get(k).contains(key)) {
              end = Math.max(end, k + 1);
            }
          }
          live += start <= step && step < end ? activation.getValue() : 0;
        }
        most = Math.max(most, live);
      }
      return most;
    }
  }

  // ---- TFLite ----

  static Counted tflite(Path file) throws IOException {
    ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int model = b.getInt(0);
    int[] buffers = vector(b, model, 4);
    long[] data = new long[buffers.length];
    for (int k = 0; k < buffers.length; k++) {
      int at = field(b, buffers[k], 0);
      data[k] = at == 0 ? 0 : b.getInt(at + b.getInt(at));
    }
    int graph = vector(b, model, 2)[0];
    int[] bytesOfType = {4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 0, 0, 4, 2};
    Counted counted = new Counted();
    int[] tensors = vector(b, graph, 0);
    Set<Integer> variable = new HashSet<>();
    for (int t = 0; t < tensors.length; t++) {
      int typeAt = field(b, tensors[t], 1);
      long size = bytesOfType[typeAt == 0 ? 0 : b.get(typeAt)];
      for (int extent : ints(b, tensors[t], 0)) {
        size *= extent;
      }
      int bufferAt = field(b, tensors[t], 2);
      long held = data[bufferAt == 0 ? 0 : b.getInt(bufferAt)];
      int variableAt = field(b, tensors[t], 5);
      if (held > 0) {
        counted.weights.put("t" + t, held);
      } else if (variableAt != 0 && b.get(variableAt) != 0) {
        variable.add(t);
      } else {
        counted.activations.put("t" + t, size);
      }
    }
    for (int input : ints(b, graph, 1)) {
      counted.inputs.add("t" + input);
    }
    for (int output : ints(b, graph, 2)) {
      counted.outputs.add("t" + output);
    }
    for (int op : vector(b, graph, 3)) {
      counted.reads.add(keys(ints(b, op, 1)));
      counted.makes.add(keys(ints(b, op, 2)));
    }
    return counted;
  }

  private static List<String> keys(int[] indices) {
    List<String> keys = new ArrayList<>();
    for (int index : indices) {
      keys.add("t" + index);
    }
    return keys;
  }

  private static int field(ByteBuffer b, int table, int id) {
    int vtable = table - b.getInt(table);
    int offset = 4 + 2 * id < b.getShort(vtable) ? b.getShort(vtable + 4 + 2 * id) : 0;
    return offset == 0 ? 0 : table + offset;
  }

  private static int[] ints(ByteBuffer b, int table, int id) {
    int at = field(b, table, id);
    if (at == 0) {
      return new int[0];
    }
    int vector = at + b.getInt(at);
    int[] values = new int[b.getInt(vector)];
    for (int k = 0; k < values.length; k++) {
      values[k] = b.getInt(vector + 4 + 4 * k);
    }
    return values;
  }

  private static int[] vector(ByteBuffer b, int table, int id) {
    int at = field(b, table, id);
    int vector = at + b.getInt(at);
    int[] targets = ints(b, table, id);
    for (int k = 0; k < targets.length; k++) {
      targets[k] += vector + 4 + 4 * k;
    }
    return targets;
  }

  // ---- OpenVINO ----

  static Counted openvino(Path file) throws Exception {
    Element net =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    Map<String, String> source = new HashMap<>();
    for (Element edge : children(child(net, "edges"), "edge")) {
      source.put(
          edge.getAttribute("to-layer") + ":" + edge.getAttribute("to-port"),
          edge.getAttribute("from-layer") + ":" + edge.getAttribute("from-port"));
    }
    Counted counted = new Counted();
    Set<String> constant = new HashSet<>();
    for (Element layer : children(child(net, "layers"), "layer")) {
      String id = layer.getAttribute("id");
      String type = layer.getAttribute("type");
      List<String> reads = new ArrayList<>();
      for (Element port : children(child(layer, "input"), "port")) {
        reads.add(source.get(id + ":" + port.getAttribute("id")));
      }
      Map<String, Long> makes = new LinkedHashMap<>();
      for (Element port : children(child(layer, "output"), "port")) {
        long size = width(port.getAttribute("precision"));
        for (Element dim : children(port, "dim")) {
          size *= Long.parseLong(dim.getTextContent());
        }
        makes.put(id + ":" + port.getAttribute("id"), size);
      }
      boolean fixed =
          type.equals("Const")
              || type.equals("ShapeOf")
              || (!type.equals("Parameter") && !reads.isEmpty() && constant.containsAll(reads));
      if (fixed) {
        constant.addAll(makes.keySet());
        if (type.equals("Const")) {
          counted.weights.put(id, Long.parseLong(child(layer, "data").getAttribute("size")));
        }
      } else if (type.equals("Result")) {
        counted.outputs.addAll(reads);
      } else {
        counted.activations.putAll(makes);
        if (type.equals("Parameter")) {
          counted.inputs.addAll(makes.keySet());
        } else {
          counted.reads.add(reads);
          counted.makes.add(List.copyOf(makes.keySet()));
        }
      }
    }
    return counted;
  }

  private static long width(String precision) {
    String digits = precision.replaceAll("\\D", "");
    return precision.startsWith("BOOL") ? 1 : Long.parseLong(digits) / 8;
  }

  private static Element child(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? null : found.get(0);
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent == null ? null : parent.getChildNodes();
    for (int k = 0; nodes != null && k < nodes.getLength(); k++) {
      if (nodes.item(k) instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  // ---- TPU-MLIR ----

  private static final Pattern OP =
      Pattern.compile("^\\s*(%\\d+)(?::(\\d+))? = \"([\\w.]+)\"\\(([^)]*)\\)");
  private static final Pattern TENSOR = Pattern.compile("tensor<((?:\\d+x)*)([a-z]+)(\\d+)");

  /** The ops of the one function that computes; groups count as one op. */
  static Counted tpuMlir(Path file) throws IOException {
    Counted counted = new Counted();
    boolean inGroup = false;
    boolean inMain = false;
    List<String> groupReads = new ArrayList<>();
    String group = "";
    boolean computes = Files.readString(file).contains("@subfunc_0");
    for (String line : Files.readAllLines(file)) {
      if (line.contains("func @") || line.contains("func.func @")) {
        inMain = line.contains("@main");
      }
      Matcher op = OP.matcher(line);
      if (inGroup && line.strip().startsWith("})")) {
        inGroup = false;
        counted.reads.add(List.copyOf(groupReads));
        counted.makes.add(results(counted, group, line));
        continue;
      }
      if (inGroup) {
        continue;
      }
      boolean input = line.contains("\"top.Input\"");
      if (inMain && computes && input) {
        counted.inputs.add("%arg0");
        counted.activations.put("%arg0", sizes(line).get(0));
      }
      if ((inMain && computes) || (!op.find() && !line.strip().startsWith("return"))) {
        continue;
      }
      if (line.strip().startsWith("return")) {
        Matcher returned = Pattern.compile("%\\d+(#\\d+)?").matcher(line);
        while (returned.find()) {
          counted.outputs.add(returned.group());
        }
        continue;
      }
      String result = op.group(2) == null ? op.group(1) : op.group(1) + ":" + op.group(2);
      List<String> reads = List.of(op.group(4).split(", "));
      if (line.strip().endsWith("({")) {
        inGroup = true;
        group = result;
        groupReads = new ArrayList<>(reads);
      } else if (op.group(3).equals("top.Weight")) {
        counted.weights.put(op.group(1), sizes(line).get(0));
      } else if (input) {
        counted.inputs.add(op.group(1));
        counted.activations.put(op.group(1), sizes(line).get(0));
      } else if (!op.group(3).equals("top.None")) {
        counted.reads.add(reads);
        counted.makes.add(results(counted, result, line));
      }
    }
    return counted;
  }

  private static List<String> results(Counted counted, String result, String line) {
    List<Long> sizes = sizes(line);
    List<String> keys = new ArrayList<>();
    String[] parts = result.split(":");
    int count = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
    for (int k = 0; k < count; k++) {
      keys.add(parts.length == 1 ? result : parts[0] + "#" + k);
      counted.activations.put(keys.get(k), sizes.get(sizes.size() - count + k));
    }
    return keys;
  }

  /** Bytes of the tensors in the result types of a line. */
  private static List<Long> sizes(String line) {
    List<Long> sizes = new ArrayList<>();
    Matcher tensor = TENSOR.matcher(line.substring(line.lastIndexOf("->")));
    while (tensor.find()) {
      long size = Long.parseLong(tensor.group(3)) / 8;
      for (String extent : tensor.group(1).split("x")) {
        size *= extent.isEmpty() ? 1 : Long.parseLong(extent);
      }
      sizes.add(size);
    }
    return sizes;
  }

  // ---- ONNX ----

  /** Ops, and which values are constant; sizes are not in the file. */
  static Counted onnx(Path file) throws IOException {
    ByteBuffer model = ByteBuffer.wrap(Files.readAllBytes(file));
    ByteBuffer graph = fields(model, 7).get(0);
    Counted counted = new Counted();
    Set<String> constant = new LinkedHashSet<>();
    for (ByteBuffer tensor : fields(graph, 5)) {
      constant.add(text(fields(tensor, 8).get(0)));
    }
    for (ByteBuffer input : fields(graph, 11)) {
      String name = text(fields(input, 1).get(0));
      if (!constant.contains(name)) {
        counted.inputs.add(name);
        counted.activations.put(name, -1L);
      }
    }
    for (ByteBuffer node : fields(graph, 1)) {
      List<String> reads = fields(node, 1).stream().map(SecondReaders::text).toList();
      List<String> makes = fields(node, 2).stream().map(SecondReaders::text).toList();
      if (constant.containsAll(reads)) {
        constant.addAll(makes);
      } else {
        counted.reads.add(reads);
        counted.makes.add(makes);
        makes.forEach(name -> counted.activations.put(name, -1L));
        reads.stream().filter(constant::contains).forEach(name -> counted.weights.put(name, -1L));
      }
    }
    return counted;
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  /** The length-delimited fields of a number in a protobuf message. */
  private static List<ByteBuffer> fields(ByteBuffer message, int number) {
    List<ByteBuffer> found = new ArrayList<>();
    ByteBuffer in = message.duplicate();
    while (in.hasRemaining()) {
      long tag = varint(in);
      switch ((int) (tag & 7)) {
        case 0 -> varint(in);
        case 1 -> in.position(in.position() + 8);
        case 5 -> in.position(in.position() + 4);
        default -> {
          int length = (int) varint(in);
          if (tag >> 3 == number) {
            found.add(in.slice(in.position(), length));
          }
          in.position(in.position() + length);
        }
      }
    }
    return found;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 127) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}

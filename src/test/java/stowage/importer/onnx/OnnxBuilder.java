package stowage.importer.onnx;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;
import stowage.importer.onnx.proto.StringStringEntryProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.TensorShapeProto;
import stowage.importer.onnx.proto.TypeProto;
import stowage.importer.onnx.proto.ValueInfoProto;

/**
 * Small ONNX models for tests, written as statements: {@code x:float[batch,?,8] c:bool state}
 * inputs, the last one of no type; {@code weight w:float[3,3] to:int64[2]=1,-1} initializers, zeros
 * without values; {@code a _ b = own.Twice x _ w axis=1 pads=[0,1] mode='edge' body={i = Abs x; ->
 * i}} a node with its results, domain, operands and attributes, {@code _} what is absent; {@code
 * value a:float[2]} declared shapes; {@code graph g} the name; {@code -> a b} outputs.
 */
final class OnnxBuilder {
  private static final Pattern VALUE =
      Pattern.compile("(.*?)(?::([a-z]+\\d*)(?:\\[(.*)])?(?:=(.*))?)?");
  private static final List<String> TYPES =
      List.of(
          ("- float uint8 int8 uint16 int16 int32 int64 string bool float16 double uint32 uint64"
                  + " complex64 complex128 bfloat16 - - - - uint4 int4")
              .split(" "));

  final ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(8);
  final GraphProto.Builder graph = GraphProto.newBuilder().setName("g");

  OnnxBuilder() {
    opset("", 17);
  }

  static OnnxBuilder of(String statements) {
    return new OnnxBuilder().and(statements);
  }

  /** Adds statements. */
  OnnxBuilder and(String statements) {
    parts(statements, ';').forEach(statement -> add(parts(statement.trim(), ' ')));
    return this;
  }

  private void add(List<String> words) {
    List<String> rest = words.subList(1, words.size());
    int equals = words.indexOf("=");
    if (equals >= 0) {
      node(
          words.subList(0, equals), words.get(equals + 1), words.subList(equals + 2, words.size()));
      return;
    }
    switch (words.get(0)) {
      case "->" -> rest.forEach(word -> graph.addOutput(value(word)));
      case "weight" -> rest.forEach(word -> graph.addInitializer(weight(word)));
      case "value" -> rest.forEach(word -> graph.addValueInfo(value(word)));
      case "graph" -> graph.setName(rest.get(0));
      default -> words.forEach(word -> graph.addInput(value(word)));
    }
  }

  private void node(List<String> results, String type, List<String> words) {
    int dot = type.lastIndexOf('.');
    NodeProto.Builder node = NodeProto.newBuilder().setOpType(type.substring(dot + 1));
    results.forEach(word -> node.addOutput(word.equals("_") ? "" : word));
    if (dot > 0) {
      opset(node.setDomain(type.substring(0, dot)).getDomain(), 1);
    }
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        node.addInput(word.equals("_") ? "" : word);
      } else {
        node.addAttribute(attribute(word.substring(0, equals), word.substring(equals + 1)));
      }
    }
    graph.addNode(node);
  }

  private static AttributeProto attribute(String name, String text) {
    String inner = text.length() < 2 ? text : text.substring(1, text.length() - 1);
    return switch (text.charAt(0)) {
      case '{' -> attribute(name, of(inner).graph);
      case '[' -> attribute(name, Arrays.stream(inner.split(",")).map(Long::valueOf).toList());
      case '\'' -> attribute(name, (Object) inner);
      case 'f' -> attribute(name, weight(":" + text));
      default -> attribute(name, Long.valueOf(text));
    };
  }

  static AttributeProto attribute(String name, Object value) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
    if (value instanceof Boolean flag) {
      attribute.setType(2).setI(flag ? 1 : 0);
    } else if (value instanceof Long integer) {
      attribute.setType(2).setI(integer);
    } else if (value instanceof Double number) {
      attribute.setType(1).setF(number.floatValue());
    } else if (value instanceof String text) {
      attribute.setType(3).setS(ByteString.copyFromUtf8(text));
    } else if (value instanceof GraphProto.Builder body) {
      attribute.setType(5).setG(body);
    } else if (value instanceof TensorProto tensor) {
      attribute.setType(4).setT(tensor);
    } else {
      attribute.setType(7);
      ((List<?>) value).forEach(element -> attribute.addInts(((Number) element).longValue()));
    }
    return attribute.build();
  }

  /** Parts of a text, without those within braces. */
  private static List<String> parts(String text, char between) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    int depth = 0;
    for (int k = 0; k <= text.length(); k++) {
      if (k == text.length() || depth == 0 && text.charAt(k) == between) {
        parts.add(text.substring(start, k));
        start = k + 1;
      } else {
        depth += text.charAt(k) == '{' ? 1 : text.charAt(k) == '}' ? -1 : 0;
      }
    }
    return parts;
  }

  private static Matcher parsed(String word) {
    Matcher parts = VALUE.matcher(word);
    if (!parts.matches()) {
      throw new IllegalArgumentException(word);
    }
    return parts;
  }

  private static String[] extents(Matcher parts) {
    return parts.group(3) == null || parts.group(3).isEmpty()
        ? new String[0]
        : parts.group(3).split(", *");
  }

  static ValueInfoProto value(String word) {
    Matcher parts = parsed(word);
    ValueInfoProto.Builder value = ValueInfoProto.newBuilder().setName(parts.group(1));
    if (parts.group(2) == null) {
      return value.build();
    }
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String extent : extents(parts)) {
      TensorShapeProto.Dimension.Builder dim = shape.addDimBuilder();
      if (Character.isDigit(extent.charAt(0))) {
        dim.setDimValue(Long.parseLong(extent));
      } else if (!extent.equals("?")) {
        dim.setDimParam(extent);
      }
    }
    TypeProto.Tensor.Builder type =
        TypeProto.Tensor.newBuilder().setElemType(TYPES.indexOf(parts.group(2))).setShape(shape);
    return value.setType(TypeProto.newBuilder().setTensorType(type)).build();
  }

  private static TensorProto.Builder unfilled(Matcher parts) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(parts.group(1)).setDataType(TYPES.indexOf(parts.group(2)));
    Arrays.stream(extents(parts)).mapToLong(Long::parseLong).forEach(tensor::addDims);
    return tensor;
  }

  static TensorProto weight(String word) {
    Matcher parts = parsed(word);
    TensorProto.Builder tensor = unfilled(parts);
    if (parts.group(4) != null) {
      boolean floats = parts.group(2).equals("float");
      for (String value : parts.group(4).split(",")) {
        tensor =
            floats
                ? tensor.addFloatData(Float.parseFloat(value))
                : tensor.addInt64Data(Long.parseLong(value));
      }
      return tensor.build();
    }
    String bits = parts.group(2).replaceAll("\\D", "");
    long all = bits.isEmpty() ? 32 : Long.parseLong(bits);
    for (long extent : tensor.getDimsList()) {
      all *= extent;
    }
    return tensor.setRawData(ByteString.copyFrom(new byte[(int) (all + 7) / 8])).build();
  }

  static TensorProto external(String word, String location, long offset) {
    return unfilled(parsed(word))
        .setDataLocation(1)
        .addExternalData(entry("location", location))
        .addExternalData(entry("offset", Long.toString(offset)))
        .build();
  }

  private static StringStringEntryProto entry(String key, String value) {
    return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
  }

  /** Sets the version of a domain's ops. */
  OnnxBuilder opset(String domain, long version) {
    OperatorSetIdProto.Builder opset = OperatorSetIdProto.newBuilder().setVersion(version);
    if (!domain.isEmpty()) {
      opset.setDomain(domain);
    }
    for (int k = 0; k < model.getOpsetImportCount(); k++) {
      if (model.getOpsetImport(k).getDomain().equals(domain)) {
        model.setOpsetImport(k, opset);
        return this;
      }
    }
    model.addOpsetImport(opset);
    return this;
  }

  byte[] bytes() {
    return model.setGraph(graph).build().toByteArray();
  }

  Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }
}

package stowage.importer.onnx;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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

/** Writes small ONNX models for tests. */
final class OnnxBuilder {
  static final int FLOAT = 1;
  static final int INT64 = 7;
  static final int STRING = 8;
  static final int BOOL = 9;

  final ModelProto.Builder model =
      ModelProto.newBuilder()
          .setIrVersion(8)
          .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17));
  final GraphProto.Builder graph = GraphProto.newBuilder().setName("g");

  /** Extents are Longs or Integers, names, or null. */
  static ValueInfoProto value(String name, int type, Object... extents) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (Object extent : extents) {
      TensorShapeProto.Dimension.Builder dim = TensorShapeProto.Dimension.newBuilder();
      if (extent instanceof Number number) {
        dim.setDimValue(number.longValue());
      } else if (extent != null) {
        dim.setDimParam((String) extent);
      }
      shape.addDim(dim);
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(TypeProto.Tensor.newBuilder().setElemType(type).setShape(shape)))
        .build();
  }

  static ValueInfoProto untyped(String name) {
    return ValueInfoProto.newBuilder().setName(name).build();
  }

  static NodeProto node(String type, String inputs, String outputs, AttributeProto... attributes) {
    return NodeProto.newBuilder()
        .setOpType(type)
        .addAllInput(inputs.isEmpty() ? List.of() : Arrays.asList(inputs.split(",", -1)))
        .addAllOutput(Arrays.asList(outputs.split(",", -1)))
        .addAllAttribute(Arrays.asList(attributes))
        .build();
  }

  static AttributeProto ints(String name, long... values) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name).setType(7);
    Arrays.stream(values).forEach(attribute::addInts);
    return attribute.build();
  }

  static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(2).setI(value).build();
  }

  static AttributeProto graph(String name, GraphProto.Builder value) {
    return AttributeProto.newBuilder().setName(name).setType(5).setG(value).build();
  }

  static AttributeProto tensor(String name, TensorProto value) {
    return AttributeProto.newBuilder().setName(name).setType(4).setT(value).build();
  }

  static TensorProto longs(String name, long... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(INT64).addDims(values.length);
    Arrays.stream(values).forEach(tensor::addInt64Data);
    return tensor.build();
  }

  static TensorProto floats(String name, long... dims) {
    long elements = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(FLOAT)
        .addAllDims(Arrays.stream(dims).boxed().toList())
        .setRawData(ByteString.copyFrom(new byte[(int) elements * 4]))
        .build();
  }

  static TensorProto external(String name, String location, long offset, long... dims) {
    TensorProto.Builder tensor = floats(name, 0).toBuilder().clearRawData().clearDims();
    Arrays.stream(dims).forEach(tensor::addDims);
    return tensor
        .setDataLocation(1)
        .addExternalData(entry("location", location))
        .addExternalData(entry("offset", Long.toString(offset)))
        .build();
  }

  private static StringStringEntryProto entry(String key, String value) {
    return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
  }

  OnnxBuilder inputs(ValueInfoProto... values) {
    graph.addAllInput(Arrays.asList(values));
    return this;
  }

  OnnxBuilder nodes(NodeProto... nodes) {
    graph.addAllNode(Arrays.asList(nodes));
    return this;
  }

  OnnxBuilder initializers(TensorProto... tensors) {
    graph.addAllInitializer(Arrays.asList(tensors));
    return this;
  }

  OnnxBuilder outputs(String... names) {
    for (String name : names) {
      graph.addOutput(untyped(name));
    }
    return this;
  }

  byte[] bytes() {
    return model.setGraph(graph).build().toByteArray();
  }

  Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }
}

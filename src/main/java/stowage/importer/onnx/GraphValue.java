package stowage.importer.onnx;

import stowage.importer.onnx.proto.TensorProto;

/** What a name refers to in a graph. */
final class GraphValue {
  final String name;
  final ValueShape shape;

  /** Whether it is the same in every run. */
  final boolean constant;

  /** Its data, where the file holds it; else null. */
  final TensorProto data;

  /** Whether its shape, or that of a value it is computed from, is that of a run. */
  boolean sampled;

  /** The name of its tensor in the network; null until one is made. */
  String tensor;

  GraphValue(String name, ValueShape shape, boolean constant, TensorProto data) {
    this.name = name;
    this.shape = shape;
    this.constant = constant;
    this.data = data;
  }
}

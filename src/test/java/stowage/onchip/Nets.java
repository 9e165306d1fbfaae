package stowage.onchip;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Small networks for tests, op by op. */
public final class Nets {
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private final ElementType type;

  public Nets(ElementType type) {
    this.type = type;
  }

  public static List<Long> shape(long... extents) {
    List<Long> shape = new ArrayList<>();
    for (long extent : extents) {
      shape.add(extent);
    }
    return shape;
  }

  public Nets input(String name, long... extents) {
    tensors.add(new Tensor(name, shape(extents), type, Tensor.Kind.ACTIVATION));
    inputs.add(name);
    return this;
  }

  public Nets weight(String name, long... extents) {
    tensors.add(new Tensor(name, shape(extents), type, Tensor.Kind.WEIGHT));
    return this;
  }

  /** An op that is called as its result. */
  public Nets op(
      String name,
      String opType,
      Map<String, Object> attributes,
      List<String> operands,
      long... extents) {
    tensors.add(new Tensor(name, shape(extents), type, Tensor.Kind.ACTIVATION));
    ops.add(new Op(name, opType, attributes, operands, List.of(name), 0));
    return this;
  }

  /** A square convolution with its filter {@code name.w}. */
  public Nets conv(String name, String from, int kernel, int stride, int pad, long... extents) {
    long channels = tensors.stream().filter(t -> t.name().equals(from)).findFirst().get().extent(1);
    weight(name + ".w", extents[1], channels, kernel, kernel);
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("kernel_shape", shape(kernel, kernel));
    attributes.put("strides", shape(stride, stride));
    attributes.put("pads", shape(pad, pad, pad, pad));
    return op(name, "Conv", attributes, List.of(from, name + ".w"), extents);
  }

  public Network build(String... outputs) {
    return new Network("test", "json", tensors, ops, inputs, List.of(outputs), List.of());
  }
}

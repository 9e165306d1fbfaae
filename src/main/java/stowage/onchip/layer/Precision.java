package stowage.onchip.layer;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Tensor;

/** The element type in which a float network is planned to run. */
public enum Precision {
  F32(ElementType.F32, ElementType.F32),
  F16(ElementType.F16, ElementType.F16),
  /** 16-bit float with 8 bits of exponent. */
  BF16(ElementType.BF16, ElementType.BF16),
  INT8(ElementType.I8, ElementType.I8),
  /** 4-bit weights with 8-bit activations. */
  INT4(ElementType.I8, ElementType.I4);

  private final ElementType activations;
  private final ElementType weights;

  Precision(ElementType activations, ElementType weights) {
    this.activations = activations;
    this.weights = weights;
  }

  /** The name on the command line: {@code f32}, {@code f16}, {@code bf16}, ... */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a network has a tensor that another precision would change. */
  public static boolean isFloat(Network network) {
    return network.tensors().values().stream().anyMatch(Precision::isChanged);
  }

  /**
   * The type that most bytes of a network's activations have, as it is to run: {@code f32}, {@code
   * i8}; null without any.
   */
  public static String of(Network network) {
    Map<ElementType, Long> bytes = new EnumMap<>(ElementType.class);
    for (Tensor tensor : network.tensors().values()) {
      if (!tensor.isWeight()) {
        bytes.merge(tensor.type(), tensor.bytes(), Long::sum);
      }
    }
    return bytes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(entry -> entry.getKey().label())
        .orElse(null);
  }

  /** Whether a tensor takes the precision: a float that is no bias or scale. */
  private static boolean isChanged(Tensor tensor) {
    boolean wide =
        tensor.type() == ElementType.F32
            || tensor.type() == ElementType.F64
            || tensor.type() == ElementType.F16
            || tensor.type() == ElementType.BF16;
    return wide && !(tensor.isWeight() && tensor.rank() < 2);
  }

  /**
   * The network with every float tensor in this precision; integers, and constants of one dimension
   * or none (biases, scales), which chips keep in 32 bits, stay as they are.
   */
  public Network apply(Network network) {
    List<Tensor> tensors = new ArrayList<>();
    for (Tensor tensor : network.tensors().values()) {
      if (!isChanged(tensor)) {
        tensors.add(tensor);
      } else {
        ElementType type = tensor.isWeight() ? weights : activations;
        tensors.add(new Tensor(tensor.name(), tensor.shape(), type, tensor.kind()));
      }
    }
    return network.with(tensors, network.ops());
  }
}

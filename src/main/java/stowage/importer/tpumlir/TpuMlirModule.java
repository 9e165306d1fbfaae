package stowage.importer.tpumlir;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The module of a TPU-MLIR file with its calls resolved: the ops in the order in which they run,
 * the layer groups among them, and where everything is if the file says.
 *
 * @param name what the network is called
 * @param attributes of the module, without the prefix {@code module.}; inner modules' win
 * @param inputs values given to each run
 * @param outputs values that must be there after a run
 * @param ops all code outside of groups, without weights; a group represents its code
 * @param groups the groups in order; {@link TpuGroup#op} is an entry of {@code ops}
 */
public record TpuMlirModule(
    String name,
    Map<String, Object> attributes,
    List<TpuValue> inputs,
    List<TpuValue> outputs,
    List<TpuOp> ops,
    List<TpuGroup> groups) {

  /** The chip it was compiled for, such as {@code bm1688}, in lower case; {@code all} for any. */
  public String chip() {
    return attributes.getOrDefault("chip", "all").toString().toLowerCase(Locale.ROOT);
  }

  /** Where the activations start in GMEM. */
  public OptionalLong neuronAddress() {
    return integer("neuron_addr");
  }

  /** Bytes of GMEM the activations take. */
  public OptionalLong neuronBytes() {
    return integer("neuron_size");
  }

  /** All values outside of groups that are given to a run or made in it. */
  List<TpuValue> values() {
    return Stream.concat(inputs.stream(), ops.stream().flatMap(op -> op.outputs().stream()))
        .toList();
  }

  private OptionalLong integer(String key) {
    return attributes.get(key) instanceof Long value
        ? OptionalLong.of(value)
        : OptionalLong.empty();
  }
}

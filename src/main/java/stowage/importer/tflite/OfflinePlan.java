package stowage.importer.tflite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.network.Baseline;
import stowage.network.Tensor;

/**
 * The plan that a file carries for TFLite Micro: metadata of the name {@code
 * OfflineMemoryAllocation}, whose data is 32-bit integers: a version, a subgraph, the number of
 * tensors of all subgraphs, and for each of them the offset in the arena, or -1 where the runtime
 * shall choose (tensorflow/tflite-micro, tensorflow/lite/micro/docs/memory_management.md and
 * micro_allocation_info.cc).
 */
final class OfflinePlan {
  /** The metadata's name. */
  static final String NAME = "OfflineMemoryAllocation";

  /** Integers before the first offset. */
  static final int HEADER = 3;

  private OfflinePlan() {}

  /** The integers of a plan: of tensors without an offset -1, which leaves them to the runtime. */
  static int[] of(List<String> tensors, Map<String, Long> offsets) {
    IntStream header = IntStream.of(1, 0, tensors.size());
    IntStream each = tensors.stream().mapToInt(name -> offsets.getOrDefault(name, -1L).intValue());
    return IntStream.concat(header, each).toArray();
  }

  /** Little-endian bytes of integers. */
  static byte[] integers(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * values.length);
    bytes.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(values);
    return bytes.array();
  }

  /** The plan as one to compare with; empty when there is none or it leaves all to the runtime. */
  static Optional<Baseline> read(TfliteModel model, SubgraphLayout layout) {
    return model.metadata().stream()
        .filter(metadata -> metadata.name().equals(NAME))
        .findFirst()
        .map(metadata -> offsets(model, metadata, layout))
        .filter(offsets -> !offsets.isEmpty())
        .map(offsets -> new Baseline(NAME, offsets, -1, 1, true));
  }

  /**
   * Tensors that have to be left to TFLite Micro. Where it gives variables their memory
   * (tensorflow/lite/micro/micro_allocator.cc, AllocateVariables) it looks their entries up by the
   * index in their own subgraph; so variable k of a later subgraph gets none where entry k, which
   * is another tensor's, has an offset.
   */
  static Set<String> shadowed(TfliteModel model, SubgraphLayout layout) {
    List<String> all = layout.names();
    return shadowing(model).stream()
        .map(all::get)
        .filter(name -> layout.tensors.get(name).kind() == Tensor.Kind.ACTIVATION) // has an offset
        .collect(Collectors.toSet());
  }

  /** The numbers that variables of later subgraphs have there. */
  static Set<Integer> shadowing(TfliteModel model) {
    Set<Integer> numbers = new TreeSet<>();
    for (int s = 1; s < model.subgraphs().size(); s++) {
      List<TfliteModel.Value> tensors = model.subgraphs().get(s).tensors();
      IntStream.range(0, tensors.size())
          .filter(t -> tensors.get(t).variable())
          .forEach(numbers::add);
    }
    return numbers;
  }

  private static Map<String, Long> offsets(
      TfliteModel model, TfliteModel.Metadata metadata, SubgraphLayout layout) {
    TfliteModel.Data data = model.buffers().get(metadata.buffer());
    int tensors = layout.names().size();
    ByteBuffer bytes = model.bytes();
    long count = data.length() < HEADER * 4 ? -1 : bytes.getInt((int) data.start() + 8);
    if (count != tensors || data.length() < (HEADER + count) * 4) {
      String what =
          "has %s bytes for %s tensors; it should hold 3 integers and one for each of %s tensors";
      throw model.fault("metadata \"" + NAME + "\"", what, data.length(), count, tensors);
    }
    Map<String, Long> offsets = new LinkedHashMap<>();
    int at = (int) data.start() + HEADER * 4;
    for (String name : layout.names()) {
      int offset = bytes.getInt(at);
      if (offset >= 0 && layout.tensors.get(name).kind() == Tensor.Kind.ACTIVATION) {
        offsets.put(name, (long) offset);
      }
      at += 4;
    }
    return offsets;
  }
}

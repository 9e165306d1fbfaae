package stowage.network;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where another tool put a network's tensors, as far as a file says: a plan to compare with.
 *
 * @param source who made it, such as {@code TPU-MLIR}
 * @param offsets bytes from the start of the memory, by tensor; weights and variables are not here
 * @param bytes how much memory the tool says it takes; -1 when it does not say
 * @param alignment tensors' sizes were rounded up to it
 * @param views whether views are where the tensors are that they show
 */
public record Baseline(
    String source, Map<String, Long> offsets, long bytes, long alignment, boolean views) {

  public Baseline {
    offsets = Collections.unmodifiableMap(new LinkedHashMap<>(offsets));
    if (alignment < 1) {
      throw new InvalidNetworkException("%s: alignment %s should be 1 or more", source, alignment);
    }
    String name = source;
    offsets.forEach(
        (tensor, offset) -> {
          if (offset < 0) {
            throw new InvalidNetworkException(
                "%s: tensor \"%s\" lies at %s; it should be 0 or more", name, tensor, offset);
          }
        });
  }
}

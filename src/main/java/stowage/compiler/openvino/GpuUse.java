package stowage.compiler.openvino;

import java.util.List;
import java.util.Set;

/**
 * What an application does with a network, and which of its ops run on the CPU.
 *
 * @param streams networks that run side by side over one set of constants, 1 or more
 * @param requests infer requests, each with its own host tensors for every graph input and output
 * @param hostTensors bytes of each tensor that the application had allocated through the plugin
 *     before it loaded the network, in order
 * @param onCpu names or types of the ops that have an implementation for the CPU alone
 */
public record GpuUse(int streams, int requests, List<Long> hostTensors, Set<String> onCpu) {
  public GpuUse {
    if (streams < 1 || requests < 0 || hostTensors.stream().anyMatch(bytes -> bytes < 0)) {
      throw new IllegalArgumentException(
          streams + " streams, " + requests + " requests, host tensors of " + hostTensors);
    }
    hostTensors = List.copyOf(hostTensors);
    onCpu = Set.copyOf(onCpu);
  }

  /** A number of streams and nothing else; all ops run on the GPU. */
  public static GpuUse ofStreams(int streams) {
    return new GpuUse(streams, 0, List.of(), Set.of());
  }
}

package stowage.importer;

import java.util.Optional;
import stowage.network.Baseline;
import stowage.network.Network;
import stowage.packing.PackingProblem;

/**
 * What an input file holds: buffers whose lives are given, or a network that has to be laid out.
 */
public sealed interface Input {

  /** A list of buffers. */
  record Packing(PackingProblem problem) implements Input {}

  /**
   * A network.
   *
   * @param baseline where the tool that wrote the file put the tensors, if the file tells
   */
  record Graph(Network network, Optional<Baseline> baseline) implements Input {

    /** A network whose file carries no plan. */
    public Graph(Network network) {
      this(network, Optional.empty());
    }
  }
}

package stowage.importer;

import stowage.network.Network;
import stowage.packing.PackingProblem;

/**
 * What an input file holds: buffers whose lives are given, or a network that has to be laid out.
 */
public sealed interface Input {

  /** A list of buffers. */
  record Packing(PackingProblem problem) implements Input {}

  /** A network. */
  record Graph(Network network) implements Input {}
}

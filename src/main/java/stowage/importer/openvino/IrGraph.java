package stowage.importer.openvino;

import java.util.List;
import java.util.Map;

/**
 * A graph of an IR file: the whole network, or the code inside a layer.
 *
 * @param layers in the file's order
 * @param edges from outputs to inputs
 */
record IrGraph(List<Layer> layers, List<Edge> edges) {

  /**
   * One layer.
   *
   * @param id by which edges name it
   * @param precision the element type of old versions; empty when the ports tell
   * @param data its attributes
   * @param inputs its input ports in order
   * @param outputs its output ports in order
   * @param blobs constant data of old versions
   * @param bodies code inside
   * @param collected ids of output ports that gather something in each turn of the code inside
   * @param decompression whether it only unpacks compressed weights
   * @param line where it starts, counted from 1
   */
  record Layer(
      int id,
      String name,
      String type,
      String precision,
      Map<String, String> data,
      List<Port> inputs,
      List<Port> outputs,
      List<Blob> blobs,
      List<IrGraph> bodies,
      List<Integer> collected,
      boolean decompression,
      int line) {}

  /**
   * Where an edge ends.
   *
   * @param dims extents, -1 where unknown
   * @param precision the element type; empty when the layer tells
   */
  record Port(int id, List<Long> dims, String precision) {}

  /** Constant data of a layer, in bytes. */
  record Blob(String name, long size, String precision) {}

  /** An edge between two layers' ports. */
  record Edge(int fromLayer, int fromPort, int toLayer, int toPort, int line) {}
}

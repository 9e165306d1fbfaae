package stowage.importer.openvino;

import java.util.List;
import stowage.network.Tensor;

/**
 * What a layer's output port gives.
 *
 * @param tensor one of the network's only when something that remains reads it
 * @param constant whether it is the same in every run
 * @param stored the compressed weights it is unpacked from; null when it is not unpacked
 * @param known whether all extents are; the tensor has 1 where they are not
 */
record IrValue(Tensor tensor, boolean constant, List<IrValue> stored, boolean known) {}

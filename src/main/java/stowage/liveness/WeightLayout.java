package stowage.liveness;

import java.util.ArrayList;
import java.util.List;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.InvalidProblemException;

/**
 * Layout of weights: one after the other in the network's order, each at the next multiple of the
 * alignment, never reused, as compilers place them before the activations.
 *
 * @param bytes what all of them take, rounded up to the alignment, so that what follows is aligned
 */
record WeightLayout(List<PlanningCase.WeightPlace> places, long bytes) {
  /**
   * Lays out all weights of a network. O(tensors).
   *
   * @throws InvalidProblemException when they take more bytes than a long holds
   */
  static WeightLayout of(Network network, long alignment) {
    List<PlanningCase.WeightPlace> places = new ArrayList<>();
    long next = 0;
    for (Tensor tensor : network.tensors().values()) {
      if (tensor.isWeight()) {
        places.add(new PlanningCase.WeightPlace(tensor.name(), next, tensor.bytes()));
        next = roundedUp(next, tensor.bytes(), alignment, tensor.name());
      }
    }
    return new WeightLayout(List.copyOf(places), next);
  }

  /**
   * The first multiple of the alignment at or after {@code from + bytes}.
   *
   * @throws InvalidProblemException naming the tensor, when that is beyond a long
   */
  static long roundedUp(long from, long bytes, long alignment, String tensor) {
    try {
      long end = Math.addExact(from, bytes);
      long over = end % alignment;
      return over == 0 ? end : Math.addExact(end, alignment - over);
    } catch (ArithmeticException overflow) {
      throw new InvalidProblemException(
          "tensor \"" + tensor + "\" takes the sum of all sizes beyond what 64 bits hold");
    }
  }
}

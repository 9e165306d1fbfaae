package stowage.rewrite;

import java.util.Arrays;
import stowage.network.Tensor;

/**
 * Which region of a tensor of the given network a tensor of the rewritten one holds.
 *
 * @param tensor name in the given network
 * @param begin first index along each axis; below 0 where the piece has padding of its own
 * @param end first index after the region along each axis; above the extent where padded. Rows at
 *     the ends that no op reads may hold other values than the given tensor's: a piece may compute
 *     a few wrong ones, which a slice then drops
 * @param copy 1 for the first computation of the tensor, 2 for the second, ...
 */
public record TensorOrigin(String tensor, long[] begin, long[] end, int copy) {

  /** Copies the bounds. */
  public TensorOrigin {
    begin = begin.clone();
    end = end.clone();
  }

  /** The whole of a given tensor. */
  public static TensorOrigin whole(Tensor tensor, int copy) {
    long[] end = tensor.shape().stream().mapToLong(Long::longValue).toArray();
    return new TensorOrigin(tensor.name(), new long[end.length], end, copy);
  }

  /** First index along each axis; a copy. */
  @Override
  public long[] begin() {
    return begin.clone();
  }

  /** First index after the region along each axis; a copy. */
  @Override
  public long[] end() {
    return end.clone();
  }

  /**
   * The same region, where this tensor's given network is itself a rewritten one, in which {@link
   * #tensor} comes from {@code before}.
   */
  TensorOrigin after(TensorOrigin before) {
    long[] first = begin();
    long[] last = end();
    for (int k = 0; k < first.length; k++) {
      first[k] += before.begin[k];
      last[k] += before.begin[k];
    }
    return new TensorOrigin(before.tensor, first, last, Math.max(copy, before.copy));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorOrigin origin
        && origin.tensor.equals(tensor)
        && Arrays.equals(origin.begin, begin)
        && Arrays.equals(origin.end, end)
        && origin.copy == copy;
  }

  @Override
  public int hashCode() {
    return tensor.hashCode() + 31 * Arrays.hashCode(begin) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    return tensor + Arrays.toString(begin) + Arrays.toString(end) + "@" + copy;
  }
}

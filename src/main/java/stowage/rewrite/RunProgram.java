package stowage.rewrite;

import java.util.Arrays;
import java.util.List;
import stowage.network.Tensor;

/**
 * The steps of a run in pieces, over numbered values: enough to sum up live bytes.
 *
 * @param values all values, sources and results of the run among them
 * @param steps in execution order
 * @param macs multiply-accumulates of all pieces, halos and wrong rows included
 * @param movedBytes bytes that slices, pads and concatenations write
 */
public record RunProgram(List<Value> values, List<Step> steps, long macs, long movedBytes) {

  /**
   * A tensor, or a region of one.
   *
   * @param tensor of the given network
   * @param begin first index of the region along each axis
   * @param end first index after it
   * @param whole whether it is the given tensor itself, under its name: a source or a result
   * @param first number of the first piece it belongs to, from 0; -1 for a whole tensor
   * @param last number of the last piece
   */
  public record Value(Tensor tensor, long[] begin, long[] end, boolean whole, int first, int last) {

    /** Extents of the region. */
    public long[] shape() {
      long[] shape = new long[begin.length];
      Arrays.setAll(shape, k -> end[k] - begin[k]);
      return shape;
    }

    public long elements() {
      long elements = 1;
      for (int k = 0; k < begin.length; k++) {
        elements *= end[k] - begin[k];
      }
      return elements;
    }

    public long bytes() {
      return (elements() * tensor.type().bits() + 7) / 8;
    }

    boolean isRegion(long[] from, long[] to) {
      return Arrays.equals(begin, from) && Arrays.equals(end, to);
    }
  }

  /**
   * An op of the run.
   *
   * @param op index of the given network's op: as in {@link OpOrigin}
   * @param piece number of the piece from 0, -1 for a concatenation
   * @param reads by position of the operand the value read, -1 where it is the given op's own
   *     constant or absent; for added ops the operands one after the other
   * @param dim the dimension along which a concatenation puts together; else -1
   * @param before padding of the piece in front, by dimension; null where it has none of its own
   * @param after padding after it
   * @param valid whether an op of TFLite has padding VALID in the place of SAME
   */
  public record Step(
      OpOrigin.Kind kind,
      int op,
      int piece,
      int[] reads,
      int[] writes,
      int dim,
      long[] before,
      long[] after,
      boolean valid) {}
}

package stowage.rewrite;

import java.util.Locale;
import stowage.network.Tensor;

/** The axis along which the result of a run is cut. */
public enum SplitAxis {
  /** Rows of an image. */
  ROWS,
  /** Columns of an image. */
  COLUMNS,
  /** The last dimension but one of anything that is no image: the rows of a matrix product. */
  TOKENS,
  /**
   * The first dimension; where that is 1 and images are not channels-last, the next one that is not
   * and has two others after it, such as the heads of an attention.
   */
  BATCH;

  /**
   * The dimension of a tensor that the axis is.
   *
   * @param channelsLast whether images are in the order batch, rows, columns, channels, as in
   *     TFLite; else batch, channels, rows, columns
   * @return a dimension, or -1 where the tensor has none such
   */
  public int dimension(Tensor tensor, boolean channelsLast) {
    int rank = tensor.rank();
    int image = channelsLast ? 1 : 2;
    return switch (this) {
      case ROWS -> rank == 4 || rank == 3 && !channelsLast ? image : -1;
      case COLUMNS -> rank == 4 ? image + 1 : -1;
      case TOKENS -> rank >= 2 ? rank - 2 : -1;
      case BATCH -> batch(tensor, channelsLast);
    };
  }

  private static int batch(Tensor tensor, boolean channelsLast) {
    int dimension = 0;
    while (!channelsLast && dimension < tensor.rank() - 3 && tensor.extent(dimension) == 1) {
      dimension++;
    }
    return tensor.rank() >= 1 ? dimension : -1;
  }

  /** The name in answers: {@code rows}, {@code columns}, {@code tokens} or {@code batch}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

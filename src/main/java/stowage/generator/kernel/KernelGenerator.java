package stowage.generator.kernel;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.network.kernel.KernelGraph;

/**
 * Kernels of neural processors with the shape of those that compilers write: blocked matrix
 * products, attention in blocks, and convolutions in row bands. Sizes are units of the caches,
 * cycles grow with sizes. The graphs depend on their parameters alone.
 */
public final class KernelGenerator {
  private KernelGenerator() {}

  /**
   * A blocked matrix product of m x k by k x n blocks. Blocks of both sides come into L1 once; each
   * product moves its two blocks to L0A and L0B and adds to the block of the result in L0C, which
   * is copied out after the last.
   *
   * @param side units of a block in L1
   * @param operand units of a block in L0A and L0B
   * @param result units of a block in L0C
   */
  public static KernelGraph matmul(int m, int n, int k, long side, long operand, long result) {
    KernelSketch draft = new KernelSketch();
    int[][] left = new int[m][];
    int[][] right = new int[k][];
    Arrays.setAll(left, i -> loaded(draft, side, k));
    Arrays.setAll(right, p -> loaded(draft, side, n));
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        int sum = draft.buffer("L0C", result);
        for (int p = 0; p < k; p++) {
          product(draft, sum, left[i][p], right[p][j], operand);
        }
        draft.op("COPY_OUT", "FIXP", result, -1, sum);
      }
    }
    return draft.graph();
  }

  private static int[] loaded(KernelSketch draft, long units, int count) {
    return IntStream.range(0, count).map(block -> loaded(draft, units)).toArray();
  }

  private static int loaded(KernelSketch draft, long units) {
    int b = draft.buffer("L1", units);
    draft.op("COPY_IN", "MTE2", 60 + 2 * units, b);
    return b;
  }

  /** Moves two blocks of L1 to L0A and L0B and adds their product to a block of L0C. */
  private static void product(KernelSketch draft, int sum, int left, int right, long operand) {
    int a = draft.buffer("L0A", operand);
    draft.op("MOVE", "MTE1", 20 + operand, a, left);
    int b = draft.buffer("L0B", operand);
    draft.op("MOVE", "MTE1", 20 + operand, b, right);
    draft.op("MATMUL", "CUBE", 30 + 2 * operand, sum, a, b);
  }

  /**
   * Attention over blocks of queries, and for each over blocks of keys and values, with a running
   * maximum and sum (doi 10.48550/arXiv.2205.14135).
   *
   * @param keys blocks of keys and values, which all queries share in L1
   * @param block units of a block in L1, L0A and L0B
   * @param scores units of a block of scores in UB and L0C
   */
  public static KernelGraph attention(int queries, int keys, long block, long scores) {
    KernelSketch draft = new KernelSketch();
    int[] key = new int[keys];
    int[] value = new int[keys];
    for (int j = 0; j < keys; j++) {
      key[j] = loaded(draft, block);
      value[j] = loaded(draft, block);
    }
    long row = Math.max(1, scores / 16);
    for (int i = 0; i < queries; i++) {
      int query = loaded(draft, block);
      int most = draft.buffer("UB", row);
      draft.op("DUP", "VECTOR", 20, most);
      int sum = draft.buffer("UB", row);
      draft.op("DUP", "VECTOR", 20, sum);
      int out = draft.buffer("UB", scores);
      draft.op("DUP", "VECTOR", 40, out);
      for (int j = 0; j < keys; j++) {
        int product = draft.buffer("L0C", scores);
        product(draft, product, query, key[j], block);
        int score = draft.buffer("UB", scores);
        draft.op("MOVE", "FIXP", 20 + scores, score, product);
        int higher = draft.buffer("UB", row);
        draft.op("ROWMAX", "VECTOR", 20 + scores / 2, higher, score, most);
        int factor = draft.buffer("UB", row);
        draft.op("EXP", "VECTOR", 20 + row, factor, most, higher);
        draft.op("EXP", "VECTOR", 20 + scores, score, higher);
        draft.op("ROWSUM", "VECTOR", 20 + scores / 2, sum, score, factor);
        int half = draft.buffer("L1", Math.max(1, scores / 2));
        draft.op("MOVE", "MTE3", 20 + scores, half, score);
        int added = draft.buffer("L0C", scores);
        product(draft, added, half, value[j], block);
        int part = draft.buffer("UB", scores);
        draft.op("MOVE", "FIXP", 20 + scores, part, added);
        draft.op("MADD", "VECTOR", 20 + scores, out, part, factor);
        most = higher;
      }
      draft.op("DIV", "VECTOR", 20 + scores, out, sum);
      draft.op("COPY_OUT", "MTE3", 60 + 2 * scores, -1, out);
    }
    return draft.graph();
  }

  /**
   * A convolution in bands of rows: each band of the result reads the bands of the input within
   * {@code reach} of it, each block of input channels has its own bands and weights, and products
   * are added up in L0C.
   *
   * @param reach bands of the input above and below that a band reads
   * @param inputs blocks of input channels
   * @param outputs blocks of output channels
   * @param band units of a band of one block of channels in L1
   * @param weights units of the weights of one block of channels to another
   * @param operand units in L0A and L0B
   * @param result units of a band in L0C
   */
  public static KernelGraph convolution(
      int bands,
      int reach,
      int inputs,
      int outputs,
      long band,
      long weights,
      long operand,
      long result) {
    KernelSketch draft = new KernelSketch();
    int[][] rows = new int[inputs][];
    int[][] weight = new int[inputs][];
    for (int c = 0; c < inputs; c++) {
      rows[c] = loaded(draft, band, bands);
      weight[c] = loaded(draft, weights, outputs);
    }
    for (int o = 0; o < outputs; o++) {
      for (int y = 0; y < bands; y++) {
        int sum = draft.buffer("L0C", result);
        for (int c = 0; c < inputs; c++) {
          for (int d = Math.max(0, y - reach); d <= Math.min(bands - 1, y + reach); d++) {
            product(draft, sum, rows[c][d], weight[c][o], operand);
          }
        }
        int out = draft.buffer("UB", result);
        draft.op("MOVE", "FIXP", 20 + result, out, sum);
        draft.op("RELU", "VECTOR", 20 + result, out);
        draft.op("COPY_OUT", "MTE3", 60 + 2 * result, -1, out);
      }
    }
    return draft.graph();
  }
}

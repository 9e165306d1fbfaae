package stowage.importer.onnx;

import java.util.List;

/** Small ONNX files that use most of what is understood. */
public final class OnnxSamples {
  private OnnxSamples() {}

  /** All of them, as bytes. */
  public static List<byte[]> all() {
    return List.of(
        OnnxBuilder.of(
                "x:float[2,3,8,8]; weight w:float[16,3,3,3] zero:int64[1]=0 rest:int64[1]=-1;"
                    + " c = Conv x w kernel_shape=[3,3]; r = Relu c; s = Shape x;"
                    + " n = Gather s zero; to = Concat n rest axis=0; y = Reshape r to;"
                    + " at = NonZero y; -> y at")
            .bytes(),
        OnnxBuilder.of(
                "x:float[2,3] c:bool;"
                    + " y = If c then_branch={graph then; a = Relu x; -> a} else_branch={graph else;"
                    + " weight w:float[2,3]; b = Add x w; -> b}; -> y")
            .bytes());
  }

  /** A residual block with a projection, of our own making; its weights are zeros. */
  public static byte[] residual() {
    return OnnxBuilder.of(
            "graph residual; image:float[1,3,32,32]; weight stem.weight:float[8,3,3,3]"
                + " left.weight:float[8,8,3,3] right.weight:float[8,8,1,1];"
                + " stem = Conv image stem.weight pads=[1,1,1,1] strides=[1,1];"
                + " stem.relu = Relu stem;"
                + " left = Conv stem.relu left.weight pads=[1,1,1,1] strides=[2,2];"
                + " right = Conv stem.relu right.weight pads=[0,0,0,0] strides=[2,2];"
                + " sum = Add left right; sum.relu = Relu sum;"
                + " features = GlobalAveragePool sum.relu; -> features")
        .bytes();
  }
}

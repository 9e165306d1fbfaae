package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShapeServiceTest {
  private static ShapeProtocol.Answer ask(byte[] model, long limitMillis)
      throws ShapeProtocol.Failure {
    return ShapeService.instance().shapes(model, false, new WorkLimit(limitMillis));
  }

  private static void stillWorks() throws ShapeProtocol.Failure {
    byte[] simple = OnnxBuilder.of("x:float[2,3]; y = Transpose x; -> y").bytes();
    assertArrayEquals(new long[] {3, 2}, ask(simple, 20_000).shapes().get("y").dims());
  }

  @Test
  void aModelThatRunsForeverIsEndedInTime() throws ShapeProtocol.Failure {
    // The loop never ends, and how much it collects is known only when it does.
    byte[] endless =
        OnnxBuilder.of(
                "c:bool; yes = Not c; all = Loop _ yes body={i:int64 going:bool; stop = Not going;"
                    + " go = Or stop going; each = Identity i; -> go each};"
                    + " y = NonZero all; -> y")
            .bytes();
    stillWorks();
    ShapeProtocol.Failure failure =
        assertThrows(ShapeProtocol.Failure.class, () -> ask(endless, 1_500));
    assertTrue(
        List.of(ShapeService.TOO_LONG, ShapeService.CRASHED).contains(failure.getMessage()),
        failure.getMessage());
    stillWorks();
  }

  @Test
  void aModelThatWantsTooMuchMemoryIsRefused() throws ShapeProtocol.Failure {
    byte[] huge =
        OnnxBuilder.of(
                "x:float[1,100000] z:float[100000,1]; m = MatMul z x; n = MatMul m m;"
                    + " y = NonZero n; -> y")
            .bytes();
    assertThrows(ShapeProtocol.Failure.class, () -> ask(huge, 10_000));
    stillWorks();
  }

  @Test
  void rubbishIsRefusedAndTheNextModelServed() throws ShapeProtocol.Failure {
    assertThrows(ShapeProtocol.Failure.class, () -> ask(new byte[] {1, 2, 3}, 10_000));
    assertThrows(ShapeProtocol.Failure.class, () -> ask(new byte[0], 10_000));
    stillWorks();
  }
}

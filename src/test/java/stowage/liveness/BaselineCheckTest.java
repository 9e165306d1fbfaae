package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.network.Baseline;
import stowage.network.Graphs;

/** Plans of files whose tensors share a buffer at some steps alone. */
class BaselineCheckTest {
  @ParameterizedTest
  @CsvSource({
    // two views of t apart from it, at one place, and u there between them
    "x:8; t:8 = Op x; v:8 = Reshape t; a:8 = Op v; u:8 = Op a; b:8 = Op u; w:8 = Reshape t;"
        + " y:8 = Op w b; -> y, x=24 t=16 v=0 a=8 u=0 b=8 w=0 y=24, true",
    "x:8; t:8 = Op x; v:8 = Reshape t; a:8 = Op v; u:8 = Op a v; b:8 = Op u; w:8 = Reshape t;"
        + " y:8 = Op w b; -> y, x=24 t=16 v=0 a=8 u=0 b=8 w=0 y=24, false",
    // halves at their distance; u is where one of them was
    "x:8; t:8 = Op x; a:4 b:4 = Split t axis=0; c:4 = Op b; u:4 = Op c; y:4 = Op u a; -> y,"
        + " x=16 t=8 a=0 b=4 c=8 u=4 y=12, true",
    "x:8; t:8 = Op x; a:4 b:4 = Split t axis=0; c:4 = Op b; u:4 = Op c; y:4 = Op u a; -> y,"
        + " x=16 t=8 a=0 b=4 c=8 u=0 y=12, false",
    // r is in place of t; in bands the first part of a concat would be where the concat has it
    "x:4; t:4 = Op x; c:12 = Concat t t t axis=0; s:8 = Op c; r:8 = Relu s; y:8 = Op r; -> y,"
        + " x=4 t=0 c=8 s=0 r=0 y=8, true",
    "x:4; t:4 = Op x; c:12 = Concat t t t axis=0; s:8 = Op c; r:8 = Relu s; y:8 = Op r s; -> y,"
        + " x=4 t=0 c=8 s=0 r=0 y=8, false"
  })
  void whatIsAliveAtAStepHasItsBytes(String statements, String places, boolean valid) {
    Map<String, Long> offsets = new HashMap<>();
    for (String place : places.split(" ")) {
      offsets.put(place.split("=")[0], Long.parseLong(place.split("=")[1]));
    }
    Baseline baseline = new Baseline("test", offsets, -1, 1, true);
    BaselineCheck check = BaselineCheck.of(Graphs.of(statements).network(), baseline);
    assertEquals(valid, check.valid(), check.status());
  }
}

package stowage.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

class FeaturesTest {
  @Test
  void aHeldPlaceWithoutStepsIsNoFault() {
    Buffer held = new Buffer("held", 4, 9, 9).holdsPlace(true);
    PackingProblem problem = PackingProblem.of("held", List.of(new Buffer("a", 4, 0, 9), held));
    assertEquals(2, Features.of(problem).buffers());
  }
}

package stowage.report.format;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class GapGridTest {
  @Test
  void aSmallDistanceIsNotShownAsNone() {
    GapGrid grid =
        new GapGrid(
            "planner",
            List.of(new GapGrid.Input("a", 1 << 20, true), new GapGrid.Input("b", 1 << 20, true)),
            List.of(GapGrid.Line.of("near", List.of(0.0, 1e-6))));
    String text = grid.markdown();
    assertTrue(text.contains("`near` | **0** | ≤ 0.1 % | ≤ 0.1 %"), text);
  }
}

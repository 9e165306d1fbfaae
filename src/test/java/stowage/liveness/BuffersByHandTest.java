package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.WorkedCases;
import stowage.network.Graphs;

/** Buffers worked by hand: their lives, views of other tensors, results over their operands. */
class BuffersByHandTest {
  static Stream<Arguments> cases() throws IOException {
    return WorkedCases.of("liveness/buffers.txt");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void buffersAreAsWorkedOut(String name, List<String> lines) {
    Graphs graph = null;
    int held = 0;
    for (String line : lines) {
      String[] sides = line.split(" \\| ");
      if (sides.length < 2) {
        graph = line.isEmpty() ? graph : Graphs.of(line);
        continue;
      }
      String[] rules = sides[0].toUpperCase(Locale.ROOT).split(" ");
      LivenessOptions options =
          LivenessOptions.defaults()
              .withAlignments(1, 1)
              .withInPlace(LivenessOptions.InPlace.valueOf(rules[0]))
              .withInputs(LivenessOptions.Inputs.valueOf(rules[1]));
      assertEquals(sides[1], String.join("; ", graph.buffers(options)), name + ": " + line);
      held++;
    }
    assertEquals(true, held > 0, name);
  }
}

package stowage.exact.search;

import java.util.Map;
import stowage.exact.search.model.RectangleProblem;
import stowage.experiment.generator.Generators;
import stowage.packing.Buffer;

/** Generated instances in the form that the searches read. */
final class Rectangles {
  private Rectangles() {}

  /**
   * Makes an instance and keeps the sizes and lives of its buffers.
   *
   * @param generator a generator's name
   * @param parameters its parameters that are not standard
   */
  static RectangleProblem generated(String generator, Map<String, ?> parameters) {
    RectangleProblem.Builder rectangles = RectangleProblem.builder();
    for (Buffer buffer : Generators.generate(generator, parameters).buffers()) {
      rectangles.add(buffer.size(), buffer.live().start(), buffer.live().end());
    }
    return rectangles.build();
  }
}

package stowage.exact.search;

import java.util.Map;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.generator.Generators;
import stowage.packing.Buffer;

/** Generated instances in the form that the searches read. */
public final class Rectangles {
  private Rectangles() {}

  /**
   * Makes an instance and keeps the sizes and lives of its buffers.
   *
   * @param generator a generator's name
   * @param parameters its parameters that are not standard
   */
  public static Component generated(String generator, Map<String, ?> parameters) {
    ComponentBuilder rectangles = ComponentBuilder.ofOneMemory();
    for (Buffer buffer : Generators.generate(generator, parameters).buffers()) {
      rectangles.add(buffer.size(), buffer.live().start(), buffer.live().end());
    }
    return rectangles.build();
  }
}

package stowage.importer.io;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A file in which a compiler or a run-time says what it did with memory. It has some parts, such as
 * the modules of a profile; each is a list of buffers with the plan that the tool made for them.
 *
 * @param kind what one part is called, such as {@code module}
 * @param parts in the file's order; at least one
 * @param reader reads the part of an index
 */
public record ToolDump(String kind, List<Part> parts, IntFunction<Input.Packing> reader) {
  /**
   * A part with the tool's plan as baseline; one without live ranges, or contradictory, is a fault.
   */
  public Input.Packing read(int part) {
    return reader.apply(part);
  }

  /**
   * One part: a name unique in its file, its label in the program, which other parts may have too,
   * how much there is to plan (0: nothing), and counts of what is in it, by name.
   */
  public record Part(String name, String label, long weight, Map<String, Long> counts) {
    public Part {
      counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }

    private boolean isCalled(String wanted) {
      return wanted.isEmpty() || name.equals(wanted) || label.equals(wanted);
    }
  }

  /**
   * The index of a name or label, the one with the greatest weight where several have it, or where
   * the name is empty; -1 when there is none.
   */
  public int indexOf(String wanted) {
    int best = -1;
    for (int k = 0; k < parts().size(); k++) {
      Part part = parts().get(k);
      if (part.name().equals(wanted)) {
        return k;
      }
      if (part.isCalled(wanted) && (best < 0 || part.weight() > parts().get(best).weight())) {
        best = k;
      }
    }
    return best;
  }
}

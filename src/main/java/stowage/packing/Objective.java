package stowage.packing;

import java.util.ArrayList;
import java.util.List;

/**
 * An ordered list of figures that a placement is judged by, compared one after the other; less is
 * better.
 */
public interface Objective {

  /** The figures' names, first the one that counts most. */
  List<String> figures();

  /** The figures of a placement. */
  Score score(PackingProblem problem, Placement placement);

  /**
   * The peak of each memory, from the last listed (the least wanted) to the first; the peak alone
   * where there is one memory.
   */
  static Objective peaks(PackingProblem problem) {
    int memories = problem.memories().size();
    List<String> names = new ArrayList<>();
    for (int m = memories - 1; m >= 0; m--) {
      names.add(memories == 1 ? "peak" : "peak of " + problem.memories().get(m).name());
    }
    List<String> figures = List.copyOf(names);
    return new Objective() {
      @Override
      public List<String> figures() {
        return figures;
      }

      @Override
      public Score score(PackingProblem scored, Placement placement) {
        long[] peaks = new long[memories];
        for (int i = 0; i < scored.size(); i++) {
          Buffer buffer = scored.buffer(i);
          if (buffer.needsMemory()) {
            int figure = memories - 1 - placement.memory(i);
            peaks[figure] = Math.max(peaks[figure], placement.offset(i) + buffer.size());
          }
        }
        return Score.of(peaks);
      }
    };
  }
}

package stowage.importer.xla;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;

/**
 * Builder of a {@link XlaModule.Trace} from the heap simulator's events, in their order.
 *
 * <p>A buffer is alive from its ALLOC, or the SHARE_WITH that gives it the memory of another, up to
 * its FREE; the event's position is the step. What is not freed lives to the end. Example: ALLOC a,
 * ALLOC b, SHARE_WITH c a, FREE a, FREE b, FREE c make a = [0, 3), b = [1, 4), c = [2, 5), and c in
 * the place of a.
 */
final class TraceBuilder {
  private static final long ALLOC = 0;
  private static final long FREE = 1;
  private static final long SHARE_WITH = 2;

  private final Path file;
  private final String where;
  private final Map<Long, Integer> starts = new LinkedHashMap<>();
  private final Map<Long, XlaModule.Life> lives = new LinkedHashMap<>();
  private final Map<Long, Long> sharedWith = new HashMap<>();
  private final Set<Long> alive = new HashSet<>();
  private int steps;

  /**
   * @param where what the trace is called in messages
   */
  TraceBuilder(Path file, String where) {
    this.file = file;
    this.where = where;
  }

  /** Adds an event. */
  void add(long kind, long buffer, long canonical) {
    if (kind == FREE) {
      if (!alive.remove(buffer)) {
        throw fault("frees buffer " + buffer + ", which is not alive");
      }
      lives.put(buffer, new XlaModule.Life(starts.get(buffer), steps));
    } else if (kind == ALLOC || kind == SHARE_WITH) {
      if (starts.put(buffer, steps) != null) {
        throw fault("allocates buffer " + buffer + " a second time");
      }
      if (kind == SHARE_WITH) {
        if (canonical == buffer || !starts.containsKey(canonical)) {
          throw fault("lets buffer %s share with %s, which was not allocated", buffer, canonical);
        }
        sharedWith.put(buffer, canonical);
      }
      alive.add(buffer);
    } else {
      throw fault("is of kind " + kind + "; it should be 0 (ALLOC), 1 (FREE) or 2 (SHARE_WITH)");
    }
    steps++;
  }

  private InputException fault(String what, Object... arguments) {
    return new InputException(file, where + ", event " + steps, what, arguments);
  }

  int events() {
    return steps;
  }

  XlaModule.Trace build() {
    alive.forEach(buffer -> lives.put(buffer, new XlaModule.Life(starts.get(buffer), steps)));
    alive.clear();
    return new XlaModule.Trace(steps, Map.copyOf(lives), Map.copyOf(sharedWith));
  }
}

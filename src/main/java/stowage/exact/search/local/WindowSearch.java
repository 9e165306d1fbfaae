package stowage.exact.search.local;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.exact.presolve.BottomLeftOrder;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Search by windows: short {@linkplain LearningSearch learning searches} for places of some buffers
 * while others stay where they are. Finds placements only. For what {@link LearningSearch#takes};
 * not for several threads.
 */
abstract class WindowSearch {
  final SearchModel model;
  final SplittableRandom random;

  /** Offsets of the buffers placed, -1 for others. */
  final long[] offsets;

  long capacity;
  long windows;
  private final RunControl control;
  private long propagations;

  WindowSearch(SearchModel model, RunControl control, long seed) {
    this.model = model;
    this.control = control;
    this.random = new SplittableRandom(seed);
    this.offsets = new long[model.count];
  }

  /** The present capacity, in units. */
  public long capacity() {
    return capacity;
  }

  /** How often the rules of the searches were applied so far. */
  public long propagations() {
    return propagations;
  }

  /** Windows searched so far. */
  public long windows() {
    return windows;
  }

  /**
   * Places the free buffers below the capacity. Others with an offset stay where they are, those
   * without one are left out. O(n * free buffers) besides the search.
   *
   * @param places offsets, changed where a placement is found, and only there
   * @param shortest failures of the shortest runs
   * @param failures after which to give up, at the end of a run
   * @param usual whether the first run takes the usual order
   */
  boolean place(boolean[] free, long[] places, int shortest, long failures, boolean usual) {
    long[] reached = reached(free);
    int[] members =
        IntStream.range(0, free.length)
            .filter(i -> free[i] || places[i] >= 0 && (reached[i >> 6] >>> i & 1) != 0)
            .toArray();
    ComponentBuilder builder = model.copy(members);
    builder.add(1, model.sections, model.sections + 1); // apart from all others; keeps the unit
    Component part = builder.build();
    long[] given = new long[part.count()];
    Arrays.setAll(given, k -> k == members.length || free[members[k]] ? -1 : places[members[k]]);
    LearningSearch search = new LearningSearch(new SearchModel(part), control);
    search.begin(capacity, given);
    LearningSearch.Answer answer = run(search, part, shortest, failures, usual);
    propagations += search.propagations();
    if (answer != LearningSearch.Answer.FOUND) {
      return false;
    }
    long[] found = search.offsets();
    for (int k = 0; k < members.length; k++) {
      places[members[k]] = found[k];
    }
    return true;
  }

  /** Runs in one order after another. */
  private LearningSearch.Answer run(
      LearningSearch search, Component part, int shortest, long failures, boolean usual) {
    int draw = random.nextInt(1 << 16);
    LearningSearch.Answer answer = LearningSearch.Answer.OPEN;
    for (int run = 0; answer == LearningSearch.Answer.OPEN && search.failures() < failures; run++) {
      if (control.isStopped()) {
        break;
      }
      search.restart(
          run == 0 && usual
              ? BottomLeftOrder.of(part)
              : BottomLeftOrder.drawn(part, draw + run, random),
          run % 4 == 3 ? LearningSearch.Ties.ORDER : LearningSearch.Ties.FAILURES,
          null);
      answer = search.advance(shortest << Math.min(run / 4, 4), Long.MAX_VALUE >> 1);
    }
    return answer;
  }

  /** The buffers that conflict with a free one, as bits. */
  private long[] reached(boolean[] free) {
    long[] reached = new long[model.words];
    for (int i = 0; i < free.length; i++) {
      for (int word = 0; free[i] && word < reached.length; word++) {
        reached[word] |= model.conflicts[i * reached.length + word];
      }
    }
    return reached;
  }
}

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
 * Short {@linkplain LearningSearch learning searches} for places of some buffers while others stay
 * where they are. For what {@link LearningSearch#takes}; not for several threads.
 */
final class WindowSearch {
  private final SearchModel model;
  private final RunControl control;
  private final SplittableRandom random;
  private long propagations;

  WindowSearch(SearchModel model, RunControl control, SplittableRandom random) {
    this.model = model;
    this.control = control;
    this.random = random;
  }

  /** How often the rules of the searches were applied so far. */
  long propagations() {
    return propagations;
  }

  /**
   * Places the free buffers below a capacity. Others with an offset stay where they are, those
   * without one are left out. O(n * free buffers) besides the search.
   *
   * @param offsets changed where a placement is found, and only there
   * @param shortest failures of the shortest runs
   * @param failures after which to give up, at the end of a run
   * @param usual whether the first run takes the usual order
   */
  boolean place(
      boolean[] free, long[] offsets, long capacity, int shortest, long failures, boolean usual) {
    long[] reached = reached(free);
    int[] members =
        IntStream.range(0, free.length)
            .filter(i -> free[i] || offsets[i] >= 0 && (reached[i >> 6] >>> i & 1) != 0)
            .toArray();
    ComponentBuilder builder = model.copy(members);
    builder.add(1, model.sections, model.sections + 1); // apart from all others; keeps the unit
    Component part = builder.build();
    long[] given = new long[part.count()];
    Arrays.setAll(given, k -> k == members.length || free[members[k]] ? -1 : offsets[members[k]]);
    LearningSearch search = new LearningSearch(new SearchModel(part), control);
    search.begin(capacity, given);
    LearningSearch.Answer answer = run(search, part, shortest, failures, usual);
    propagations += search.propagations();
    if (answer != LearningSearch.Answer.FOUND) {
      return false;
    }
    long[] found = search.offsets();
    for (int k = 0; k < members.length; k++) {
      offsets[members[k]] = found[k];
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

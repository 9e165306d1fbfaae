package stowage.exact.search.clause;

import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * The rules over one trail, applied until none narrows a range any more, cheap ones first. Once the
 * control is stopped they are left unfinished: what they say then means nothing.
 */
final class Propagation {
  private final BoundTrail trail;
  private final LiveSets sets;
  private final LearntClauses clauses;
  private final PairRule pairs;
  private final ExchangeRule exchanges;
  private final SupportRule rests;
  private final PassedOverRule passed;
  private final SectionRule sections;

  /** Changes up to here have been seen by the clauses, and their buffers queued. */
  private int head;

  private final int[] queue;
  private final boolean[] inQueue;
  private int first;
  private int queued;
  private long runs;

  /** Applying all rules to one buffer takes microseconds. */
  private static final int POLL_MASK = 63;

  private final RunControl control;
  private int polls;
  private boolean cut;

  Propagation(SearchModel model, RunControl control) {
    this.control = control;
    sets = new LiveSets(model);
    trail = new BoundTrail(sets.size);
    clauses = new LearntClauses(trail);
    pairs = new PairRule(sets, trail);
    exchanges = new ExchangeRule(sets, trail);
    rests = new SupportRule(sets, trail);
    passed = new PassedOverRule(sets, trail);
    sections = new SectionRule(sets, trail);
    queue = new int[sets.count];
    inQueue = new boolean[sets.count];
  }

  int[] live(int section) {
    return sets.live[section];
  }

  BoundTrail trail() {
    return trail;
  }

  LearntClauses clauses() {
    return clauses;
  }

  PassedOverRule passed() {
    return passed;
  }

  /** How often the rules have been applied. */
  long runs() {
    return runs;
  }

  /**
   * Begins again below a capacity, which every buffer fits.
   *
   * @param given offsets of buffers that are not to be moved, negative for others; or null
   */
  boolean begin(int capacity, long[] given) {
    sets.begin(capacity);
    trail.begin(capacity, given);
    rests.begin(given);
    clauses.begin();
    passed.begin();
    exchanges.begin();
    clear();
    for (int i = 0; i < sets.count; i++) {
      push(i);
    }
    return run();
  }

  /** Undoes all levels above one, whose changes had all been seen. */
  void backTo(int level) {
    if (level < trail.level()) {
      trail.backTo(level);
      passed.backTo(level);
      clear();
    }
  }

  /** At level 0, once the rules have nothing to add: takes what holds for good. */
  void settle() {
    trail.settle();
    clauses.tidy();
    head = 0;
  }

  private void clear() {
    head = trail.length();
    while (queued > 0) {
      pop();
    }
    rests.forget();
    sections.forget();
  }

  private void push(int buffer) {
    if (!inQueue[buffer]) {
      inQueue[buffer] = true;
      int last = first + queued++;
      queue[last < queue.length ? last : last - queue.length] = buffer;
    }
  }

  private int pop() {
    int buffer = queue[first];
    first = first + 1 == queue.length ? 0 : first + 1;
    queued--;
    inQueue[buffer] = false;
    return buffer;
  }

  /** Applies the rules; false where they fail, and the trail's conflict says why. */
  boolean run() {
    runs++;
    while (true) {
      if (!look()) {
        return false;
      }
      if (isCut()) {
        return true;
      }
      int before = trail.length();
      if (!rests.propagate() || trail.length() == before && !passed.propagate()) {
        return false;
      }
      if (trail.length() == before && !sections.propagate()) {
        return false;
      }
      if (trail.length() == before) {
        return true;
      }
    }
  }

  private boolean isCut() {
    if (!cut && (++polls & POLL_MASK) == 0) {
      cut = control.isStopped();
    }
    return cut;
  }

  /** The rules that look at one changed buffer at a time. */
  private boolean look() {
    while ((head < trail.length() || queued > 0) && !isCut()) {
      while (head < trail.length()) {
        int bound = trail.bound(head++);
        push(bound >> 1);
        if (!clauses.propagate(bound)) {
          return false;
        }
      }
      if (queued > 0) {
        int buffer = pop();
        rests.touch(buffer);
        sections.touch(buffer);
        if (!pairs.propagate(buffer) || !exchanges.propagate(buffer)) {
          return false;
        }
      }
    }
    return true;
  }
}

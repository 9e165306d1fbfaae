package stowage.exact.search.clause;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.exact.search.model.FailureWeights;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * A search for a placement below a capacity that learns from every failure and begins again often.
 *
 * <p>It keeps a range of offsets for every buffer. A decision puts the buffer that can be lowest,
 * by a given order among equals, where it is lowest, or that of the first section that is not yet
 * complete. {@link Propagation} then narrows the other ranges: by pairs, by what every buffer must
 * rest on, by sections as {@linkplain OneMachine jobs on one machine} from both ends, and by
 * {@linkplain ExchangeRule who takes whose room}. Where that fails, {@link ConflictAnalysis} makes
 * a clause of it, the search goes back as far as the clause says, and no part of it runs into the
 * same failure again, in this run or in later ones with other orders.
 *
 * <p>A node takes some fifty times that of {@link stowage.exact.search.tree.CanonicalSearch}, and
 * is worth far more where most of the memory is full at most steps: there that search learns too
 * late that what it has done at the bottom leaves no room at the top. How many failures one order
 * takes has a heavy tail, so many orders with a few hundred failures each do better than one.
 *
 * <p>For problems without alignments, banks, fixed offsets or windows. Complete: a run that ends
 * without a placement and before its limit has proven that there is none.
 */
public final class LearningSearch {
  /** The order of buffers that can be equally low. */
  public enum Ties {
    /** By the order alone. */
    ORDER,
    /** By how often they took part in failures lately, then by the order. */
    FAILURES
  }

  /** What a run has come to. */
  public enum Answer {
    FOUND,
    /** There is no placement; proven. */
    NONE,
    OPEN
  }

  /** What is left of a failure's weight after the next one. */
  private static final double DECAY = 0.95;

  /** The largest capacity: sums of some of it must fit 32 bits. */
  private static final long LARGEST = 1 << 28;

  private final RunControl control;
  private final int[] rank;
  private final FailureWeights blame;
  private final Propagation propagation;
  private final BoundTrail trail;
  private final ConflictAnalysis analysis;
  private final int[] size;
  private final int[] all;
  private Ties ties = Ties.ORDER;
  private int[] sections;
  private boolean refuted;
  private long failures;

  /** A search of a model that {@link #takes} it. O(n^2). */
  public LearningSearch(SearchModel model, RunControl control) {
    this.control = control;
    this.rank = new int[model.count];
    this.blame = new FailureWeights(model.count);
    this.propagation = new Propagation(model, control);
    this.trail = propagation.trail();
    this.analysis = new ConflictAnalysis(trail, blame);
    this.size = Arrays.stream(model.size).mapToInt(own -> (int) own).toArray();
    this.all = IntStream.range(0, model.count).toArray();
  }

  /** Whether a model can be searched below a capacity, in its units. */
  public static boolean takes(SearchModel model, long capacity) {
    return model.unconstrained && capacity <= LARGEST && model.maxLoad <= LARGEST;
  }

  /**
   * Begins below a capacity; what was learnt below another is forgotten.
   *
   * @param given for each buffer its offset, negative where it is free; null where all are
   */
  public void begin(long capacity, long[] given) {
    refuted =
        Arrays.stream(size).anyMatch(own -> own > capacity)
            || !propagation.begin((int) capacity, given);
  }

  /**
   * Begins again in an order, with what was learnt since {@link #begin}.
   *
   * @param placed all buffers, those to be lower first
   * @param bySection all sections; all buffers of the first are placed before others; null places
   *     the buffer that can be lowest of all
   */
  public void restart(int[] placed, Ties by, int[] bySection) {
    sections = bySection;
    for (int place = 0; place < placed.length; place++) {
      rank[placed[place]] = place;
    }
    ties = by;
    if (!refuted) {
      propagation.backTo(0);
      refuted = !propagation.run();
    }
    if (!refuted) {
      propagation.settle();
    }
  }

  /** Searches on from where it was; after so many failures or propagations it can be resumed. */
  public Answer advance(long mostFailures, long mostPropagations) {
    long endOfFailures = failures + mostFailures;
    long end = propagation.runs() + mostPropagations;
    while (!refuted) {
      if (control.isStopped()) { // rules may be unfinished; a node takes long enough to ask
        return Answer.OPEN;
      }
      int next = next();
      if (next < 0) {
        return Answer.FOUND;
      }
      if (failures >= endOfFailures || propagation.runs() >= end) {
        return Answer.OPEN;
      }
      trail.descend();
      trail.raise(2 * next + 1, -trail.low(next), null, 0, 0);
      while (!refuted && !propagation.run()) {
        failures++;
        refuted = !learn();
      }
    }
    return Answer.NONE;
  }

  /** The buffer to be placed next, or -1 where all are. */
  private int next() {
    int next = sections == null ? lowest(all) : -1;
    for (int at = 0; sections != null && next < 0 && at < sections.length; at++) {
      next = lowest(propagation.live(sections[at]));
    }
    return next;
  }

  private int lowest(int[] buffers) {
    int next = -1;
    int low = Integer.MAX_VALUE;
    for (int i : buffers) {
      int own = trail.low(i);
      if (own <= low && !trail.isFixed(i) && (own < low || isBefore(i, next))) {
        next = i;
        low = own;
      }
    }
    return next;
  }

  private boolean isBefore(int one, int other) {
    double[] weight = blame.weights();
    if (ties == Ties.FAILURES && weight[one] != weight[other]) {
      return weight[one] > weight[other];
    }
    return rank[one] < rank[other];
  }

  /** Learns from the conflict and goes back; false where no decision is to blame. */
  private boolean learn() {
    blame.decay(DECAY);
    int level = analysis.levelOfConflict();
    if (level == 0) {
      return false;
    }
    propagation.backTo(level);
    int[] clause = analysis.clause();
    propagation.backTo(clause.length == 2 ? 0 : levelOf(clause[2] ^ 1, 1 - clause[3]));
    propagation.clauses().add(clause);
    if ((clause[0] & 1) == 0) {
      propagation.passed().passed(clause[0] >> 1, clause[1] - 1);
    }
    return true;
  }

  private int levelOf(int bound, int value) {
    return trail.levelOf(trail.position(bound, value));
  }

  /** After {@link Answer#FOUND} the offsets, in units of the model. */
  public long[] offsets() {
    return Arrays.stream(all).mapToLong(trail::low).toArray();
  }

  /** How often each buffer took part in failures, late ones counting more. For comparison only. */
  public double[] blame() {
    return blame.weights();
  }

  /** Failures so far. */
  public long failures() {
    return failures;
  }

  /** How often the rules were applied so far. */
  public long propagations() {
    return propagation.runs();
  }
}

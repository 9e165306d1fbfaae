package stowage.packing;

/**
 * The answer of a run: a verified placement, what is proven of it, and who found it.
 *
 * <p>Any number of threads may share one; the arrays it gives out are not to be changed.
 *
 * @param problem the problem it answers
 * @param placement the best verified placement, or null when none was found
 * @param score its figures, or null
 * @param bounds the best bound of each figure; entries may be null
 * @param status what is known
 * @param infeasibility why no placement respects the capacities, or null
 * @param finder the planner that found the placement, or null
 * @param seconds time taken, without start-up
 * @param objective what it was lowered by: the figures that score and bounds have
 */
public record Plan(
    PackingProblem problem,
    Placement placement,
    Score score,
    Bound[] bounds,
    Status status,
    Certificate infeasibility,
    String finder,
    double seconds,
    Objective objective) {

  /** {@return what an incumbent holds now, as a plan} */
  public static Plan of(Incumbent incumbent) {
    synchronized (incumbent) {
      return new Plan(
          incumbent.problem(),
          incumbent.placement(),
          incumbent.score(),
          incumbent.bounds(),
          incumbent.status(),
          incumbent.infeasibility(),
          incumbent.finder(),
          incumbent.seconds(),
          incumbent.objective());
    }
  }

  /** {@return the peak of the last memory in bytes; -1 without a placement} */
  public long peak() {
    return placement == null ? -1 : placement.peak(problem, problem.memories().size() - 1);
  }

  /** {@return the best bound of that peak over all plans, in bytes; 0 when there is none} */
  public long lowerBound() {
    Bound bound = peakBound();
    return bound == null ? 0 : bound.value();
  }

  /**
   * {@return the best bound of the last memory's peak over all plans, or null: the objective's
   * first figure where that is the peak} (Bounds of later figures hold among plans optimal before.)
   */
  public Bound peakBound() {
    return objective.indexOf(Goal.PEAK) == 0 ? bounds[0] : null;
  }

  /**
   * {@return the best bound of a memory's peak among the plans with the lowest peaks of those that
   * count before it, in bytes; 0 when there is none, or where other figures count before the peaks}
   */
  public long lowerBound(int memory) {
    int figure = problem.memories().size() - 1 - memory;
    Bound bound = objective.indexOf(Goal.PEAK) == 0 ? bounds[figure] : null;
    return bound == null ? 0 : bound.value();
  }

  /**
   * {@return where a buffer is: bytes from the start of its memory}
   *
   * @throws IllegalStateException when there is no placement
   * @throws IllegalArgumentException when the problem has no such buffer
   */
  public long offset(int buffer) {
    return placed(buffer).offset(buffer);
  }

  /** {@return where the buffer with an id is; as {@link #offset(int)}} */
  public long offset(String id) {
    return offset(problem.indexOf(id));
  }

  /**
   * {@return the index of the memory that a buffer is in: 0 where the problem has only one}
   *
   * @throws IllegalStateException when there is no placement
   * @throws IllegalArgumentException when the problem has no such buffer
   */
  public int memory(int buffer) {
    return placed(buffer).memory(buffer);
  }

  /** {@return whether there is a placement to ask for} */
  public boolean hasPlacement() {
    return placement != null;
  }

  private Placement placed(int buffer) {
    if (placement == null) {
      throw new IllegalStateException(
          "problem \"" + problem.name() + "\" has no placement; its status is " + status);
    }
    if (buffer < 0 || buffer >= placement.size()) {
      throw new IllegalArgumentException(
          "buffer %s is not one of the %s buffers of \"%s\""
              .formatted(buffer, placement.size(), problem.name()));
    }
    return placement;
  }

  /** (peak - bound) / bound; 0 when they meet, and NaN when either is missing. */
  public double gap() {
    if (score == null || peakBound() == null) {
      return Double.NaN;
    }
    return peak() == lowerBound() ? 0 : (double) (peak() - lowerBound()) / lowerBound();
  }

  /**
   * {@return why no plan has a lower peak than the bound, or why none fits into the capacities: a
   * few sentences with the user's own ids} O(n log n).
   */
  public String proof() {
    if (status == Status.INFEASIBLE && infeasibility != null) {
      return ProofText.infeasible(problem, infeasibility);
    }
    Bound best = BestBound.of(problem, peakBound()).bound();
    return ProofText.of(problem, best.certificate(), best.value());
  }

  /**
   * {@return the plan as one line of JSON, with fields of a {@code plan.json}: status, peak, lower
   * bound with its certificate, memories, and the placement of every buffer} A certificate that can
   * be checked is checked for it. O(n log n).
   */
  public String toJson() {
    return PlanText.json(this);
  }
}

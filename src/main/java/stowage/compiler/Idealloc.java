package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.heuristic.GapPlacer;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * idealloc: a placement by boxes, squeezed, if it beats first fit.
 *
 * <p>Source: cappadokes/idealloc (coreba), after Buchsbaum et al. (2003, doi
 * 10.1145/780542.780624); see {@link Boxing}. Buffers none of which overlap all are at 0; buffers
 * of one size are coloured as intervals, which is optimal. Otherwise the incumbent is first fit by
 * size descending, then lifetime descending, then file order. Then, until {@value #LIVES} attempt
 * in a row fails or the peak is the largest load, the buffers are boxed, unboxed to a loose
 * placement, and squeezed: first fit in the order of their loose offsets. Small heights are boxed
 * first with an ε found by trying growing ones until three in a row do not lower the ratio of
 * heights; where the ratio is too small for any ε, a job above all others is added and not placed.
 *
 * <p>The original draws without a seed; here the run's seed is used. How strips are cut into boxes
 * and ties fall is our own reading of the paper. O(n log n) for a boxing, and first fit's cost.
 *
 * @see <a
 *     href="https://github.com/cappadokes/idealloc/blob/a21f84d5/coreba/src/algo/placement.rs">cappadokes/idealloc@a21f84d5:placement.rs</a>
 */
public final class Idealloc extends ListRule {
  private static final int LIVES = 1;

  /** The ratio of heights below which no ε fits. */
  private static final double LEAST_RATIO = 2216.54;

  public Idealloc() {
    super(
        "idealloc",
        "as of a21f84d5",
        "idealloc: Buchsbaum's boxes, unboxed and squeezed by first fit");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    if (all.count() == 0) {
      return CasePlan.arena(all.placement(new long[0]));
    }
    PackingProblem plain = all.asProblem();
    List<Boxing.Job> jobs = new ArrayList<>();
    int[] moments = all.moments(); // ranks, for a step may be too large to be doubled
    for (int r = 0; r < all.count(); r++) {
      int start = Arrays.binarySearch(moments, all.start[r]);
      jobs.add(Boxing.Job.of(r, all.size[r], start, Arrays.binarySearch(moments, all.end[r])));
    }
    if (Arrays.stream(all.size).distinct().count() == 1 || Boxing.rows(jobs).size() == 1) {
      long[] offsets = new long[all.count()];
      // Where nothing overlaps all jobs count as equally large, so that they are one row.
      long largest = Arrays.stream(all.size).max().orElse(0);
      jobs.replaceAll(
          job -> new Boxing.Job(largest, job.birth(), job.death(), job.rectangle(), List.of()));
      Boxing.unbox(jobs, 0, offsets);
      return CasePlan.arena(all.placement(offsets));
    }
    int[] bySizeAndLife =
        all.sorted(
            Comparator.comparingLong((Integer r) -> -all.size[r])
                .thenComparingLong(r -> -all.length(r)));
    Placement best = GapPlacer.inOrder(plain, bySizeAndLife, Fit.FIRST, control);
    long peak = best.peak(plain, 0);
    long load = LoadProfile.of(plain).maxLoad();
    Attempts attempts = new Attempts(jobs, new SplittableRandom(control.seed()));
    int lives = LIVES;
    while (lives > 0 && peak > load && !control.isStopped()) {
      long[] loose = attempts.next();
      int[] sorted = all.sorted(Comparator.comparingLong(r -> loose[r]));
      Placement squeezed;
      try {
        squeezed = GapPlacer.inOrder(plain, sorted, Fit.FIRST, control);
      } catch (NotPlannableException stopped) {
        break;
      }
      lives--;
      if (squeezed.peak(plain, 0) < peak) {
        best = squeezed;
        peak = squeezed.peak(plain, 0);
        lives = LIVES;
      }
    }
    return CasePlan.searched(all.placement(best.offsets()), lives > 0 && peak > load);
  }

  /** Boxings of one instance, one after the other. */
  private static final class Attempts {
    private final List<Boxing.Job> jobs;
    private final int rectangles;
    private final Boxing boxing;
    private final double epsilon;
    private List<Boxing.Job> boxed;

    Attempts(List<Boxing.Job> originals, SplittableRandom random) {
      rectangles = originals.size();
      boxing = new Boxing(random);
      jobs = new ArrayList<>(originals);
      double[] range = range(jobs);
      if (range[0] >= range[1]) {
        jobs.add(steering(originals));
        range = range(jobs);
      }
      double best = range[0];
      double ratio = Double.MAX_VALUE;
      boxed = jobs;
      int tries = 3;
      for (double tried = range[0]; tries > 0; tried += (range[1] - tried) * 0.01) {
        List<Boxing.Job> result = boxing.boxSmall(jobs, tried);
        double now = Boxing.Safety.of(result, tried).ratio();
        if (now < ratio) {
          ratio = now;
          best = tried;
          boxed = result;
          tries = 3;
        } else {
          tries--;
        }
      }
      epsilon = best;
    }

    /** The ends of the range that ε is looked for in. */
    private static double[] range(List<Boxing.Job> jobs) {
      double ratio = Boxing.Safety.of(jobs, 1).ratio();
      double squaredLog = Math.pow(Math.log(ratio) / Math.log(2), 2);
      return new double[] {
        Math.pow(Math.pow(squaredLog, 7) / ratio, 1.0 / 6), Boxing.LARGEST_MU * squaredLog
      };
    }

    private static Boxing.Job steering(List<Boxing.Job> jobs) {
      long least = jobs.stream().mapToLong(Boxing.Job::size).min().orElse(1);
      int birth = jobs.stream().mapToInt(Boxing.Job::birth).min().orElse(0);
      int death = jobs.stream().mapToInt(Boxing.Job::death).max().orElse(0);
      long size = (long) Math.ceil(LEAST_RATIO * least);
      return new Boxing.Job(size, birth, death, Boxing.NONE, List.of());
    }

    /** A loose placement: an offset for every rectangle. */
    long[] next() {
      double mu = Boxing.Safety.of(boxed, epsilon).mu();
      if (!(mu <= Boxing.LARGEST_MU)) {
        mu = 0.99 * Boxing.LARGEST_MU;
      }
      long highest = boxed.stream().mapToLong(Boxing.Job::size).max().orElse(1);
      long height = (long) Math.ceil(highest / mu);
      long[] loose = new long[rectangles];
      Boxing.unbox(boxing.corollary15(boxed, height, mu), 0, loose);
      boxed = boxing.boxSmall(jobs, epsilon);
      return loose;
    }
  }
}

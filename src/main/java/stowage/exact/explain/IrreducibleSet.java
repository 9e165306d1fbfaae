package stowage.exact.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stowage.exact.bound.LowerBounds;
import stowage.exact.bound.StepCandidates;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;

/**
 * A smallest set of buffers that cannot be placed within the capacities: the whole set is
 * infeasible, and without any one of its buffers it is not (an irreducible infeasible subset).
 *
 * <p>Found by deletion: blocks of buffers are left out, halving the block each time nothing can go,
 * and a block stays out when the rest is still proven infeasible. A certificate that names buffers
 * gives the start, so that most answers need few proofs. At most O(k log(n / k)) proofs for a set
 * of k of n buffers, each a run of a complete method; see U. Junker, QuickXplain, AAAI 2004.
 *
 * @param buffers indices of the set, ascending
 * @param irreducible whether every buffer was shown to be needed; false when time ran out first
 */
public record IrreducibleSet(List<Integer> buffers, boolean irreducible) {

  /** Copies the list. */
  public IrreducibleSet {
    buffers = List.copyOf(buffers);
  }

  /**
   * Shrinks a set of buffers that is known to be infeasible.
   *
   * @param problem with the capacities that cannot be met
   * @param start indices of buffers that are infeasible together, such as a certificate's, or all
   * @param engine makes the complete method that proves
   * @param control when to stop; each proof may take a tenth of what is left
   */
  public static IrreducibleSet of(
      PackingProblem problem, List<Integer> start, Supplier<Engine> engine, RunControl control) {
    List<Integer> kept = new ArrayList<>(start);
    boolean sure = true;
    for (int block = Math.max(1, kept.size() / 2); ; block = Math.max(1, block / 2)) {
      boolean removed = true;
      while (removed) {
        removed = false;
        for (int at = 0; at < kept.size(); ) {
          if (control.isStopped()) {
            return new IrreducibleSet(kept, false);
          }
          List<Integer> fewer = new ArrayList<>(kept);
          fewer.subList(at, Math.min(at + block, fewer.size())).clear();
          Status status =
              fewer.isEmpty() ? Status.OPTIMAL : decide(problem, fewer, engine, control);
          if (status == Status.INFEASIBLE) {
            kept = fewer;
            removed = block > 1;
          } else {
            sure &= block > 1 || status != Status.UNKNOWN;
            at += block;
          }
        }
      }
      if (block == 1) {
        return new IrreducibleSet(kept, sure);
      }
    }
  }

  private static Status decide(
      PackingProblem problem, List<Integer> chosen, Supplier<Engine> engine, RunControl control) {
    PackingProblem part = restricted(problem, chosen);
    Incumbent incumbent = new Incumbent(part);
    if (!LowerBounds.offer(LowerBounds.of(part), incumbent)) {
      engine
          .get()
          .run(
              part,
              incumbent,
              control.within(control.secondsLeft() / 10),
              EngineOptions.defaults().withFirstFit(true));
    }
    return incumbent.placement() != null ? Status.FEASIBLE : incumbent.status();
  }

  /**
   * Buffers that are infeasible by themselves, as few as a proof of infeasibility says at once.
   *
   * <p>Where a step's load exceeds the capacity, its largest buffers up to the first that is too
   * much are the fewest of that step, and the step where these are fewest is taken. Other
   * certificates name their buffers; an solver claim names none, which leaves all.
   */
  public static List<Integer> start(PackingProblem problem, Certificate proof) {
    if (proof instanceof Certificate.MaxLoad load) {
      return load.alternatives() == 0 && problem.memories().size() == 1
          ? fewestOfAStep(problem)
          : boxed(load.buffers());
    } else if (proof instanceof Certificate.Energy energy) {
      // The given offsets that push these away take part.
      IntStream given = IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).isFixed());
      return IntStream.concat(IntStream.of(energy.buffers()), given)
          .sorted()
          .distinct()
          .boxed()
          .toList();
    }
    return proof.checkable()
        ? boxed(proof.buffers())
        : IntStream.range(0, problem.size()).boxed().toList();
  }

  private static List<Integer> boxed(int[] buffers) {
    return IntStream.of(buffers).boxed().toList();
  }

  private static List<Integer> fewestOfAStep(PackingProblem problem) {
    long capacity = problem.memories().get(0).capacity();
    List<Integer> fewest = null;
    for (int step : StepCandidates.of(problem, i -> true)) {
      List<Integer> alive = new ArrayList<>(boxed(StepCandidates.alive(problem, i -> true, step)));
      alive.sort(Comparator.comparingLong((Integer i) -> -problem.buffer(i).bytesAt(step)));
      long sum = 0;
      int count = 0;
      while (count < alive.size() && sum <= capacity) {
        sum += problem.buffer(alive.get(count++)).bytesAt(step);
      }
      if (sum > capacity && (fewest == null || count < fewest.size())) {
        fewest = alive.subList(0, count).stream().sorted().toList();
      }
    }
    return fewest;
  }

  /** The problem of the chosen buffers alone, with the extra conflicts among them. */
  public static PackingProblem restricted(PackingProblem problem, List<Integer> chosen) {
    List<Buffer> buffers = new ArrayList<>();
    int[] position = new int[problem.size()];
    java.util.Arrays.fill(position, -1);
    for (int i : chosen) {
      position[i] = buffers.size();
      buffers.add(problem.buffer(i));
    }
    List<int[]> pairs = new ArrayList<>();
    for (int i : chosen) {
      for (int j : problem.conflicts().of(i)) {
        if (i < j && position[j] >= 0) {
          pairs.add(new int[] {position[i], position[j]});
        }
      }
    }
    return new PackingProblem(
        problem.name(), buffers, problem.memories(), ConflictPairs.of(buffers.size(), pairs));
  }
}

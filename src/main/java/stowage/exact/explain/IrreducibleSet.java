package stowage.exact.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import stowage.exact.bound.HeaviestSteps;
import stowage.exact.bound.LowerBounds;
import stowage.packing.Certificate;
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
  public IrreducibleSet {
    buffers = List.copyOf(buffers);
  }

  /**
   * Shrinks a set of buffers that is known to be infeasible.
   *
   * @param problem with the capacities that cannot be met
   * @param start indices of buffers that are infeasible together, such as a certificate's, or all
   * @param prover a complete method: it looks for a first placement, or a proof that there is none,
   *     until the control says stop
   * @param control when to stop, one that {@linkplain RunControl#counting counts}; each proof may
   *     take a tenth of what is left
   */
  public static IrreducibleSet of(
      PackingProblem problem,
      List<Integer> start,
      BiConsumer<Incumbent, RunControl> prover,
      RunControl control) {
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
              fewer.isEmpty() ? Status.OPTIMAL : decide(problem, fewer, prover, control);
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
      PackingProblem problem,
      List<Integer> chosen,
      BiConsumer<Incumbent, RunControl> prover,
      RunControl control) {
    PackingProblem part = problem.select(chosen.stream().mapToInt(Integer::intValue).toArray());
    Incumbent incumbent = new Incumbent(part);
    if (!LowerBounds.offer(LowerBounds.of(part), incumbent)) {
      prover.accept(incumbent, control.share(control.secondsLeft() / 10));
    }
    return incumbent.placement() != null ? Status.FEASIBLE : incumbent.status();
  }

  /**
   * Buffers that are infeasible by themselves, as few as a proof of infeasibility says at once.
   *
   * <p>Where a step's load exceeds the capacity, its largest buffers up to the first that is too
   * much are the fewest of that step, and the step where these are fewest is taken. Other
   * certificates name their buffers; a solver's claim names none, which leaves all.
   */
  public static List<Integer> start(PackingProblem problem, Certificate proof) {
    if (proof instanceof Certificate.MaxLoad load) {
      return load.alternatives() == 0 && problem.memories().size() == 1
          ? fewestOfAStep(problem, load)
          : boxed(load.buffers());
    } else if (proof instanceof Certificate.Energy energy) {
      // The given offsets that push these away take part.
      IntStream given = IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).isFixed());
      IntStream all = IntStream.concat(IntStream.of(energy.buffers()), given);
      return all.sorted().distinct().boxed().toList();
    }
    return proof.checkable() || proof instanceof Certificate.Contradiction
        ? boxed(proof.buffers())
        : IntStream.range(0, problem.size()).boxed().toList();
  }

  private static List<Integer> boxed(int[] buffers) {
    return IntStream.of(buffers).boxed().toList();
  }

  /** Of a step the largest that may not share bytes, as many as exceed the capacity; else all. */
  private static List<Integer> fewestOfAStep(PackingProblem problem, Certificate.MaxLoad proof) {
    long capacity = problem.memories().get(0).capacity();
    List<Integer> fewest = boxed(proof.buffers());
    for (int step : HeaviestSteps.of(problem, i -> true)) {
      List<Integer> alive = new ArrayList<>(boxed(HeaviestSteps.alive(problem, i -> true, step)));
      alive.sort(Comparator.comparingLong((Integer i) -> -problem.buffer(i).bytesAt(step)));
      List<Integer> taken = new ArrayList<>();
      long sum = 0;
      for (int k = 0; k < alive.size() && sum <= capacity; k++) {
        int i = alive.get(k);
        if (taken.stream().noneMatch(other -> problem.relations().mayShare(i, other))) {
          taken.add(i);
          sum += problem.buffer(i).bytesAt(step);
        }
      }
      if (sum > capacity && taken.size() < fewest.size()) {
        fewest = taken.stream().sorted().toList();
      }
    }
    return fewest;
  }
}

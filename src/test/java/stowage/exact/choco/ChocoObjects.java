package stowage.exact.choco;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.chocosolver.solver.Model;
import org.chocosolver.solver.Solver;
import org.chocosolver.solver.search.strategy.Search;
import org.chocosolver.solver.variables.BoolVar;
import org.chocosolver.solver.variables.IntVar;
import stowage.exact.object.ObjectCliques;
import stowage.exact.object.ObjectEngine;
import stowage.exact.object.ObjectIncumbent;
import stowage.exact.object.ObjectLevels;
import stowage.exact.object.ObjectUnits;
import stowage.packing.ObjectProblem;
import stowage.packing.RunControl;

/**
 * Choco on the least total of objects: a second complete method, which shares no code with CP-SAT's
 * model but the sets of conflicting items.
 *
 * <p><b>Model.</b> owner(i) is the largest item of the object that i is in; its values are i and
 * the earlier items that i does not conflict with, items standing from the largest down. Owners of
 * pairwise conflicting items are all different; an owner owns itself, by an element constraint; the
 * items that own themselves cost their sizes. At least k of the items no smaller than the k-th
 * level of {@link ObjectLevels} own themselves.
 *
 * <p>Search goes from the largest item down and tries the oldest object first, so that its first
 * leaf is first fit; each next answer must be lower than the best known. An exhausted search proves
 * the best.
 */
public final class ChocoObjects implements ObjectEngine {
  private static final int LARGEST = 150;

  @Override
  public String name() {
    return "choco";
  }

  @Override
  public int suitableItems() {
    return LARGEST;
  }

  @Override
  public void run(ObjectIncumbent incumbent, RunControl control) {
    if (incumbent.isClosed()) {
      return;
    }
    ObjectUnits units = new ObjectUnits(incumbent.problem());
    if (Arrays.stream(units.sizes()).sum() > Integer.MAX_VALUE / 2) {
      return; // Choco counts in 32 bits
    }
    Owners owners = new Owners(incumbent.problem(), units);
    Solver solver = owners.model.getSolver();
    solver.addStopCriterion(() -> control.isStopped() || incumbent.isClosed());
    owners.bound(-Math.floorDiv(-incumbent.bound(), units.bytes(1)), incumbent.total());
    while (solver.solve()) {
      incumbent.offer(owners.objects(), name());
    }
    if (!solver.isStopCriterionMet()) {
      incumbent.offerBound(incumbent.total(), name());
    }
  }

  private static final class Owners {
    private final Model model = new Model("objects");
    private final ObjectProblem problem;
    private final ObjectUnits units;
    private final IntVar[] owner;
    private final BoolVar[] ownsItself;
    private final IntVar cost;

    Owners(ObjectProblem problem, ObjectUnits units) {
      this.problem = problem;
      this.units = units;
      int n = problem.count();
      owner = new IntVar[n];
      ownsItself = new BoolVar[n];
      int[] sizes = new int[n];
      for (int i = 0; i < n; i++) {
        owner[i] = model.intVar("owner" + i, admitted(i));
        ownsItself[i] = owner[i].eq(i).boolVar();
        sizes[i] = (int) units.sizes()[i];
      }
      for (int i = 0; i < n; i++) {
        if (!owner[i].isInstantiated()) {
          model.element(model.intVar(1), ownsItself, owner[i], 0).post();
        }
      }
      for (int[] set : ObjectCliques.covering(problem, IntStream.range(0, n).toArray())) {
        IntVar[] members = Arrays.stream(set).mapToObj(i -> owner[i]).toArray(IntVar[]::new);
        model.allDifferent(members).post();
      }
      cost = model.intVar("cost", 0, Arrays.stream(sizes).sum());
      model.scalar(ownsItself, sizes, "=", cost).post();
      ObjectLevels.of(problem)
          .eachRepresented(
              (items, least) -> model.sum(Arrays.copyOf(ownsItself, items), ">=", least).post());
      model.setObjective(Model.MINIMIZE, cost);
      model.getSolver().setSearch(Search.inputOrderLBSearch(owner));
    }

    private int[] admitted(int item) {
      return IntStream.rangeClosed(0, item)
          .filter(j -> j == item || !problem.conflict(j, item))
          .toArray();
    }

    /** What is known beforehand: the bound in units, and the best total in bytes. */
    void bound(long least, long total) {
      model.arithm(cost, ">=", (int) least).post();
      if (total != Long.MAX_VALUE) {
        model.arithm(cost, "<=", (int) (total / units.bytes(1) - 1)).post();
      }
    }

    int[] objects() {
      return Arrays.stream(owner).mapToInt(IntVar::getValue).toArray();
    }
  }
}

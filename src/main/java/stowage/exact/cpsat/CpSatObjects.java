package stowage.exact.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.exact.object.ObjectCliques;
import stowage.exact.object.ObjectIncumbent;
import stowage.exact.object.ObjectLevels;
import stowage.packing.ObjectProblem;
import stowage.packing.Rounding;
import stowage.packing.RunControl;

/**
 * CP-SAT on the least total of objects, by representatives.
 *
 * <p><b>Model.</b> Every object is named by its largest item, its representative (Campêlo, Campos
 * and Corrêa 2008, doi 10.1016/j.dam.2007.05.058; of equal items the first): so objects have no
 * numbers to be permuted, and an object's cost is its representative's size. Items are from the
 * largest down. For j before i without a conflict, x(j, i) says that i is in j's object; r(j) that
 * j is a representative.
 *
 * <ul>
 *   <li>each i is a representative or is in exactly one earlier item's object;
 *   <li>of each set of items that conflict pairwise, at most r(j) are in j's object;
 *   <li>among the items no smaller than the k-th level of {@link ObjectLevels} at least k are
 *       representatives, which brings the relaxation up to that bound;
 *   <li>the sizes of the representatives are minimised.
 * </ul>
 *
 * <p>The incumbent is given as a hint. Variables grow with pairs without conflict, rows with sets.
 */
public final class CpSatObjects {
  private static final int LARGEST = 700;

  private final CpModel model = new CpModel();
  private final ObjectProblem problem;
  private final long unit;
  private final BoolVar[] represents;
  private final BoolVar[][] within;

  private CpSatObjects(ObjectIncumbent incumbent) {
    problem = incumbent.problem();
    int n = problem.count();
    long[] sizes = IntStream.range(0, n).mapToLong(problem::size).toArray();
    unit = Math.max(1, Arrays.stream(sizes).reduce(0, Rounding::gcd));
    represents = new BoolVar[n];
    within = new BoolVar[n][n];
    Arrays.setAll(represents, i -> model.newBoolVar("r" + i));
    for (int j = 0; j < n; j++) {
      addObject(j);
    }
    for (int i = 0; i < n; i++) {
      List<Literal> places = new ArrayList<>(List.of(represents[i]));
      for (int j = 0; j < i; j++) {
        if (within[j][i] != null) {
          places.add(within[j][i]);
        }
      }
      model.addExactlyOne(places);
    }
    ObjectLevels.of(problem)
        .eachRepresented(
            (items, least) -> {
              BoolVar[] largest = Arrays.copyOf(represents, items);
              model.addGreaterOrEqual(LinearExpr.sum(largest), least);
            });
    long[] units = Arrays.stream(sizes).map(size -> size / unit).toArray();
    model.minimize(LinearExpr.weightedSum(represents, units));
    hint(incumbent.objectOf());
  }

  /** Works on an incumbent of at most {@value #LARGEST} items until it is closed or stopped. */
  public static void run(ObjectIncumbent incumbent, RunControl control) {
    if (incumbent.isClosed() || incumbent.problem().count() > LARGEST) {
      return;
    }
    NativeLibraries.load();
    CpSatObjects made = new CpSatObjects(incumbent);
    CpSatRun.Result result = CpSatRun.solve(made.model, control, Double.MAX_VALUE);
    if (result.hasSolution()) {
      incumbent.offer(made.objects(result.solver()), "cpsat");
    }
    incumbent.offerBound(result.bound(0) * made.unit, "cp-sat");
  }

  private void addObject(int j) {
    int n = problem.count();
    int[] others = new int[n];
    int count = 0;
    for (int i = j + 1; i < n; i++) {
      if (!problem.conflict(j, i)) {
        within[j][i] = model.newBoolVar("x" + j + "_" + i);
        others[count++] = i;
      }
    }
    boolean[] bound = new boolean[n];
    for (int[] set : ObjectCliques.covering(problem, Arrays.copyOf(others, count))) {
      Literal[] members = new Literal[set.length + 1];
      for (int k = 0; k < set.length; k++) {
        members[k] = within[j][set[k]];
        bound[set[k]] = true;
      }
      members[set.length] = represents[j].not();
      model.addAtMostOne(members);
    }
    for (int k = 0; k < count; k++) {
      if (!bound[others[k]]) {
        model.addImplication(within[j][others[k]], represents[j]);
      }
    }
  }

  private void hint(int[] objectOf) {
    if (objectOf == null) {
      return;
    }
    int[] first = new int[objectOf.length];
    Arrays.fill(first, -1);
    for (int i = 0; i < objectOf.length; i++) {
      if (first[objectOf[i]] < 0) {
        first[objectOf[i]] = i;
      }
      model.addHint(represents[i], first[objectOf[i]] == i ? 1 : 0);
      for (int j = 0; j < i; j++) {
        if (within[j][i] != null) {
          model.addHint(within[j][i], first[objectOf[i]] == j ? 1 : 0);
        }
      }
    }
  }

  private int[] objects(CpSolver solver) {
    int[] objectOf = new int[problem.count()];
    for (int i = 0; i < objectOf.length; i++) {
      objectOf[i] = i;
      for (int j = 0; j < i; j++) {
        if (within[j][i] != null && solver.booleanValue(within[j][i])) {
          objectOf[i] = j;
        }
      }
    }
    return objectOf;
  }
}

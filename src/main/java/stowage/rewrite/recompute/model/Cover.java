package stowage.rewrite.recompute.model;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A lifted cover inequality of a row of bytes of {@link ClosureRows}: of the values that it lists,
 * those held at the mark count no more than so much together. It holds for every choice of 0 and 1
 * that satisfies the row, since values that count more do not fit next to what is used there. The
 * linear programme, which may hold parts of values, violates it (E. Balas, Facets of the knapsack
 * polytope, 1975, doi:10.1007/BF01580440).
 *
 * @param row which row of bytes, from 0 on in the order of the marks, gatherings included
 * @param variables some of that row, each once
 * @param counts what each one's value counts while it is held, 1 or more
 * @param most what those held count together at most
 */
public record Cover(int row, int[] variables, int[] counts, int most) {

  /**
   * The inequality in the variables of the row, which it is checked against: a table has the fewest
   * bytes of values that count so much or more. O(variables * (terms + most)).
   *
   * @param least what the row of bytes asks for
   * @param listed its variables, of which the first {@code terms} count
   * @param weights bytes of values that may be absent, or less than 0 those of values that may be
   *     there
   * @throws IllegalArgumentException when the inequality does not follow from the row
   */
  public ClosureRows.Row of(long least, int[] listed, long[] weights, int terms) {
    if (most < 0 || most >= terms || counts.length != variables.length) {
      throw new IllegalArgumentException("a cover of " + variables.length + " values");
    }
    long room = -least;
    for (int k = 0; k < terms; k++) {
      room = Math.addExact(room, Math.max(0, weights[k]));
    }
    long[] fewest = new long[most + 2];
    Arrays.fill(fewest, 1, fewest.length, Long.MAX_VALUE);
    long asked = -most;
    long[] signed = new long[variables.length];
    boolean[] used = new boolean[terms];
    for (int n = 0; n < variables.length; n++) {
      int k = 0;
      while (k < terms && listed[k] != variables[n]) {
        k++;
      }
      if (k == terms || used[k] || counts[n] < 1) {
        throw new IllegalArgumentException("variable " + variables[n] + " of a cover");
      }
      used[k] = true;
      boolean absent = weights[k] > 0;
      signed[n] = absent ? counts[n] : -counts[n];
      asked += absent ? counts[n] : 0;
      for (int count = most + 1; count > 0; count--) {
        long rest = fewest[Math.max(0, count - counts[n])];
        long with = rest == Long.MAX_VALUE ? rest : Math.addExact(rest, Math.abs(weights[k]));
        fewest[count] = Math.min(fewest[count], with);
      }
    }
    if (fewest[most + 1] <= room) {
      throw new IllegalArgumentException("values that count more than " + most + " fit");
    }
    return new ClosureRows.Row(asked, variables, signed);
  }

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("row", row);
    fields.put("variables", Arrays.stream(variables).boxed().toList());
    fields.put("counts", Arrays.stream(counts).boxed().toList());
    fields.put("most", most);
    return fields;
  }

  /** The inequalities of some covers of the rows for these marks and splits. */
  static List<ClosureRows.Row> rows(
      RecomputeProblem problem, long limit, int[] marks, int[] splits, List<Cover> covers) {
    ClosureRows.Row[] found = new ClosureRows.Row[covers.size()];
    ClosureRows.Sink rows =
        new ClosureRows.Sink() {
          private int seen;

          @Override
          public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
            for (int k = 0; ofBytes && k < found.length; k++) {
              if (covers.get(k).row == seen) {
                found[k] = covers.get(k).of(least, listed, weights, terms);
              }
            }
            seen += ofBytes ? 1 : 0;
          }
        };
    ClosureRows.visit(problem, limit, marks, splits, rows);
    if (Arrays.asList(found).contains(null)) {
      throw new IllegalArgumentException("a cover of no row");
    }
    return List.of(found);
  }
}

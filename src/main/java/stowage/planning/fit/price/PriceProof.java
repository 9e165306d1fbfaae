package stowage.planning.fit.price;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A proof that no set of runs within a peak adds less compute: paths of ops, and for each op what
 * the path up to it costs at least.
 *
 * <p>What is reached at an op is no more than what is reached at an earlier one plus the least
 * price of the ops between, if these may be one part of the path; {@link PathBound} has the
 * theorem. {@link PriceCheck} works out the prices again and adds up what is reached at the last
 * ops.
 *
 * @param within the peak, in bytes
 * @param paths no two of which have an op in common
 */
public record PriceProof(long within, List<Path> paths) {

  /**
   * A path.
   *
   * @param ops names of ops, each of which reads what the one before makes
   * @param reached for each op the compute that the path up to it adds at least
   */
  public record Path(List<String> ops, List<Long> reached) {
    /** Copies the lists. */
    public Path {
      ops = List.copyOf(ops);
      reached = List.copyOf(reached);
      if (ops.size() != reached.size()) {
        throw new IllegalArgumentException(
            reached.size() + " sums of " + ops.size() + " ops of a path");
      }
    }
  }

  /** Copies the paths. */
  public PriceProof {
    paths = List.copyOf(paths);
  }

  /** The fields of an answer: for each path its ops, each with what is reached there. */
  public Map<String, Object> fields() {
    List<List<Map<String, Object>>> rows = new ArrayList<>();
    for (Path path : paths) {
      List<Map<String, Object>> row = new ArrayList<>();
      for (int k = 0; k < path.ops.size(); k++) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("op", path.ops.get(k));
        one.put("reached", path.reached.get(k));
        row.add(one);
      }
      rows.add(row);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", "paths");
    fields.put("within", within);
    fields.put("paths", rows);
    return fields;
  }
}

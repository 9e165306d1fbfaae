package stowage.rewrite.recompute.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A proof by sets of values that no sequence within a limit whose first computations keep the order
 * costs less extra than so much. A set says: what follows the point at which these values are
 * required, so many first computations being done, costs {@code spent} extra, or more where more is
 * required; then what comes before it costs {@code least - spent} at least.
 *
 * <p><b>Proof.</b> Follow a sequence from its end. What is required there is covered by a set with
 * nothing spent. Before an op, what it reads is required, and what it makes no longer is. Each set
 * is checked against each op that may be the one before it, within the limit: what is required then
 * has to be covered by a set that is a part of it and has no more spent, or by a closure of the
 * beginning ({@link PrefixEstimate}), or what is spent has to be {@code least} already. No set is
 * at the begin, so each sequence comes to one of the other two. An op that makes none of a set's
 * values leaves it covered by the same set. ∎
 *
 * @param below sequences that cost so much more or above are left aside; {@link Long#MAX_VALUE} for
 *     none
 * @param least what is proven
 * @param beginnings closures of the first so many ops
 * @param sets in any order
 */
public record RequiredCertificate(
    long below, long least, List<Beginning> beginnings, List<Needed> sets)
    implements ExtraCertificate {

  /**
   * A closure of the first so many ops.
   *
   * @param kept values that have to be there after them
   */
  public record Beginning(int done, int[] kept, ClosureCertificate closure) {}

  /** Values required once so many first computations are done, and what has been spent after. */
  public record Needed(int done, int[] values, long spent) {
    private Map<String, Object> fields() {
      List<Integer> listed = Arrays.stream(values).boxed().toList();
      return new TreeMap<>(Map.of("done", done, "values", listed, "spent", spent));
    }
  }

  /** The least where every set is as it should be; else 0. O(sets^2 * ops) at worst. */
  @Override
  public long bound(RecomputeProblem given, long limit) {
    return new Check(given.below(below), limit).holds() ? Math.min(least, below) : 0;
  }

  @Override
  public Map<String, Object> fields(RecomputeProblem problem, List<String> ops) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("orders", "given");
    fields.put("below", below);
    fields.put("least", least);
    List<Map<String, Object>> closures = new ArrayList<>();
    for (Beginning one : beginnings) {
      Map<String, Object> closure = new LinkedHashMap<>();
      closure.put("done", one.done);
      closure.put("kept", Arrays.stream(one.kept).boxed().toList());
      closure.putAll(one.closure.fields(problem, ops));
      closures.add(closure);
    }
    fields.put("beginnings", closures);
    fields.put("sets", sets.stream().map(Needed::fields).toList());
    return fields;
  }

  private final class Check {
    private final RecomputeProblem problem;
    private final long limit;
    private final List<PrefixEstimate> estimates = new ArrayList<>();
    private final List<List<long[]>> required = new ArrayList<>();
    private final List<List<Long>> spent = new ArrayList<>();
    private final int words;

    Check(RecomputeProblem problem, long limit) {
      this.problem = problem;
      this.limit = limit;
      this.words = (problem.values + 63) / 64;
      for (Beginning one : beginnings) {
        if (one.closure.below() < below) {
          throw new IllegalArgumentException("a closure leaves more aside");
        }
        RecomputeProblem beginning = problem.beginning(one.done, one.kept);
        one.closure.bound(beginning, limit); // refuses what has not the form of a proof
        estimates.add(new PrefixEstimate(beginning, limit, one.closure));
      }
      for (int done = 0; done <= problem.ops; done++) {
        required.add(new ArrayList<>());
        spent.add(new ArrayList<>());
      }
      for (Needed one : sets) {
        if (one.done < 0 || one.done > problem.ops) {
          throw new IllegalArgumentException("a set after " + one.done + " ops");
        }
        required.get(one.done).add(bits(one.values));
        spent.get(one.done).add(one.spent);
      }
    }

    private long[] bits(int[] values) {
      long[] bits = new long[words];
      for (int i : values) {
        if (i < 0 || i >= problem.values) {
          throw new IllegalArgumentException("value " + i);
        }
        bits[i >> 6] |= problem.bytes[i] > 0 ? 1L << i : 0;
      }
      return bits;
    }

    boolean holds() {
      int[] end = IntStream.range(0, problem.values).filter(i -> problem.kept[i]).toArray();
      boolean holds = required.get(0).isEmpty() && isCovered(problem.ops, bits(end), 0);
      for (int done = 1; done <= problem.ops && holds; done++) {
        for (int k = 0; k < required.get(done).size() && holds; k++) {
          long[] values = required.get(done).get(k);
          long cost = spent.get(done).get(k);
          holds = cost >= 0 && follows(values, done - 1, done - 1, cost);
          for (int op = 0; op < done && holds; op++) {
            boolean may = problem.until[op] > op && problem.until[op] >= done;
            holds = !may || follows(values, op, done, cost + problem.cost[op]);
          }
        }
      }
      return holds;
    }

    /** Whether what is required before an op is covered, or the op cannot be the one before. */
    private boolean follows(long[] values, int op, int done, long cost) {
      long[] made = bits(problem.writes[op]);
      long[] read = bits(problem.reads[op]);
      long[] first = op == 0 && done == 0 ? inputs() : new long[words];
      long[] before = new long[words];
      boolean makes = done == op;
      long bytes = problem.scratch[op];
      for (int i = 0; i < problem.values; i++) {
        int w = i >> 6;
        makes |= (values[w] & made[w]) != 0;
        before[w] = values[w] & ~made[w] | read[w];
        if (((values[w] | made[w] | read[w] | first[w]) >>> i & 1) != 0) {
          bytes += problem.bytes[i];
        }
      }
      return !makes || bytes > limit || isCovered(done, before, cost);
    }

    private long[] inputs() {
      return bits(IntStream.range(0, problem.values).filter(i -> problem.maker[i] < 0).toArray());
    }

    private boolean isCovered(int done, long[] values, long cost) {
      if (cost >= least) {
        return true;
      }
      for (int k = 0; k < estimates.size() && done > 0; k++) {
        boolean early = done <= beginnings.get(k).done;
        if (early && estimates.get(k).cost(done, values) >= least - cost) {
          return true;
        }
      }
      for (int k = 0; k < required.get(done).size(); k++) {
        if (spent.get(done).get(k) <= cost && isPart(required.get(done).get(k), values)) {
          return true;
        }
      }
      return false;
    }

    private boolean isPart(long[] some, long[] all) {
      for (int w = 0; w < words; w++) {
        if ((some[w] & ~all[w]) != 0) {
          return false;
        }
      }
      return true;
    }
  }
}

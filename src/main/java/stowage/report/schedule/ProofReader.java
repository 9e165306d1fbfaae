package stowage.report.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import stowage.schedule.NetworkOrders;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OrderProof;
import stowage.schedule.model.OrderProblem;

/** Reader of the proofs of {@code schedule}, from names of ops and buffers to their numbers. */
final class ProofReader {
  private final OrderProblem problem;
  private final Map<String, Integer> ops;
  private final Map<String, Integer> buffers;

  /** Whether all that was read so far names ops and buffers of the problem. */
  private boolean known = true;

  ProofReader(NetworkOrders orders) {
    this.problem = orders.problem();
    this.ops = numbers(problem.ops(), op -> NamedCut.opName(orders, op));
    this.buffers = numbers(problem.buffers(), b -> NamedCut.bufferName(orders, b));
  }

  private static Map<String, Integer> numbers(int count, IntFunction<String> name) {
    Map<String, Integer> numbers = new HashMap<>();
    for (int k = 0; k < count; k++) {
      numbers.put(name.apply(k), k);
    }
    return numbers;
  }

  /** Whether no two buffers have the same name, so that a proof says which it is of. */
  boolean isExact() {
    return buffers.size() == problem.buffers();
  }

  /** The cut of one op; null where it names what is not there. */
  OpCut cut(JsonNode proof, long bound) {
    known = true;
    List<OpCut.Chain> chains = chains(proof);
    int[] downset = all(proof.path("downset"), ops);
    int op = proof.path("op").isNull() ? -1 : op(proof, "op");
    BitSet run = new BitSet();
    for (int next : IntStream.concat(IntStream.of(downset), IntStream.of(op)).toArray()) {
      if (known && next >= 0) {
        known = !run.get(next) && IntStream.of(problem.before(next)).allMatch(run::get);
        run.set(next);
      }
    }
    return known ? new OpCut(op, List.of(new OpCut.Case(-1, -1, chains)), bound, downset) : null;
  }

  /** A proof by precedences and a walk; null where it names what is not there. */
  OrderProof proof(JsonNode proof) {
    known = true;
    List<OrderProof.Forced> precedences = new ArrayList<>();
    for (JsonNode row : proof.path("precedences")) {
      int op = op(row, "op");
      int second = op(row, "second");
      boolean otherRan = op != second;
      precedences.add(
          new OrderProof.Forced(op, otherRan ? second : op(row, "first"), otherRan, chains(row)));
    }
    JsonNode none = proof.path("impossible");
    OrderProof.Forced impossible =
        none.isObject() ? new OrderProof.Forced(op(none, "op"), -1, false, chains(none)) : null;
    boolean reversed = proof.path("reversed").asBoolean();
    List<OrderProof.Stretch> stretches = new ArrayList<>();
    for (JsonNode row : proof.path("stretches")) {
      int[] next =
          IntStream.of(all(row.path("ops"), ops))
              .map(op -> reversed ? problem.ops() - 1 - op : op)
              .toArray();
      stretches.add(new OrderProof.Stretch(next, row.has("chains") ? chains(row) : null));
    }
    long target = proof.path("target").asLong(-1);
    return known ? new OrderProof(target, precedences, impossible, reversed, stretches) : null;
  }

  private List<OpCut.Chain> chains(JsonNode from) {
    List<OpCut.Chain> chains = new ArrayList<>();
    for (JsonNode chain : from.path("chains")) {
      int[] links = all(chain.path("buffers"), buffers);
      known &= links.length > 0;
      chains.add(new OpCut.Chain(chain.path("bytes").asLong(-1), links));
    }
    return chains;
  }

  private int op(JsonNode from, String field) {
    int op = ops.getOrDefault(from.path(field).asText(), -1);
    known &= op >= 0;
    return op;
  }

  private int[] all(JsonNode names, Map<String, Integer> numbers) {
    int[] all =
        StreamSupport.stream(names.spliterator(), false)
            .mapToInt(name -> numbers.getOrDefault(name.asText(), -1))
            .toArray();
    known &= IntStream.of(all).noneMatch(number -> number < 0);
    return all;
  }
}

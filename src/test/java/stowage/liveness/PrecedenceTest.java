package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.Refusals;
import stowage.liveness.LivenessOptions.Order;
import stowage.network.Graphs;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;

class PrecedenceTest {
  /** A network from texts like {@code "d b c"}: op d reads what b and c make. */
  static Network network(String... ops) {
    Graphs graph = Graphs.of(ops[0].replaceFirst(" |$", ":4 = Op "));
    Stream.of(ops).skip(1).forEach(op -> graph.and(op.replaceFirst(" |$", ":4 = Op ")));
    return graph.network();
  }

  /** Pairs of ops, by name, that may run side by side. */
  private static String besides(Network network, LivenessOptions options) {
    Precedence precedence = Precedence.of(network, network.executionOrder(), options);
    TreeSet<String> pairs = new TreeSet<>();
    for (int i = 0; i < precedence.steps(); i++) {
      for (int j = i + 1; j < precedence.steps(); j++) {
        if (!precedence.precedes(i, j)) {
          pairs.add(network.ops().get(i).name() + network.ops().get(j).name());
        }
      }
    }
    return String.join(" ", pairs);
  }

  /**
   * Ops as {@link #network} takes them, the order in which they run, and who may run beside whom.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a, b, c | IN_ORDER | ''",
        // All that no data connects.
        "a, b, c | OUT_OF_ORDER | ab ac bc",
        "a, b a, c a, d c, e b d | OUT_OF_ORDER | bc bd",
        // Branches between two passes.
        "a, b a, c a, d c, e b d | BRANCHES | bc bd",
        // A branch runs in order though it forks. Queries q, keys k and values v: p = q k, c = p v.
        // The keys wait for the queries.
        "x, q x, k x, v x, p q k, c p v | OUT_OF_ORDER | kv qk qv vp",
        "x, q x, k x, v x, p q k, c p v | BRANCHES | kv qv vp",
        // What skips a pass does not join branches of different stretches: b skips the pass d and
        // is read again in e; c and b are branches, e and f are.
        "a, b a, c a, d b c, e d b, f d, g e f | BRANCHES | bc ef"
      })
  void opsRunBesideOthersAsTheOrderSays(String ops, Order order, String pairs) {
    LivenessOptions options = LivenessOptions.defaults().withOrder(order);
    assertEquals(pairs, besides(network(ops.split(", ")), options));
  }

  @Test
  void opsOfAStreamRunInOrder() {
    Network net = network("a", "b", "c", "d a");
    LivenessOptions options =
        LivenessOptions.defaults().withStreams(Map.of("a", "1", "b", "1", "c", "2", "d", "2"));
    assertEquals("ac bc bd", besides(net, options));
  }

  @Test
  void everyOpNeedsAStreamAndEveryStreamsOpMustExist() {
    Network net = network("a", "b");
    refused(net, Map.of("a", "1"), "op \"b\" has no stream");
    refused(net, Map.of("a", "1", "b", "1", "c", "1"), "op \"c\" is on a stream");
  }

  private static void refused(Network net, Map<String, String> streams, String part) {
    LivenessOptions options = LivenessOptions.defaults().withStreams(streams);
    Refusals.says(
        InvalidNetworkException.class,
        () -> Precedence.of(net, net.executionOrder(), options),
        part);
  }
}

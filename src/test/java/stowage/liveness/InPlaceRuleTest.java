package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;

/** What ggml, XNNPACK and ONNX Simplifier do in place, against their rules followed op by op. */
class InPlaceRuleTest {
  private static final List<String> SHAPES = List.of("2x3", "6", "3x2", "4");

  private static final List<String> TYPES =
      List.of("Relu", "Add", "Mul", "Softmax", "Reshape", "MatMul", "Sub", "Identity", "Reshape");

  /** Ops that reshape, others that keep a shape, and some that do neither. */
  private static Network network(long seed) {
    Random random = new Random(seed);
    Graphs graph = Graphs.of("format test");
    List<String> shapes = new ArrayList<>(); // of t0, t1, ...
    for (int k = 0; k < 1 + random.nextInt(2); k++) {
      shapes.add(SHAPES.get(random.nextInt(3)));
      graph.and("t" + k + ":" + shapes.get(k));
    }
    int inputs = shapes.size();
    for (int k = 0; k < 2 + random.nextInt(9); k++) {
      String type = TYPES.get(random.nextInt(TYPES.size()));
      boolean two = type.equals("Add") || type.equals("Mul") || type.equals("Sub");
      int[] read = new int[two ? 2 : 1];
      for (int i = 0; i < read.length; i++) {
        read[i] = shapes.size() - 1 - random.nextInt(Math.min(shapes.size(), 4));
      }
      boolean same = !type.equals("Reshape") && random.nextInt(8) > 0;
      String shape = same ? shapes.get(read[0]) : SHAPES.get(random.nextInt(SHAPES.size()));
      String operands = " t" + read[0] + (two ? " t" + read[1] : "");
      graph.and("t" + shapes.size() + ":" + shape + " = " + type + operands);
      shapes.add(shape);
    }
    int last = shapes.size() - 1;
    List<String> outputs = new ArrayList<>(List.of("t" + last));
    for (int t = 0; t <= last; t++) {
      if (random.nextInt(9) == 0 && t >= inputs && t < last) {
        outputs.add("t" + t);
      }
    }
    return graph.and("-> " + String.join(" ", outputs)).network();
  }

  private static Set<Set<String>> planned(Network network, LivenessOptions.InPlace inPlace) {
    LivenessOptions options = LivenessOptions.defaults().withAlignments(1, 1).withInPlace(inPlace);
    Set<Set<String>> groups = new HashSet<>();
    for (PlanningCase.BufferContents contents : Liveness.of(network, options).contents()) {
      Set<String> group = new TreeSet<>();
      contents.parts().forEach(part -> group.add(part.tensor()));
      groups.add(group);
    }
    return groups;
  }

  private static Set<Set<String>> groups(Map<String, String> root) {
    Map<String, Set<String>> groups = new HashMap<>();
    root.keySet().forEach(t -> groups.computeIfAbsent(find(root, t), r -> new TreeSet<>()).add(t));
    return new HashSet<>(groups.values());
  }

  private static String find(Map<String, String> root, String tensor) {
    return root.get(tensor).equals(tensor) ? tensor : find(root, root.get(tensor));
  }

  private static Map<String, String> apart(Network network) {
    Map<String, String> root = new LinkedHashMap<>();
    network.tensors().keySet().forEach(name -> root.put(name, name));
    return root;
  }

  private static long reads(Network network, String tensor) {
    return network.ops().stream()
        .flatMap(op -> op.inputs().stream())
        .filter(tensor::equals)
        .count();
  }

  private static boolean internal(Network network, String tensor) {
    return !network.inputs().contains(tensor) && !network.outputs().contains(tensor);
  }

  private static boolean sameBytes(Network network, String a, String b) {
    return network.tensor(a).bytes() == network.tensor(b).bytes();
  }

  private static Map<String, String> onnxsim(Network network) {
    Map<String, String> root = apart(network);
    for (boolean binary : new boolean[] {false, true}) {
      for (Op op : network.ops()) {
        boolean unary = Set.of("Relu", "Identity", "Reshape").contains(op.type());
        boolean two = Set.of("Add", "Mul", "Sub").contains(op.type());
        for (String input :
            binary
                ? two ? op.inputs() : List.<String>of()
                : unary ? op.inputs() : List.<String>of()) {
          String out = op.outputs().get(0);
          if (internal(network, input)
              && reads(network, input) == 1
              && sameBytes(network, input, out)) {
            root.put(find(root, input), find(root, out));
            break;
          }
        }
      }
    }
    return root;
  }

  private static Map<String, String> xnnpack(Network network) {
    Map<String, String> root = apart(network);
    for (Op op : network.ops()) {
      String out = op.outputs().get(0);
      if (op.type().equals("MatMul") || op.type().equals("Identity")) {
        continue;
      }
      for (String input : op.inputs()) {
        if (internal(network, input)
            && internal(network, out)
            && reads(network, input) == 1
            && sameBytes(network, input, out)) {
          if (reads(network, out) == 1) {
            root.put(out, find(root, input));
          }
          break;
        }
      }
    }
    return root;
  }

  /** The walk of ggml's graph allocator, with its counts of children and views. */
  private static Map<String, String> ggml(Network network) {
    Map<String, String> root = apart(network);
    Map<String, String> viewOf = new HashMap<>();
    Map<String, Integer> children = new HashMap<>();
    Map<String, Integer> views = new HashMap<>();
    for (Op op : network.ops()) {
      op.inputs().forEach(input -> children.merge(input, 1, Integer::sum));
      String input = op.inputs().get(0);
      String out = op.outputs().get(0);
      boolean view = op.type().equals("Reshape") || op.type().equals("Identity");
      if (view && sameBytes(network, input, out)) {
        viewOf.put(out, viewOf.getOrDefault(input, input));
        // A view that nothing reads is in no graph of ggml's, unless it is wanted.
        boolean wanted = reads(network, out) > 0 || network.outputs().contains(out);
        views.merge(viewOf.get(out), wanted ? 1 : 0, Integer::sum);
      }
    }
    Set<String> taken = new HashSet<>();
    for (Op op : network.ops()) {
      String out = op.outputs().get(0);
      boolean listed = Set.of("Relu", "Add", "Mul", "Sub", "Softmax").contains(op.type());
      if (viewOf.containsKey(out)) {
        root.put(out, find(root, viewOf.get(out)));
      }
      for (String input : listed ? op.inputs() : List.<String>of()) {
        if (!viewOf.containsKey(input)
            && !taken.contains(input)
            && !network.outputs().contains(input)
            && network.tensor(input).shape().equals(network.tensor(out).shape())
            && children.get(input) == 1
            && views.getOrDefault(input, 0) == 0) {
          root.put(out, find(root, input));
          taken.add(input);
          break;
        }
      }
      for (String input : op.inputs()) {
        if (children.merge(input, -1, Integer::sum) == 0
            && viewOf.containsKey(input)
            && !network.outputs().contains(input)) {
          views.merge(viewOf.get(input), -1, Integer::sum);
        }
      }
    }
    return root;
  }

  private static void agree(
      LivenessOptions.InPlace inPlace, Function<Network, Map<String, String>> rule) {
    int shared = 0;
    for (long seed = 0; seed < 4000; seed++) {
      Network network = network(seed);
      Set<Set<String>> wanted = groups(rule.apply(network));
      assertEquals(
          wanted, planned(network, inPlace), inPlace + ", seed " + seed + " " + network.ops());
      shared += wanted.stream().anyMatch(group -> group.size() > 2) ? 1 : 0;
    }
    assertTrue(shared > 40, inPlace + " shares in " + shared);
  }

  @Test
  void whatSharesIsWhatTheRulesSay() {
    agree(LivenessOptions.InPlace.ONNXSIM, InPlaceRuleTest::onnxsim);
    agree(LivenessOptions.InPlace.XNNPACK, InPlaceRuleTest::xnnpack);
    agree(LivenessOptions.InPlace.GGML, InPlaceRuleTest::ggml);
  }

  /** Small graphs that ggml's own allocator was run on; x is read by nothing else. */
  @ParameterizedTest
  @CsvSource({
    "x Scale a, x, , a x",
    "x Scale a, x, x, a | x",
    "x Sqr a; x a Add b, x, , a | b x",
    "x Sqr a; a x Add b, x, , b a | x",
    "x Sqr a; a Reshape v; v Scale b, x, , a v x | b",
    "x Sqr a; a a Add b, x, , a x | b",
    "x Concat a; a Sqr b; b Sum c, x, , a b | c | x"
  })
  void ggmlsOwnGraphs(String text, String inputs, String kept, String buffers) {
    String ops = text.replaceAll("(\\w[ \\w]*) (\\w+) (\\w)(?=;|$)", "$3:256 = $2 $1");
    String outputs = " " + text.charAt(text.length() - 1) + (kept == null ? "" : " " + kept);
    Network network = Graphs.of(inputs + ":256; " + ops + "; ->" + outputs).network();
    Set<Set<String>> wanted = new HashSet<>();
    for (String group : buffers.split(" \\| ")) {
      wanted.add(new TreeSet<>(List.of(group.split(" "))));
    }
    assertEquals(wanted, planned(network, LivenessOptions.InPlace.GGML));
  }
}

package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.WorkedCases;

/**
 * The three passes on small graphs, worked by hand. A node is written as its name and those of its
 * inputs; {@code ~} marks one that is optimised out, {@code !} one that makes a graph output. Sets
 * are written {@code name{members}}, after the first pass, the second and the third. Beside them is
 * what each step of the pass adds: {@code b:a-b,b>x} says that the step for b puts a and b into
 * each other's set, and x into b's; steps that add nothing are left out, and those of the third
 * pass say which of its two rules they follow; so are passes that add nothing.
 */
class RestrictionSetsTest {
  private static List<RestrictionSets.Node> nodes(List<String> written) {
    List<RestrictionSets.Node> nodes = new ArrayList<>();
    Map<String, Integer> number = new HashMap<>();
    for (String one : written) {
      List<String> words = new ArrayList<>(List.of(one.split(" ")));
      boolean output = words.remove("!");
      boolean optimized = words.remove("~");
      number.put(words.get(0), nodes.size());
      List<Integer> inputs = words.subList(1, words.size()).stream().map(number::get).toList();
      nodes.add(new RestrictionSets.Node(words.get(0), inputs, optimized, output));
    }
    return nodes;
  }

  private static String text(RestrictionSets sets) {
    StringBuilder text = new StringBuilder();
    for (int n = 0; n < sets.nodes().size(); n++) {
      text.append(n == 0 ? "" : " ").append(sets.nodes().get(n).name()).append('{');
      sets.of(n).stream().forEach(m -> text.append(sets.nodes().get(m).name()));
      text.append('}');
    }
    return text.toString();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void workedByHand(String name, List<String> lines) {
    List<RestrictionSets.Node> graph = nodes(List.of(lines.get(0).split("; ")));
    Traced traced = new Traced(new RestrictionSets(graph));
    RestrictionSets sets = traced.sets;
    Map<String, String> passes = new HashMap<>();
    lines.stream().skip(1).map(line -> line.split(" ", 2)).forEach(l -> passes.put(l[0], l[1]));
    traced.steps("", 0, sets::addBasic);
    String found = traced.after("basic", passes, "");
    traced.steps("", 0, sets::addSkippedBranch);
    found = traced.after("skipped", passes, found);
    BitSet[] leadsTo = sets.closure();
    traced.steps("(i)", 0, node -> sets.addUsersOfLaterInputs(node, leadsTo));
    int first = RestrictionSets.FIRST_LOOKED_AT;
    traced.steps("(ii)", first, node -> sets.addIndependent(node, leadsTo, sets.before()));
    found = traced.after("independent", passes, found);
    assertEquals(found, text(RestrictionSets.of(graph, GpuDevice.Passes.ALL)));
  }

  /** Two nodes keep apart by rule (ii) as it is written, asked of each pair. */
  @Test
  void independentNodesAreThoseOfEachPair() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      List<RestrictionSets.Node> graph = new ArrayList<>();
      int nodes = 2 + random.nextInt(14);
      for (int n = 0; n < nodes; n++) {
        List<Integer> inputs =
            n == 0 ? List.of() : random.ints(random.nextInt(3), 0, n).boxed().toList();
        graph.add(new RestrictionSets.Node("n" + n, inputs, false, false));
      }
      RestrictionSets sets = new RestrictionSets(graph);
      BitSet[] leadsTo = sets.closure();
      for (int a = 0; a < graph.size(); a++) {
        sets.addIndependent(a, leadsTo, sets.before());
      }
      for (int one = 0; one < graph.size(); one++) {
        for (int other = one + 1; other < graph.size(); other++) {
          int a = one;
          int b = other;
          boolean apart =
              !leadsTo[a].get(b)
                  || IntStream.range(0, graph.size())
                      .filter(user -> user != b && graph.get(user).inputs().contains(a))
                      .anyMatch(user -> !leadsTo[user].get(b) && !leadsTo[b].get(user));
          assertEquals(apart, sets.restricts(a, b), "seed " + seed + ": " + a + " and " + b);
          assertEquals(apart, sets.restricts(b, a), "seed " + seed + ": " + b + " and " + a);
        }
      }
    }
  }

  static Stream<Arguments> workedByHand() throws IOException {
    return WorkedCases.of("compiler/restriction-sets.txt");
  }

  /** Writes down what each step adds. */
  private static final class Traced {
    private final RestrictionSets sets;
    private final List<String> steps = new ArrayList<>();

    Traced(RestrictionSets sets) {
      this.sets = sets;
    }

    void steps(String rule, int first, IntConsumer action) {
      for (int node = first; node < sets.nodes().size(); node++) {
        step(rule, node, action);
      }
    }

    private void step(String rule, int node, IntConsumer action) {
      int count = sets.nodes().size();
      boolean[][] before = new boolean[count][count];
      for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
          before[a][b] = sets.restricts(a, b);
        }
      }
      action.accept(node);
      List<String> added = new ArrayList<>();
      for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
          boolean there = sets.restricts(a, b) && !before[a][b];
          boolean back = sets.restricts(b, a) && !before[b][a];
          if (there || back) {
            added.add(there && back ? name(a, "-", b) : there ? name(a, ">", b) : name(b, ">", a));
          }
        }
      }
      if (!added.isEmpty()) {
        steps.add(sets.nodes().get(node).name() + rule + ":" + String.join(",", added));
      }
    }

    private String name(int one, String sign, int other) {
      return sets.nodes().get(one).name() + sign + sets.nodes().get(other).name();
    }

    /** Holds what a pass added and what the sets are then; they stay where nothing is said. */
    String after(String pass, Map<String, String> worked, String before) {
      String expected = worked.getOrDefault(pass, before + " |");
      String found = text(sets);
      assertEquals(expected.strip(), (found + " | " + String.join(" ", steps)).strip(), pass);
      steps.clear();
      return found;
    }
  }

  @Test
  void theTextIsThatOfTheOriginal() {
    assertEquals(
        List.of(
            "primitive: x(unique_id:0) restricted list: 0,1,",
            "primitive: a(unique_id:1) restricted list: 0,1,"),
        RestrictionSets.of(nodes(List.of("x", "a x !")), GpuDevice.Passes.ALL).text());
  }
}

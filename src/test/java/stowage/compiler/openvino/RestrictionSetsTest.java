package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The three passes on small graphs, worked by hand. A node is written as its name and those of its
 * inputs; {@code ~} marks one that is optimised out, {@code !} one that makes a graph output. Sets
 * are written {@code name{members}}, after the first pass, the second and the third. Beside them is
 * what each step of the pass adds: {@code b:a-b,b>x} says that the step for b puts a and b into
 * each other's set, and x into b's; steps that add nothing are left out, and those of the third
 * pass say which of its two rules they follow.
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

  private static void check(
      List<String> graph,
      String basic,
      String basicSteps,
      String skipped,
      String skippedSteps,
      String outOfOrder,
      String outOfOrderSteps) {
    Traced traced = new Traced(new RestrictionSets(nodes(graph)));
    RestrictionSets sets = traced.sets;
    for (int n = 0; n < graph.size(); n++) {
      int node = n;
      traced.step("", n, () -> sets.addBasic(node));
    }
    assertEquals(basicSteps, traced.take());
    assertEquals(basic, text(sets));
    for (int n = 0; n < graph.size(); n++) {
      int node = n;
      traced.step("", n, () -> sets.addSkippedBranch(node));
    }
    assertEquals(skippedSteps, traced.take());
    assertEquals(skipped, text(sets));
    BitSet[] leadsTo = sets.closure();
    for (int n = 0; n < graph.size(); n++) {
      int node = n;
      traced.step("(i)", n, () -> sets.addUsersOfLaterInputs(node, leadsTo));
    }
    for (int n = RestrictionSets.FIRST_LOOKED_AT; n < graph.size(); n++) {
      int node = n;
      traced.step("(ii)", n, () -> sets.addIndependent(node, leadsTo));
    }
    assertEquals(outOfOrderSteps, traced.take());
    assertEquals(outOfOrder, text(sets));
    assertEquals(outOfOrder, text(RestrictionSets.of(nodes(graph))));
  }

  /** Writes down what each step adds. */
  private static final class Traced {
    private final RestrictionSets sets;
    private final List<String> steps = new ArrayList<>();

    Traced(RestrictionSets sets) {
      this.sets = sets;
    }

    void step(String rule, int node, Runnable action) {
      int count = sets.nodes().size();
      boolean[][] before = new boolean[count][count];
      for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
          before[a][b] = sets.restricts(a, b);
        }
      }
      action.run();
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

    String take() {
      String all = String.join(" ", steps);
      steps.clear();
      return all;
    }
  }

  @Test
  void aChainRestrictsNeighboursAlone() {
    check(
        List.of("x", "a x", "b a", "c b !"),
        // a-x, b-a, c-b; no output before c.
        "x{a} a{xb} b{ac} c{b}",
        "a:x-a b:a-b c:b-c",
        // Each last user is the next node: nothing is between.
        "x{a} a{xb} b{ac} c{b}",
        "",
        // Every node leads to every later one and has a single user.
        "x{a} a{xb} b{ac} c{b}",
        "");
  }

  @Test
  void aDiamondKeepsItsBranchesApart() {
    check(
        List.of("x", "a x", "l a", "r a", "s l r !"),
        "x{a} a{xlr} l{as} r{as} s{lr}",
        "a:x-a l:a-l r:a-r s:l-s,r-s",
        // a waits for r, l between: known. l waits for s, r between: l-r.
        "x{a} a{xlr} l{ars} r{als} s{lr}",
        "l:l-r",
        // l does not lead to r: l-r, known.
        "x{a} a{xlr} l{ars} r{als} s{lr}",
        "");
  }

  @Test
  void aNodeInsideABranchIsKeptFromTheOtherBranch() {
    check(
        List.of("x", "a x", "l a", "m l", "r a", "s m r !"),
        "x{a} a{xlr} l{am} m{ls} r{as} s{mr}",
        "a:x-a l:a-l m:l-m r:a-r s:m-s,r-s",
        // a waits for r: a-m is new. m waits for s: m-r is new.
        "x{a} a{xlmr} l{am} m{alrs} r{ams} s{mr}",
        "a:a-m m:m-r",
        // l does not lead to r: l-r, although in order l is over before r starts.
        "x{a} a{xlmr} l{amr} m{alrs} r{alms} s{mr}",
        "l(ii):l-r");
  }

  @Test
  void aSkipConnectionIsKeptFromAllItSkips() {
    check(
        List.of("x", "a x", "b a", "c b", "d c a !"),
        "x{a} a{xbd} b{ac} c{bd} d{ac}",
        "a:x-a b:a-b c:b-c d:a-d,c-d",
        // a waits for d: c is between.
        "x{a} a{xbcd} b{ac} c{abd} d{ac}",
        "a:a-c",
        // d reads a and c, and a leads to c: c's only user is d, which a has already.
        "x{a} a{xbcd} b{ac} c{abd} d{ac}",
        "");
  }

  @Test
  void aReshapeInPlaceHandsRestrictionsUp() {
    check(
        List.of("x", "a x", "v a ~", "b v", "c b !"),
        // v-a; b-v is handed up from v to a: a-b. c-b.
        "x{a} a{xvb} v{ab} b{avc} c{b}",
        "a:x-a v:a-v b:a-b,v-b c:b-c",
        "x{a} a{xvb} v{ab} b{avc} c{b}",
        "",
        "x{a} a{xvb} v{ab} b{avc} c{b}",
        "");
  }

  @Test
  void outputsStandInTheSetsOfAllLaterNodesOneWay() {
    check(
        List.of("x", "a x !", "b a", "c b", "d c !"),
        // c and d have a, which was made before; a has neither.
        "x{a} a{xb} b{ac} c{abd} d{ac}",
        "a:x-a b:a-b c:c>a,b-c d:d>a,c-d",
        "x{a} a{xb} b{ac} c{abd} d{ac}",
        "",
        "x{a} a{xb} b{ac} c{abd} d{ac}",
        "");
  }

  @Test
  void aResultNobodyUsesIsKeptFromWhatMayRunBesideIt() {
    check(
        List.of("x", "a x", "u x", "b a !"),
        "x{au} a{xb} u{x} b{a}",
        "a:x-a u:x-u b:a-b",
        // a waits for b: u is between. u has no users and waits for no one.
        "x{au} a{xub} u{xa} b{a}",
        "a:a-u",
        // u does not lead to b: u-b.
        "x{au} a{xub} u{xab} b{au}",
        "u(ii):u-b");
  }

  @Test
  void readingATensorTwiceIsReadingItOnce() {
    check(
        List.of("x", "a x", "b a a", "c b !"),
        "x{a} a{xb} b{ac} c{b}",
        "a:x-a b:a-b c:b-c",
        "x{a} a{xb} b{ac} c{b}",
        "",
        "x{a} a{xb} b{ac} c{b}",
        "");
  }

  @Test
  void aConcatOfAConcatHandsUpThroughBoth() {
    check(
        List.of("x", "a x", "b x", "c a b ~", "d x", "e c d ~", "f e !"),
        // c-a is handed up to b: a-b. d-e goes up to c and on to a and b: d-c, d-a, d-b. e-c stays:
        // both are optimised out. f-e goes up to all: f-c, f-a, f-b, f-d.
        "x{abd} a{xbcdf} b{xacdf} c{abdef} d{xabcef} e{cdf} f{abcde}",
        "a:x-a b:x-b c:a-b,a-c,b-c d:x-d e:a-d,b-d,c-d,c-e,d-e f:a-f,b-f,c-f,d-f,e-f",
        // x waits for d: x-c is new.
        "x{abcd} a{xbcdf} b{xacdf} c{xabdef} d{xabcef} e{cdf} f{abcde}",
        "x:x-c",
        "x{abcd} a{xbcdf} b{xacdf} c{xabdef} d{xabcef} e{cdf} f{abcde}",
        "");
  }

  @Test
  void aNodeIsKeptFromWhatRunsBesideOneOfItsUsers() {
    check(
        List.of("x", "y", "a x", "u a", "b a", "c b !", "w u !"),
        // w comes after the output c: w-c, one way.
        "x{a} y{} a{xub} u{aw} b{ac} c{b} w{uc}",
        "a:x-a u:a-u b:a-b c:b-c w:u-w,w>c",
        // x waits for a: y is between. u waits for w: b and c are between.
        "x{ya} y{x} a{xub} u{abcw} b{auc} c{ub} w{uc}",
        "x:x-y u:u-b,u-c",
        // y leads nowhere: apart from all. a leads to c, but its user u may still run: a-c; in the
        // same way a-w for its user b. b-w and c-w do not lead to each other.
        "x{ya} y{xaubcw} a{xyubcw} u{yabcw} b{yaucw} c{yaubw} w{yaubc}",
        "y(ii):y-a,y-u,y-b,y-c,y-w a(ii):a-c,a-w b(ii):b-w c(ii):c>w");
  }

  @Test
  void anInputThatLeadsToAnotherInputIsKeptFromThatOnesUsers() {
    check(
        List.of("x", "a x", "b a", "c a b", "d b c !"),
        "x{a} a{xbc} b{acd} c{abd} d{bc}",
        "a:x-a b:a-b c:a-c,b-c d:b-d,c-d",
        "x{a} a{xbc} b{acd} c{abd} d{bc}",
        "",
        // c reads a and b, and a leads to b: b's users c and d are kept from a. So a-d.
        "x{a} a{xbcd} b{acd} c{abd} d{abc}",
        "c(i):a-d");
  }

  @Test
  void theFirstNodeIsPassedOverAsInTheOriginal() {
    check(
        List.of("x", "y", "a x", "b y", "c a b !"),
        "x{a} y{b} a{xc} b{yc} c{ab}",
        "a:x-a b:y-b c:a-c,b-c",
        // x waits for a: y is between. y waits for b: a is between. a waits for c: b is between.
        "x{ya} y{xab} a{xybc} b{yac} c{ab}",
        "x:x-y y:y-a a:a-b",
        // x does not lead to b, yet x-b is not added: the pass starts with y.
        "x{ya} y{xab} a{xybc} b{yac} c{ab}",
        "");
  }

  @Test
  void theTextIsThatOfTheOriginal() {
    assertEquals(
        List.of(
            "primitive: x(unique_id:0) restricted list: 0,1,",
            "primitive: a(unique_id:1) restricted list: 0,1,"),
        RestrictionSets.of(nodes(List.of("x", "a x !"))).text());
  }
}

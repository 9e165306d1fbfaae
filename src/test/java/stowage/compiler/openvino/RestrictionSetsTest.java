package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The three passes on small graphs, worked by hand. A node is written as its name and those of its
 * inputs; {@code ~} marks one that is optimised out, {@code !} one that makes a graph output. Sets
 * are written {@code name{members}}, after the first pass, the second and the third.
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

  private static void check(List<String> graph, String basic, String skipped, String outOfOrder) {
    RestrictionSets sets = RestrictionSets.none(nodes(graph));
    sets.addBasic();
    assertEquals(basic, text(sets));
    sets.addSkippedBranches();
    assertEquals(skipped, text(sets));
    sets.addOutOfOrder();
    assertEquals(outOfOrder, text(sets));
    assertEquals(outOfOrder, text(RestrictionSets.of(nodes(graph))));
  }

  @Test
  void aChainRestrictsNeighboursAlone() {
    check(
        List.of("x", "a x", "b a", "c b !"),
        // a-x, b-a, c-b; no output before c.
        "x{a} a{xb} b{ac} c{b}",
        // Each last user is the next node: nothing lies between.
        "x{a} a{xb} b{ac} c{b}",
        // Every node leads to every later one and has a single user.
        "x{a} a{xb} b{ac} c{b}");
  }

  @Test
  void aDiamondKeepsItsBranchesApart() {
    check(
        List.of("x", "a x", "l a", "r a", "s l r !"),
        "x{a} a{xlr} l{as} r{as} s{lr}",
        // a waits for r, l between: known. l waits for s, r between: l-r.
        "x{a} a{xlr} l{ars} r{als} s{lr}",
        // l does not lead to r: l-r, known.
        "x{a} a{xlr} l{ars} r{als} s{lr}");
  }

  @Test
  void aNodeInsideABranchIsKeptFromTheOtherBranch() {
    check(
        List.of("x", "a x", "l a", "m l", "r a", "s m r !"),
        "x{a} a{xlr} l{am} m{ls} r{as} s{mr}",
        // a waits for r: a-m is new. m waits for s: m-r is new.
        "x{a} a{xlmr} l{am} m{alrs} r{ams} s{mr}",
        // l does not lead to r: l-r, although in order l is over before r starts.
        "x{a} a{xlmr} l{amr} m{alrs} r{alms} s{mr}");
  }

  @Test
  void aSkipConnectionIsKeptFromAllItSkips() {
    check(
        List.of("x", "a x", "b a", "c b", "d c a !"),
        "x{a} a{xbd} b{ac} c{bd} d{ac}",
        // a waits for d: c is between.
        "x{a} a{xbcd} b{ac} c{abd} d{ac}",
        // d reads a and c, and a leads to c: c's only user is d, which a has already.
        "x{a} a{xbcd} b{ac} c{abd} d{ac}");
  }

  @Test
  void aReshapeInPlaceHandsRestrictionsUp() {
    check(
        List.of("x", "a x", "v a ~", "b v", "c b !"),
        // v-a; b-v is handed up from v to a: a-b. c-b.
        "x{a} a{xvb} v{ab} b{avc} c{b}",
        "x{a} a{xvb} v{ab} b{avc} c{b}",
        "x{a} a{xvb} v{ab} b{avc} c{b}");
  }

  @Test
  void outputsStandInTheSetsOfAllLaterNodesOneWay() {
    check(
        List.of("x", "a x !", "b a", "c b", "d c !"),
        // c and d have a, which was made before; a has neither.
        "x{a} a{xb} b{ac} c{abd} d{ac}",
        "x{a} a{xb} b{ac} c{abd} d{ac}",
        "x{a} a{xb} b{ac} c{abd} d{ac}");
  }

  @Test
  void aResultNobodyUsesIsKeptFromWhatMayRunBesideIt() {
    check(
        List.of("x", "a x", "u x", "b a !"),
        "x{au} a{xb} u{x} b{a}",
        // a waits for b: u is between. u has no users and waits for nobody.
        "x{au} a{xub} u{xa} b{a}",
        // u does not lead to b: u-b.
        "x{au} a{xub} u{xab} b{au}");
  }

  @Test
  void readingATensorTwiceIsReadingItOnce() {
    check(
        List.of("x", "a x", "b a a", "c b !"),
        "x{a} a{xb} b{ac} c{b}",
        "x{a} a{xb} b{ac} c{b}",
        "x{a} a{xb} b{ac} c{b}");
  }

  @Test
  void aConcatOfAConcatHandsUpThroughBoth() {
    check(
        List.of("x", "a x", "b x", "c a b ~", "d x", "e c d ~", "f e !"),
        // c-a is handed up to b: a-b. d-e goes up to c and on to a and b: d-c, d-a, d-b. e-c stays:
        // both are optimised out. f-e goes up to all: f-c, f-a, f-b, f-d.
        "x{abd} a{xbcdf} b{xacdf} c{abdef} d{xabcef} e{cdf} f{abcde}",
        // x waits for d: x-c is new.
        "x{abcd} a{xbcdf} b{xacdf} c{xabdef} d{xabcef} e{cdf} f{abcde}",
        "x{abcd} a{xbcdf} b{xacdf} c{xabdef} d{xabcef} e{cdf} f{abcde}");
  }

  @Test
  void aNodeIsKeptFromWhatRunsBesideOneOfItsUsers() {
    check(
        List.of("x", "y", "a x", "u a", "b a", "c b !", "w u !"),
        // w comes after the output c: w-c, one way.
        "x{a} y{} a{xub} u{aw} b{ac} c{b} w{uc}",
        // x waits for a: y is between. u waits for w: b and c are between.
        "x{ya} y{x} a{xub} u{abcw} b{auc} c{ub} w{uc}",
        // y leads nowhere: apart from all. a leads to c, but its user u may still run: a-c; in the
        // same way a-w for its user b. b-w and c-w do not lead to each other.
        "x{ya} y{xaubcw} a{xyubcw} u{yabcw} b{yaucw} c{yaubw} w{yaubc}");
  }

  @Test
  void anInputThatLeadsToAnotherInputIsKeptFromThatOnesUsers() {
    check(
        List.of("x", "a x", "b a", "c a b", "d b c !"),
        "x{a} a{xbc} b{acd} c{abd} d{bc}",
        "x{a} a{xbc} b{acd} c{abd} d{bc}",
        // c reads a and b, and a leads to b: b's users c and d are kept from a. So a-d.
        "x{a} a{xbcd} b{acd} c{abd} d{abc}");
  }

  @Test
  void theFirstNodeIsPassedOverAsInTheOriginal() {
    check(
        List.of("x", "y", "a x", "b y", "c a b !"),
        "x{a} y{b} a{xc} b{yc} c{ab}",
        // x waits for a: y is between. y waits for b: a is between. a waits for c: b is between.
        "x{ya} y{xab} a{xybc} b{yac} c{ab}",
        // x does not lead to b, yet x-b is not added: the pass starts with y.
        "x{ya} y{xab} a{xybc} b{yac} c{ab}");
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

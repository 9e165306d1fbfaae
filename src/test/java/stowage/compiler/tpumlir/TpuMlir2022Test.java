package stowage.compiler.tpumlir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import stowage.compiler.core.CasePlan;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Traces worked by hand. After each op the tables read {@code rec value@address+bytes*uses to come;
 * hold values; use addresses}.
 */
class TpuMlir2022Test {

  /** Checks a graph, the line after each step and what it comes to, between remarks. */
  private static void check(String worked) {
    List<String> lines = worked.lines().filter(line -> !line.startsWith("#")).toList();
    String graph = lines.get(0);
    PlanningCase given =
        graph.startsWith("buffers ")
            ? PlanningCase.ofBuffers(PackingProblem.of("list", Buffers.of(graph.substring(8))))
            : graph.startsWith("without views: ")
                ? Graphs.of(graph.substring(15)).withoutViews()
                : Graphs.of(graph).planningCase();
    assertEquals(lines.subList(1, lines.size() - 1), new TpuMlir2022().trace(given));
    CasePlan plan = new TpuMlir2022().plan(given, RunControl.unlimited());
    long peak = plan.placement().peak(given.problem(), 0);
    assertEquals(
        lines.get(lines.size() - 1), "peak %s, objects %s".formatted(peak, plan.objects()));
    assertEquals(Optional.empty(), plan.fault(given.problem()));
  }

  @Test
  void aChainTakesTurnsBetweenTwoBlocks() {
    check(
        """
        x:4; a:4 = Conv x; b:4 = Conv a; c:4 = Conv b; -> c
        x: rec x@0+4*1; hold x; use 0
        # x's count falls to 0, but it is still held and an operand: a opens 4. Then x is let go.
        a: rec x@0+4*0 a@4+4*1; hold a; use 4
        # x's block is the first that passes all five conditions.
        b: rec x@0+4*0 a@4+4*0 b@0+4*1; hold b; use 0
        # x's entry is of an address in use (b's); a's entry is free.
        c: rec x@0+4*0 a@4+4*0 b@0+4*0 c@4+4*1; hold c; use 4
        # The return counts, and frees nothing.
        return: rec x@0+4*0 a@4+4*0 b@0+4*0 c@4+4*0; hold c; use 4
        peak 8, objects 2
        """);
  }

  @Test
  void aDiamondHoldsTheForkUntilBothBranchesHaveReadIt() {
    check(
        """
        x:4; a:4 = Conv x; l:6 = Conv a; r:4 = Conv a; s:4 = Add l r; t:4 = Conv s; -> t
        x: rec x@0+4*1; hold x; use 0
        a: rec x@0+4*0 a@4+4*2; hold a; use 4
        # x's block of 4 is too small for l, which opens 8; a is read once more.
        l: rec x@0+4*0 a@4+4*1 l@8+6*1; hold a l; use 4 8
        # r fits x's block; a's count is 0 now, so a is let go after r.
        r: rec x@0+4*0 a@4+4*0 l@8+6*1 r@0+4*1; hold l r; use 0 8
        # x's address is r's, an operand; a's block is free; both operands go.
        s: rec x@0+4*0 a@4+4*0 l@8+6*0 r@0+4*0 s@4+4*1; hold s; use 4
        t: rec x@0+4*0 a@4+4*0 l@8+6*0 r@0+4*0 s@4+4*0 t@0+4*1; hold t; use 0
        return: rec x@0+4*0 a@4+4*0 l@8+6*0 r@0+4*0 s@4+4*0 t@0+4*0; hold t; use 0
        peak 14, objects 3
        """);
  }

  @Test
  void aReshapeTakesItsSourcesAddressAndFreesNothing() {
    check(
        """
        x:4; a:4 = Conv x; v:4 = Reshape a; b:4 = Conv v; c:4 = Conv b; d:4 = Conv c; -> d
        x: rec x@0+4*1; hold x; use 0
        a: rec x@0+4*0 a@4+4*1; hold a; use 4
        # a's last use is the reshape, which does not run the last part: a stays held for ever.
        v: rec x@0+4*0 a@4+4*0 v@4+4*1; hold a v; use 4
        b: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*1; hold a b; use 0
        # x's address is an operand's; a is held; v's entry gives address 4.
        c: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*1; hold a c; use 4
        d: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*1; hold a d; use 0
        return: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*0; hold a d; use 0
        peak 8, objects 2
        """);
  }

  @Test
  void theOriginalOverlapsAReshapeWhoseSourceIsFreedByAnother() {
    PlanningCase given =
        Graphs.of(
                "x:4; a:4 = Conv x; v:4 = Reshape a; b:4 = Conv a; c:4 = Conv b; "
                    + "d:4 = Add c v; -> d")
            .planningCase();
    assertEquals(
        List.of(
            "x: rec x@0+4*1; hold x; use 0",
            "a: rec x@0+4*0 a@4+4*2; hold a; use 4",
            "v: rec x@0+4*0 a@4+4*1 v@4+4*1; hold a v; use 4",
            // b's op frees a, and with it the address 4, although v is there and waits for d.
            "b: rec x@0+4*0 a@4+4*0 v@4+4*1 b@0+4*1; hold v b; use 0",
            // a's entry passes all conditions: c is put on v.
            "c: rec x@0+4*0 a@4+4*0 v@4+4*1 b@0+4*0 c@4+4*1; hold v c; use 4",
            "d: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*1; hold d; use 0",
            "return: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*0; hold d; use 0"),
        new TpuMlir2022().trace(given));
    Optional<String> fault =
        new TpuMlir2022().plan(given, RunControl.unlimited()).fault(given.problem());
    assertTrue(fault.orElse("").contains("overlap at step 3"), fault.toString());
  }

  @Test
  void twoResultsOfAnOpAreFoundPlacesOneAfterTheOther() {
    check(
        """
        x:4; p:2 q:3 = TopK x; r:2 = Conv p; s:3 = Conv q r; -> s
        x: rec x@0+4*1; hold x; use 0
        # After p the operand x is let go, but q still may not take an operand's address.
        p: rec x@0+4*0 p@4+2*1 q@6+3*1; hold p q; use 4 6
        r: rec x@0+4*0 p@4+2*0 q@6+3*1 r@0+2*1; hold q r; use 0 6
        # x's and r's address is r's, an operand's; p has 2 bytes; q is an operand: 9 is opened.
        s: rec x@0+4*0 p@4+2*0 q@6+3*0 r@0+2*0 s@9+3*1; hold s; use 9
        return: rec x@0+4*0 p@4+2*0 q@6+3*0 r@0+2*0 s@9+3*0; hold s; use 9
        peak 12, objects 4
        """);
  }

  @Test
  void aResultNobodyUsesIsNeverFreed() {
    check(
        """
        x:4; v:4 i:4 = TopK x; a:4 = Conv v; b:4 = Conv a; -> b
        x: rec x@0+4*1; hold x; use 0
        # i has no uses; it is no operand of any op, so nothing ever takes it from the sets.
        v: rec x@0+4*0 v@4+4*1 i@8+4*0; hold v i; use 4 8
        a: rec x@0+4*0 v@4+4*0 i@8+4*0 a@0+4*1; hold i a; use 0 8
        b: rec x@0+4*0 v@4+4*0 i@8+4*0 a@0+4*0 b@4+4*1; hold i b; use 4 8
        return: rec x@0+4*0 v@4+4*0 i@8+4*0 a@0+4*0 b@4+4*0; hold i b; use 4 8
        peak 12, objects 3
        """);
  }

  @Test
  void anOpThatReadsATensorTwiceCountsTwice() {
    check(
        """
        x:4; a:4 = Conv x; b:4 = Mul a a; c:4 = Conv b; -> c
        x: rec x@0+4*1; hold x; use 0
        # Two uses of a, one for each time it is read.
        a: rec x@0+4*0 a@4+4*2; hold a; use 4
        # Both occurrences count down, to 0.
        b: rec x@0+4*0 a@4+4*0 b@0+4*1; hold b; use 0
        c: rec x@0+4*0 a@4+4*0 b@0+4*0 c@4+4*1; hold c; use 4
        return: rec x@0+4*0 a@4+4*0 b@0+4*0 c@4+4*0; hold c; use 4
        peak 8, objects 2
        """);
  }

  @Test
  void aConcatOfAConcatIsAllocatedLikeAnyOtherOp() {
    check(
        """
        without views: x:4; a:2 = Conv x; b:2 = Conv x; c:4 = Concat a b; d:4 = Conv x; e:8 = Concat c d; f:4 = Conv e; g:4 = Conv f; -> g
        x: rec x@0+4*3; hold x; use 0
        a: rec x@0+4*2 a@4+2*1; hold x a; use 0 4
        b: rec x@0+4*1 a@4+2*1 b@6+2*1; hold x a b; use 0 4 6
        # Nothing free has 4 bytes; afterwards a and b are let go, each a block of 2.
        c: rec x@0+4*1 a@4+2*0 b@6+2*0 c@8+4*1; hold x c; use 0 8
        d: rec x@0+4*0 a@4+2*0 b@6+2*0 c@8+4*1 d@12+4*1; hold c d; use 8 12
        e: rec x@0+4*0 a@4+2*0 b@6+2*0 c@8+4*0 d@12+4*0 e@16+8*1; hold e; use 16
        # x's is the first free entry; two neighbours of 2 would never make a 4.
        f: rec x@0+4*0 a@4+2*0 b@6+2*0 c@8+4*0 d@12+4*0 e@16+8*0 f@0+4*1; hold f; use 0
        g: rec x@0+4*0 a@4+2*0 b@6+2*0 c@8+4*0 d@12+4*0 e@16+8*0 f@0+4*0 g@8+4*1; hold g; use 8
        return: rec x@0+4*0 a@4+2*0 b@6+2*0 c@8+4*0 d@12+4*0 e@16+8*0 f@0+4*0 g@8+4*0; hold g; use 8
        peak 24, objects 6
        """);
  }

  @Test
  void aBlockIsTakenWholeAndItsOldEntryKeepsItsSize() {
    check(
        """
        x:8; a:2 = Conv x; b:2 = Conv a; c:2 = Conv b; d:8 = Conv c; -> d
        x: rec x@0+8*1; hold x; use 0
        a: rec x@0+8*0 a@8+2*1; hold a; use 8
        # b takes all 8 bytes of x's block; its own entry says 2.
        b: rec x@0+8*0 a@8+2*0 b@0+2*1; hold b; use 0
        # What b leaves of the block is not given to c.
        c: rec x@0+8*0 a@8+2*0 b@0+2*0 c@8+2*1; hold c; use 8
        # b's entry would be too small; x's old one, scanned first, is not.
        d: rec x@0+8*0 a@8+2*0 b@0+2*0 c@8+2*0 d@0+8*1; hold d; use 0
        return: rec x@0+8*0 a@8+2*0 b@0+2*0 c@8+2*0 d@0+8*0; hold d; use 0
        peak 10, objects 2
        """);
  }

  @Test
  void theFirstEntryThatSufficesIsTakenNotTheTightest() {
    check(
        """
        x:4; a:8 = Conv x; b:1 = Conv x a; c:1 = Conv b; d:8 = Conv c; -> d
        x: rec x@0+4*2; hold x; use 0
        a: rec x@0+4*1 a@4+8*1; hold x a; use 0 4
        b: rec x@0+4*0 a@4+8*0 b@12+1*1; hold b; use 12
        # x's 4 bytes come before a's 8, both free.
        c: rec x@0+4*0 a@4+8*0 b@12+1*0 c@0+1*1; hold c; use 0
        d: rec x@0+4*0 a@4+8*0 b@12+1*0 c@0+1*0 d@4+8*1; hold d; use 4
        return: rec x@0+4*0 a@4+8*0 b@12+1*0 c@0+1*0 d@4+8*0; hold d; use 4
        peak 13, objects 3
        """);
  }

  @Test
  void aGraphOutputIsUsedByTheReturn() {
    check(
        """
        x:4; a:4 = Conv x; b:4 = Conv a; c:4 = Conv b; d:4 = Conv c; -> a d
        x: rec x@0+4*1; hold x; use 0
        # One use by the next op, one by the return.
        a: rec x@0+4*0 a@4+4*2; hold a; use 4
        b: rec x@0+4*0 a@4+4*1 b@0+4*1; hold a b; use 0 4
        c: rec x@0+4*0 a@4+4*1 b@0+4*0 c@8+4*1; hold a c; use 4 8
        d: rec x@0+4*0 a@4+4*1 b@0+4*0 c@8+4*0 d@0+4*1; hold a d; use 0 4
        return: rec x@0+4*0 a@4+4*0 b@0+4*0 c@8+4*0 d@0+4*0; hold a d; use 0 4
        peak 12, objects 3
        """);
  }

  @Test
  void scratchIsTheResultOfAnOpBefore() {
    check(
        """
        x:4; a:4 = Conv x +6; b:4 = Conv a +6; -> b
        x: rec x@0+4*1; hold x; use 0
        a#scratch: rec x@0+4*1 a#scratch@4+6*1; hold x a#scratch; use 0 4
        a: rec x@0+4*0 a#scratch@4+6*0 a@10+4*1; hold a; use 10
        # x's 4 bytes are free but too few; the first scratch's 6 are taken again.
        b#scratch: rec x@0+4*0 a#scratch@4+6*0 a@10+4*1 b#scratch@4+6*1; hold a b#scratch; use 4 10
        b: rec x@0+4*0 a#scratch@4+6*0 a@10+4*0 b#scratch@4+6*0 b@0+4*1; hold b; use 0
        return: rec x@0+4*0 a#scratch@4+6*0 a@10+4*0 b#scratch@4+6*0 b@0+4*0; hold b; use 0
        peak 14, objects 3
        """);
  }

  @Test
  void whatAConcatInPlaceSharesIsOneValue() {
    check(
        """
        x:4; a:2 = Conv x; b:2 = Conv x; c:4 = Concat a b; d:4 = Conv c; e:4 = Conv d; -> e
        x: rec x@0+4*2; hold x; use 0
        # a, b and c share 4 bytes: read by the concat twice and by d once.
        a: rec x@0+4*1 a@4+4*3; hold x a; use 0 4
        # b has its place; its op frees x all the same.
        b: rec x@0+4*0 a@4+4*3; hold a; use 4
        c: rec x@0+4*0 a@4+4*1; hold a; use 4
        d: rec x@0+4*0 a@4+4*0 d@0+4*1; hold d; use 0
        e: rec x@0+4*0 a@4+4*0 d@0+4*0 e@4+4*1; hold e; use 4
        return: rec x@0+4*0 a@4+4*0 d@0+4*0 e@4+4*0; hold e; use 4
        peak 8, objects 2
        """);
  }

  @Test
  void weightsTakeNoPart() {
    check(
        """
        x:4; weight w:100; a:4 = Conv x w; b:4 = Conv a w; -> b
        x: rec x@0+4*1; hold x; use 0
        a: rec x@0+4*0 a@4+4*1; hold a; use 4
        b: rec x@0+4*0 a@4+4*0 b@0+4*1; hold b; use 0
        return: rec x@0+4*0 a@4+4*0 b@0+4*0; hold b; use 0
        peak 8, objects 2
        """);
  }

  @Test
  void aListOfBuffersIsOneOpAStep() {
    check(
        """
        buffers p:4[0,2) q:4[1,3) u:4[2,3) r:4[2,5) s:3[3,5)
        step 0: rec p@0+4*1; hold p; use 0
        step 1: rec p@0+4*0 q@4+4*1; hold q; use 4
        # u ends before the next op: a result that no op reads. After u q is let go.
        step 2: rec p@0+4*0 q@4+4*0 u@0+4*0 r@8+4*1; hold u r; use 0 8
        # The last op there is reads r; its block is an operand's, q's is free.
        step 3: rec p@0+4*0 q@4+4*0 u@0+4*0 r@8+4*0 s@4+3*0; hold u s; use 0 4
        peak 12, objects 3
        """);
  }
}

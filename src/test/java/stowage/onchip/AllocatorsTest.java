package stowage.onchip;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.network.Chip;
import stowage.onchip.lmem.LmemAllocator;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.lmem.LmemVerifier;
import stowage.onchip.lmem.PackedLane;
import stowage.onchip.lmem.TpuMlirAllocator;
import stowage.onchip.lmem.TpuMlirManualAllocator;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.RunControl;

/** The rules' placements hold where they give one, and the canonical search never contradicts. */
class AllocatorsTest {
  private static final Chip CHIP = Chips.chip("tiny", 1, 16, 1024, 4, 1, true);

  @Test
  void placementsHold() {
    int placed = 0;
    int beaten = 0;
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      LmemProblem problem =
          RandomLmem.of(random, CHIP, 3 + random.nextInt(8), 4 + random.nextInt(14), 280);
      LmemEngine.Fit fit = PackedLane.fit(problem, RunControl.unlimited());
      for (LmemAllocator allocator :
          List.of(new TpuMlirManualAllocator(), new TpuMlirAllocator())) {
        LmemPlacement placement = allocator.allocate(problem);
        String what = allocator.name() + ", seed " + seed;
        if (placement != null) {
          assertEquals(List.of(), LmemVerifier.violations(problem, placement), what);
          assertEquals(LmemEngine.Verdict.FITS, fit.verdict(), what);
          placed++;
        } else {
          beaten += fit.verdict() == LmemEngine.Verdict.FITS ? 1 : 0;
        }
      }
      if (fit.verdict() == LmemEngine.Verdict.FITS) {
        assertEquals(List.of(), LmemVerifier.violations(problem, fit.placement()), "seed " + seed);
      }
    }
    assertTrue(placed > 100 && beaten > 10, placed + " placed, " + beaten + " beaten");
  }

  /** What an allocator gives that compares every buffer with every other. */
  @Test
  void todaysPlacementsAreThoseOfTheSlowRule() {
    int hash = 0;
    int placed = 0;
    for (long seed = 1; seed <= 2000; seed++) {
      Random random = new Random(seed);
      LmemProblem problem =
          RandomLmem.of(random, CHIP, 3 + random.nextInt(8), 2 + random.nextInt(20), 200);
      LmemPlacement placement = new TpuMlirAllocator().allocate(problem);
      placed += placement == null ? 0 : 1;
      for (int b = 0; b < problem.size(); b++) {
        long offset = placement == null ? -1 : placement.offset(b);
        hash = 31 * hash + Objects.hash(offset, placement == null ? -1 : placement.shares(b));
      }
    }
    assertEquals(1042, placed);
    assertEquals(-813509556, hash);
  }

  @Test
  void overlapsAreFoundInEachStep() {
    int overlaps = 0;
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      LmemProblem problem =
          RandomLmem.of(random, CHIP, 3 + random.nextInt(8), 4 + random.nextInt(14), 280);
      LmemPlacement placement =
          new LmemPlacement(random.ints(problem.size(), 0, 20).mapToLong(at -> at * 32L).toArray());
      Set<String> expected = new TreeSet<>();
      for (int one = 0; one < problem.size(); one++) {
        for (int other = 0; other < problem.size(); other++) {
          long begin = Math.max(placement.offset(one), placement.offset(other));
          if (one == other
              || begin >= placement.offset(one) + problem.buffer(one).size()
              || begin >= placement.offset(other) + problem.buffer(other).size()) {
            continue;
          }
          boolean first =
              placement.offset(one) < placement.offset(other)
                  || (placement.offset(one) == placement.offset(other) && one < other);
          for (int step = 0; first && step < problem.steps(); step++) {
            if (problem.buffer(one).isLive(step) && problem.buffer(other).isLive(step)) {
              expected.add("b%d and b%d overlap in step %d".formatted(one, other, step));
            }
          }
        }
      }
      List<String> found = LmemVerifier.violations(problem, placement);
      assertEquals(
          expected,
          found.stream()
              .filter(line -> line.contains("overlap"))
              .collect(toCollection(TreeSet::new)),
          "seed " + seed);
      overlaps += expected.size();
    }
    assertTrue(overlaps > 1000, overlaps + " overlap");
  }

  /** Buffers as {@code x:64[0,2)}, weights with a w for their name, in steps that do little. */
  private static LmemProblem problem(
      String buffers, List<LmemProblem.Step> steps, LmemProblem.Sharing... sharings) {
    List<LmemBuffer> made = new ArrayList<>();
    for (Buffer one : Buffers.of(buffers)) {
      boolean weight = one.id().equals("w");
      LmemBuffer.Kind kind = weight ? LmemBuffer.Kind.WEIGHT : LmemBuffer.Kind.ACTIVATION;
      int end = one.live().end();
      made.add(new LmemBuffer(one.id(), kind, one.live().start(), end, one.size(), false));
    }
    return new LmemProblem(CHIP, steps.size(), made, steps, List.of(sharings));
  }

  private static List<LmemProblem.Step> idle(int steps) {
    return Collections.nCopies(steps, new LmemProblem.Step(List.of(), List.of(), List.of()));
  }

  @Test
  void whatIsUsedTogetherGoesToOtherBanksToday() {
    List<LmemProblem.Move> loads =
        List.of(new LmemProblem.Move(0, "x"), new LmemProblem.Move(1, "w"));
    List<LmemProblem.Compute> ops =
        List.of(new LmemProblem.Compute("op", List.of(0, 1), List.of(2), -1));
    List<LmemProblem.Step> steps =
        List.of(
            new LmemProblem.Step(List.of(), loads, List.of()),
            new LmemProblem.Step(ops, List.of(), List.of()),
            new LmemProblem.Step(List.of(), List.of(), List.of(new LmemProblem.Move(2, "y"))));
    LmemProblem problem = problem("x:64[0,2) w:32[0,2) y:64[1,3)", steps);
    LmemPlacement placement = new TpuMlirAllocator().allocate(problem);
    assertNotNull(placement);
    assertEquals(0, placement.offset(0));
    assertEquals(0, LmemScore.of(problem, placement).operandClashes());
    assertEquals(Set.of(256L, 512L), Set.of(placement.offset(1), placement.offset(2)));
  }

  /** x may be replaced by y or z, and y by u: one takes the place, and no one that of a taker. */
  @Test
  void aPlaceIsLentOnceToday() {
    LmemProblem problem =
        problem(
            "x:192[0,2) y:128[1,3) z:64[1,3) u:32[2,4)",
            idle(4),
            new LmemProblem.Sharing(1, 0),
            new LmemProblem.Sharing(2, 0),
            new LmemProblem.Sharing(3, 1));
    LmemPlacement placement = new TpuMlirAllocator().allocate(problem);
    assertEquals(
        List.of(0L, 0L, 192L, 128L), IntStream.range(0, 4).mapToObj(placement::offset).toList());
    assertEquals(0, placement.shares(1));
    for (int own : List.of(0, 2, 3)) {
      assertEquals(LmemPlacement.OWN, placement.shares(own), "buffer " + own);
    }
  }

  @Test
  void aBufferCrossesABankInTheDocumentOnlyWhereItMust() {
    LmemProblem problem = problem("a:160[0,1) b:128[0,1)", idle(1));
    LmemPlacement placement = new TpuMlirManualAllocator().allocate(problem);
    assertEquals(0, placement.offset(0));
    assertEquals(256, placement.offset(1));
  }
}

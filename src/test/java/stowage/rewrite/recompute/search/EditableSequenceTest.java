package stowage.rewrite.recompute.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.rewrite.recompute.RandomGraphs;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/** Edits in place against following the whole sequence. */
class EditableSequenceTest {

  private static void judge(
      RecomputeProblem problem, long limit, EditableSequence line, String where) {
    int[] ops = line.ops();
    Timeline all = new Timeline(problem, ops);
    long excess = 0;
    for (int s = 0; s < ops.length; s++) {
      assertEquals(all.load[s], line.load(s), where + ", step " + s);
      excess += Math.max(0, all.load[s] - limit);
    }
    long end = Math.max(0, line.load(ops.length) - limit);
    assertEquals(excess + end, line.excess(), where);
    assertEquals(problem.extra(ops), line.extra(), where);
    assertEquals(ops.length - problem.ops, line.repeats(), where);
    for (int from = 0; from <= ops.length && line.excess() > 0; from++) {
      int next = from;
      while (line.load(next) <= limit) {
        next = next < ops.length ? next + 1 : 0;
      }
      assertEquals(next, line.nextAbove(from), where + ", from step " + from);
    }
  }

  /** The sequence with one more run of a repeatable op, at a step where what it reads is made. */
  private static void insert(RecomputeProblem problem, EditableSequence line, Random random) {
    int op = random.nextInt(problem.ops);
    int first = 0;
    for (int[] ops = line.ops(); ops[first] != op; ) {
      first++;
    }
    line.insert(op, first + 1 + random.nextInt(line.length() - first));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void editsAndTheirUndoingKeepTheBytes(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 400; round++) {
      RecomputeProblem problem = RandomGraphs.of(random);
      long limit = random.nextInt(20);
      EditableSequence line = new EditableSequence(problem, limit, problem.once());
      for (int move = 0; move < 30; move++) {
        String where = "seed " + seed + ", round " + round + ", move " + move;
        int[] before = line.ops();
        for (int edit = random.nextInt(4); edit >= 0; edit--) {
          if (line.repeats() > 0 && random.nextInt(3) == 0) {
            line.remove(line.repeat(random.nextInt(line.repeats())));
          } else {
            insert(problem, line, random);
          }
          judge(problem, limit, line, where);
        }
        if (random.nextInt(5) == 0) {
          line.sweep();
          judge(problem, limit, line, where);
        }
        if (random.nextBoolean()) {
          line.undo();
          assertArrayEquals(before, line.ops(), where);
          judge(problem, limit, line, where);
        } else {
          line.commit();
        }
      }
      int[] given = line.ops();
      EditableSequence again = new EditableSequence(problem, limit, given);
      assertEquals(Arrays.toString(given), Arrays.toString(again.ops()));
      judge(problem, limit, again, "seed " + seed + ", round " + round);
    }
  }
}

package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for the buffers of a group, breadth first, as TPU-MLIR's manual gives them out: from the
 * ops that read only what is loaded on, an op after all that it reads from. Each op numbers what it
 * reads and has no number yet, then its scratch memory, then what it makes.
 *
 * <p>Example: x → conv1 (w1) → a, a → conv2 (w2) → b, a → pool → c: x 0, w1 1, a 2, w2 3, b 4, c 5.
 */
public final class BreadthFirstIds {
  private BreadthFirstIds() {}

  /** By buffer, its number. O(ops + uses). */
  public static int[] of(LmemProblem problem) {
    List<LmemProblem.Compute> ops = new ArrayList<>();
    for (int step = 0; step < problem.steps(); step++) {
      ops.addAll(problem.step(step).computes());
    }
    Map<Integer, Integer> maker = new HashMap<>();
    for (int op = 0; op < ops.size(); op++) {
      for (int made : ops.get(op).writes()) {
        maker.put(made, op);
      }
    }
    int[] waits = new int[ops.size()];
    List<List<Integer>> readers = new ArrayList<>();
    ops.forEach(op -> readers.add(new ArrayList<>()));
    for (int op = 0; op < ops.size(); op++) {
      for (int read : ops.get(op).reads()) {
        Integer from = maker.get(read);
        if (from != null && from != op) {
          waits[op]++;
          readers.get(from).add(op);
        }
      }
    }
    int[] ids = new int[problem.size()];
    Arrays.fill(ids, -1);
    int next = 0;
    List<Integer> queue = new ArrayList<>();
    for (int op = 0; op < waits.length; op++) {
      if (waits[op] == 0) {
        queue.add(op);
      }
    }
    for (int k = 0; k < queue.size(); k++) {
      LmemProblem.Compute op = ops.get(queue.get(k));
      List<Integer> used = new ArrayList<>(op.reads());
      if (op.scratch() >= 0) {
        used.add(op.scratch());
      }
      used.addAll(op.writes());
      for (int buffer : used) {
        ids[buffer] = ids[buffer] < 0 ? next++ : ids[buffer];
      }
      for (int reader : readers.get(queue.get(k))) {
        if (--waits[reader] == 0) {
          queue.add(reader);
        }
      }
    }
    return ids;
  }
}

package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.onchip.layer.LaneSize;
import stowage.packing.IndexOrder;

/**
 * Places buffers as TPU-MLIR does today.
 *
 * <p>Every unplaced buffer keeps a list of free blocks and a set of banks to avoid. After each
 * placement, buffers alive at the same time lose the placed one's bytes (up to the next vector),
 * and avoid its banks if an op uses both or one is moved while an op uses the other. Then each
 * unplaced buffer's candidate is the first free piece outside its avoided banks, or the first free
 * block where there is none such; the buffer with the lowest candidate is placed, ties in this
 * order: members of a step whose ops and transfers are both still open first, then largest area
 * (steps times bytes), earliest first step, creation. There is no way back: a buffer without a free
 * block makes the whole fail.
 *
 * <p>A result that may take the place of its op's operand (or the other way round) gets the placed
 * one's block as an additional free block.
 *
 * <p>Source: LmemAllocator::assignLmemAddr of TPU-MLIR
 * (lib/Dialect/Tpu/Transforms/LayerGroup/LmemAllocator.cpp). O(buffers^2 * blocks + buffers *
 * steps).
 */
public final class TpuMlirAllocator implements LmemAllocator {
  @Override
  public String name() {
    return "today";
  }

  @Override
  public LmemPlacement allocate(LmemProblem problem) {
    return new Run(problem).place();
  }

  /** A free block; one lent by a buffer whose place may be taken ends when touched. */
  private record Block(long start, long end, int lender) {}

  private static final class Run {
    private final LmemProblem problem;
    private final List<List<Block>> free = new ArrayList<>();
    private final List<BitSet> avoided = new ArrayList<>();
    private final List<BitSet> computing = new ArrayList<>();
    private final List<BitSet> moving = new ArrayList<>();
    private final List<List<Integer>> stepsOf = new ArrayList<>();
    private final int[] urgency; // in how many sets of open steps each buffer is
    private final long[] offsets;
    private final int[] shares;
    private final Block[] candidates;
    private final boolean[][] usedTogether;
    private final Set<LmemProblem.Sharing> sharings;
    private final int[] borrowers; // buffers that are in the place of each

    Run(LmemProblem problem) {
      this.problem = problem;
      this.offsets = new long[problem.size()];
      this.shares = new int[problem.size()];
      this.borrowers = new int[problem.size()];
      this.urgency = new int[problem.size()];
      this.sharings = Set.copyOf(problem.sharings());
      Arrays.fill(shares, LmemPlacement.OWN);
      this.candidates = new Block[problem.size()];
      for (int b = 0; b < problem.size(); b++) {
        free.add(new ArrayList<>(List.of(new Block(0, problem.chip().laneBytes(), -1))));
        avoided.add(new BitSet());
        stepsOf.add(new ArrayList<>());
      }
      for (int s = 0; s < problem.steps(); s++) {
        BitSet used = new BitSet();
        BitSet moved = new BitSet();
        LmemProblem.Step step = problem.step(s);
        if (!step.computes().isEmpty()) {
          step.computes().forEach(compute -> compute.uses().forEach(used::set));
          step.moves().forEach(move -> moved.set(move.buffer()));
        }
        computing.add(used);
        moving.add(moved);
        int at = s;
        IntStream.concat(used.stream(), moved.stream())
            .forEach(
                b -> {
                  urgency[b]++;
                  stepsOf.get(b).add(at);
                });
      }
      this.usedTogether = usedTogether();
    }

    /** Which pairs an op uses both of, or of which one is moved while an op uses the other. */
    private boolean[][] usedTogether() {
      boolean[][] pairs = new boolean[problem.size()][problem.size()];
      for (int s = 0; s < problem.steps(); s++) {
        LmemProblem.Step step = problem.step(s);
        BitSet used = new BitSet();
        for (LmemProblem.Compute compute : step.computes()) {
          BitSet related = related(compute, s);
          used.or(related);
          mark(pairs, related, related);
        }
        BitSet moved = new BitSet();
        step.moves().forEach(move -> moved.set(move.buffer()));
        mark(pairs, moved, used);
        mark(pairs, used, moved);
      }
      return pairs;
    }

    /** An op's buffers; one that begins to live in this step counts only as the op's result. */
    private BitSet related(LmemProblem.Compute compute, int step) {
      BitSet related = new BitSet();
      for (int read : compute.reads()) {
        if (problem.buffer(read).start() != step || problem.buffer(read).resident()) {
          related.set(read);
        }
      }
      compute.writes().forEach(related::set);
      if (compute.scratch() >= 0) {
        related.set(compute.scratch());
      }
      return related;
    }

    private static void mark(boolean[][] pairs, BitSet ones, BitSet others) {
      for (int i = ones.nextSetBit(0); i >= 0; i = ones.nextSetBit(i + 1)) {
        for (int j = others.nextSetBit(0); j >= 0; j = others.nextSetBit(j + 1)) {
          pairs[i][j] |= i != j;
        }
      }
    }

    LmemPlacement place() {
      int[] rank = ranks();
      int[] open = IntStream.range(0, problem.size()).toArray();
      for (int b : open) {
        candidates[b] = candidate(b);
      }
      for (int left = open.length; left > 0; left--) {
        int at = -1;
        for (int k = 0; k < left; k++) {
          if (candidates[open[k]] == null) {
            return null;
          }
          if (at < 0 || isBefore(open[k], open[at], rank)) {
            at = k;
          }
        }
        int best = open[at];
        open[at] = open[left - 1];
        offsets[best] = candidates[best].start;
        recordSharing(best, candidates[best].lender);
        if (left == open.length) {
          IntStream.range(0, problem.steps()).forEach(step -> forget(best, step));
        } else {
          stepsOf.get(best).forEach(step -> forget(best, step));
        }
        for (int k = 0; k < left - 1; k++) {
          update(open[k], best);
        }
      }
      return new LmemPlacement(offsets, shares);
    }

    /** The place of each buffer by area, largest first, then first step, then creation. */
    private int[] ranks() {
      int[] order =
          IndexOrder.of(
              IntStream.range(0, problem.size()),
              Comparator.comparing((Integer b) -> -area(b))
                  .thenComparing(b -> problem.buffer(b).start()));
      return IndexOrder.places(order, order.length);
    }

    /** Whether one buffer is placed before another: lowest candidate, then urgent, then rank. */
    private boolean isBefore(int one, int other, int[] rank) {
      if (candidates[one].start != candidates[other].start) {
        return candidates[one].start < candidates[other].start;
      }
      if ((urgency[one] > 0) != (urgency[other] > 0)) {
        return urgency[one] > 0;
      }
      return rank[one] < rank[other];
    }

    private long area(int b) {
      LmemBuffer buffer = problem.buffer(b);
      return buffer.size() * buffer.length(problem.steps());
    }

    private void recordSharing(int placed, int lender) {
      if (lender >= 0) {
        boolean takes = isSharing(placed, lender);
        share(takes ? placed : lender, takes ? lender : placed);
      }
    }

    /** Notes that a buffer is in another's place, and no longer in the one noted before. */
    private void share(int result, int operand) {
      if (shares[result] != LmemPlacement.OWN) {
        borrowers[shares[result]]--;
      }
      shares[result] = operand;
      borrowers[operand]++;
    }

    private boolean isSharing(int result, int operand) {
      return sharings.contains(new LmemProblem.Sharing(result, operand));
    }

    /** Takes a placed buffer out of a step, and all others where the step is then settled. */
    private void forget(int placed, int step) {
      BitSet used = computing.get(step);
      BitSet moved = moving.get(step);
      used.clear(placed);
      if (used.isEmpty()) {
        settle(moved);
      }
      moved.clear(placed);
      if (used.cardinality() == 1 && moved.isEmpty()) {
        settle(used);
      }
    }

    private void settle(BitSet buffers) {
      buffers.stream().forEach(b -> urgency[b]--);
      buffers.clear();
    }

    private void update(int b, int placed) {
      if (!problem.together(b, placed)) {
        return;
      }
      long start = offsets[placed];
      long end =
          LaneSize.alignUp(start + problem.buffer(placed).size(), problem.chip().vectorBytes());
      List<Block> blocks = free.get(b);
      int first = 0;
      while (first < blocks.size() && !touches(blocks.get(first), start, end)) {
        first++;
      }
      if (first == blocks.size() && !usedTogether[b][placed]) {
        return;
      }
      long size = problem.buffer(b).size();
      boolean cut = false;
      List<Block> left = new ArrayList<>(blocks.subList(0, first));
      for (Block block : blocks.subList(first, blocks.size())) {
        if (!touches(block, start, end)) {
          left.add(block);
          continue;
        }
        if (block.lender >= 0) {
          continue;
        }
        cut |= block.start <= start && start + problem.buffer(placed).size() <= block.end;
        addIfFits(left, new Block(block.start, start, -1), size);
        addIfFits(left, new Block(end, block.end, -1), size);
      }
      boolean mayLend = shares[placed] == LmemPlacement.OWN && borrowers[placed] == 0;
      if (cut && mayLend && (isSharing(b, placed) || isSharing(placed, b))) {
        addIfFits(left, new Block(start, start + problem.buffer(placed).size(), placed), size);
        left.sort(Comparator.comparing(Block::start));
      }
      free.set(b, left);
      if (usedTogether[b][placed]) {
        int last = problem.lastBank(placed, start);
        avoided.get(b).set(problem.bank(start), last + 1);
      }
      candidates[b] = candidate(b);
    }

    private static boolean touches(Block block, long start, long end) {
      return block.start < end && start < block.end;
    }

    private static void addIfFits(List<Block> blocks, Block block, long size) {
      if (block.end - block.start >= Math.max(1, size)) {
        blocks.add(block);
      }
    }

    private Block candidate(int b) {
      long size = problem.buffer(b).size();
      long bank = problem.chip().bankBytes();
      BitSet banks = avoided.get(b);
      for (Block block : free.get(b)) {
        long at = block.start;
        while (at + size <= block.end) {
          int first = problem.bank(at);
          int last = problem.lastBank(b, at);
          int hit = banks.nextSetBit(first);
          if (hit < 0 || hit > last) {
            return new Block(
                at, block.end, block.lender >= 0 && at == block.start ? block.lender : -1);
          }
          if (block.lender >= 0) {
            break;
          }
          at = banks.nextClearBit(hit) * bank;
        }
      }
      return free.get(b).isEmpty() ? null : free.get(b).get(0);
    }
  }
}

package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.onchip.layer.LaneSize;
import stowage.packing.IndexOrder;

/**
 * Allocator that places buffers as TPU-MLIR does today.
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
 * (lib/Dialect/Tpu/Transforms/LayerGroup/LmemAllocator.cpp). O(pairs * (blocks + log buffers) +
 * buffers * log steps + steps in which buffers are alive), where pairs are alive at the same time.
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
    private final List<Set<Integer>> computing = new ArrayList<>();
    private final List<Set<Integer>> moving = new ArrayList<>();
    private final List<List<Integer>> stepsOf = new ArrayList<>();
    private final int[] urgency; // in how many sets of open steps each buffer is
    private final long[] offsets;
    private final int[] shares;
    private final Block[] candidates;
    private final boolean[] placed;
    private final int[] rank;
    private final int[] byRank;
    private final PriorityQueue<Long> queue = new PriorityQueue<>(); // keys, perhaps too low
    private final List<Set<Integer>> usedWith = new ArrayList<>();
    private final LiveBuffers live;
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
      this.placed = new boolean[problem.size()];
      this.byRank = byRank();
      this.rank = IndexOrder.places(byRank, byRank.length);
      this.live = new LiveBuffers(problem);
      for (int b = 0; b < problem.size(); b++) {
        free.add(new ArrayList<>(List.of(new Block(0, problem.chip().laneBytes(), -1))));
        avoided.add(new BitSet());
        stepsOf.add(new ArrayList<>());
        usedWith.add(new HashSet<>());
      }
      for (int s = 0; s < problem.steps(); s++) {
        Set<Integer> used = new HashSet<>();
        Set<Integer> moved = new HashSet<>();
        LmemProblem.Step step = problem.step(s);
        if (!step.computes().isEmpty()) {
          step.computes().forEach(compute -> used.addAll(compute.uses()));
          step.moves().forEach(move -> moved.add(move.buffer()));
        }
        computing.add(used);
        moving.add(moved);
        int at = s;
        Stream.concat(used.stream(), moved.stream())
            .forEach(
                b -> {
                  urgency[b]++;
                  stepsOf.get(b).add(at);
                });
      }
      markUsedTogether();
    }

    /** Notes which pairs an op uses both of, or one is moved of while an op uses the other. */
    private void markUsedTogether() {
      for (int s = 0; s < problem.steps(); s++) {
        LmemProblem.Step step = problem.step(s);
        Set<Integer> used = new HashSet<>();
        for (LmemProblem.Compute compute : step.computes()) {
          Set<Integer> related = related(compute, s);
          used.addAll(related);
          mark(related, related);
        }
        Set<Integer> moved = new HashSet<>();
        step.moves().forEach(move -> moved.add(move.buffer()));
        mark(moved, used);
        mark(used, moved);
      }
    }

    /** An op's buffers; one that begins to live in this step counts only as the op's result. */
    private Set<Integer> related(LmemProblem.Compute compute, int step) {
      Set<Integer> related = new HashSet<>(compute.writes());
      for (int read : compute.reads()) {
        if (problem.buffer(read).start() != step || problem.buffer(read).resident()) {
          related.add(read);
        }
      }
      if (compute.scratch() >= 0) {
        related.add(compute.scratch());
      }
      return related;
    }

    private void mark(Set<Integer> ones, Set<Integer> others) {
      ones.forEach(one -> usedWith.get(one).addAll(others));
    }

    LmemPlacement place() {
      for (int b = 0; b < placed.length; b++) {
        candidates[b] = candidate(b);
        queue.add(key(b));
      }
      for (int count = 0; count < placed.length; count++) {
        int best = first();
        offsets[best] = candidates[best].start;
        placed[best] = true;
        recordSharing(best, candidates[best].lender);
        if (count == 0) {
          IntStream.range(0, problem.steps()).forEach(step -> forget(best, step));
        } else {
          stepsOf.get(best).forEach(step -> forget(best, step));
        }
        for (int b : live.with(best, placed)) {
          update(b, best);
          if (candidates[b] == null) {
            return null;
          }
        }
      }
      return new LmemPlacement(offsets, shares);
    }

    /** Where a buffer is in the order of placing: lowest candidate, then urgent, then rank. */
    private long key(int b) {
      return (candidates[b].start * 2 + (urgency[b] > 0 ? 0 : 1)) * rank.length + rank[b];
    }

    /** Takes the buffer of the least key; a key that is no longer so low goes back as it is now. */
    private int first() {
      while (true) {
        long key = queue.remove();
        int b = byRank[(int) (key % rank.length)];
        if (!placed[b] && key(b) == key) {
          return b;
        } else if (!placed[b]) {
          queue.add(key(b));
        }
      }
    }

    /** The buffers by area, largest first, then first step, then creation. */
    private int[] byRank() {
      return IndexOrder.of(
          IntStream.range(0, problem.size()),
          Comparator.comparing((Integer b) -> -area(b))
              .thenComparing(b -> problem.buffer(b).start()));
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
      Set<Integer> used = computing.get(step);
      Set<Integer> moved = moving.get(step);
      used.remove(placed);
      if (used.isEmpty()) {
        settle(moved);
      }
      moved.remove(placed);
      if (used.size() == 1 && moved.isEmpty()) {
        settle(used);
      }
    }

    private void settle(Set<Integer> buffers) {
      buffers.forEach(b -> urgency[b]--);
      buffers.clear();
    }

    private void update(int b, int placed) {
      long start = offsets[placed];
      long end =
          LaneSize.alignUp(start + problem.buffer(placed).size(), problem.chip().vectorBytes());
      List<Block> blocks = free.get(b);
      int first = 0;
      while (first < blocks.size() && !touches(blocks.get(first), start, end)) {
        first++;
      }
      if (first == blocks.size() && !usedWith.get(b).contains(placed)) {
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
      if (usedWith.get(b).contains(placed)) {
        int last = problem.lastBank(placed, start);
        avoided.get(b).set(problem.bank(start), last + 1);
      }
      long before = candidates[b].start;
      candidates[b] = candidate(b);
      if (candidates[b] != null && candidates[b].start < before) {
        queue.add(key(b)); // in the place of the buffer just placed
      }
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

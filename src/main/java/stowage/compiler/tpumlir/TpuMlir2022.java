package stowage.compiler.tpumlir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.OpWalk;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * TPU-MLIR's assignment of addresses in global memory as its developer manual documents it, which
 * the code had from August to October 2022.
 *
 * <p>Source: sophgo/tpu-mlir at 58758a7ae, lib/Dialect/Tpu/Transforms/AddressAssign.cpp, and the
 * manual's chapter on GMEM allocation. Three tables:
 *
 * <ul>
 *   <li>{@code rec_tbl}: an entry for every value that got an address, in the order of getting it:
 *       value, address (here the number of the block there), the value's own bytes, and how many
 *       uses are still to come;
 *   <li>{@code hold_edges}: values that still hold their memory;
 *   <li>{@code in_using_addr}: addresses in use, as a set, so an address is in it once even if two
 *       values share it.
 * </ul>
 *
 * For every op in execution order: (a) for every occurrence of an operand, the count in its entry
 * goes down, not below 0. (b) A result that is in a buffer that has an address already, as a
 * reshape's does, takes that address and is recorded and held like any other; nothing else is done
 * for it. (c) Any other result takes the first entry, in record order, whose value is not held,
 * whose address is not in use, whose count is 0, whose bytes suffice, and whose address is not that
 * of an operand of this op: the whole block, without a split. Without such an entry new memory is
 * opened at the end. It is recorded, held, its address in use. (d) After each result of (c) the
 * operands that are held and whose count is 0 leave both sets.
 *
 * <p><b>What follows.</b> An op never writes over its operands. A result no one uses is never
 * freed, for no op has it as an operand. Old entries stay with their larger size and are found
 * first. An op that only reshapes frees nothing, so an operand last used there stays held for ever;
 * and where another op frees a reshape's source, the shared address leaves the set although the
 * reshape's result may still be needed: then the original lets a later value overlap it. This class
 * does the same, and the verifier says so.
 *
 * <p>Example, the chain x → a → b → c of 4 bytes each: x at 0, a at 4; while b is made x is free,
 * count 0 and no operand: b at 0; c at 4.
 *
 * <p>The original has only reshapes in place. Where the case has concats, slices or elementwise ops
 * in place too, all tensors of such a buffer are one value here, whose uses are theirs together.
 *
 * <p>Weights are before, one after the other, and do not take part. New memory is opened in steps
 * of the problem's alignment. Only an op's operands are freed by it, so the return frees nothing.
 * O(n²) for n values.
 *
 * @see <a
 *     href="https://github.com/sophgo/tpu-mlir/blob/58758a7ae/lib/Dialect/Tpu/Transforms/AddressAssign.cpp">sophgo/tpu-mlir@58758a7a:AddressAssign.cpp</a>
 */
public final class TpuMlir2022 extends SystemPlanner {
  public TpuMlir2022() {
    super(
        "tpu-mlir-2022",
        Planner.Kind.OBJECTS,
        "until October 2022",
        "TPU-MLIR as documented: the first freed block that is large enough, taken whole");
  }

  /**
   * Whole blocks, and values that no op ever frees. That a block is as large as the first value put
   * into it, and so never takes a larger one, is left out.
   */
  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    Set<Integer> freed = freedBuffers(OpWalk.of(planningCase));
    return PlannerRules.of(planningCase.problem())
        .inWholeObjects()
        .neverFreed(b -> !freed.contains(b), "what no op frees is held");
  }

  /**
   * The buffers with a value that an op may free: the last op that reads it, if that op has a
   * result outside the buffers of its operands.
   */
  private static Set<Integer> freedBuffers(OpWalk walk) {
    Map<Integer, OpWalk.Visit> lastReader = new HashMap<>();
    Set<Integer> made = new HashSet<>();
    Set<OpWalk.Visit> freeing = Collections.newSetFromMap(new IdentityHashMap<>());
    for (OpWalk.Visit visit : walk.visits()) {
      Set<Integer> inPlace = new HashSet<>();
      visit.operands().stream().map(walk::buffer).filter(made::contains).forEach(inPlace::add);
      if (!visit.results().stream().map(walk::buffer).allMatch(inPlace::contains)) {
        freeing.add(visit);
      }
      visit.operands().forEach(value -> lastReader.put(value, visit));
      visit.results().forEach(value -> made.add(walk.buffer(value)));
    }
    Set<Integer> freed = new HashSet<>();
    lastReader.forEach(
        (value, visit) -> {
          if (freeing.contains(visit)) {
            freed.add(walk.buffer(value));
          }
        });
    return freed;
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    HullList all = HullList.of(name(), planningCase.problem());
    Tables tables = new Tables(planningCase, all, null);
    tables.run(control);
    return new CasePlan(all.placement(tables.addresses()), tables.opened);
  }

  /** The tables after each op: rec_tbl, hold_edges and in_using_addr. */
  @Override
  public List<String> trace(PlanningCase planningCase) {
    HullList all = HullList.of(name(), planningCase.problem());
    List<String> steps = new ArrayList<>();
    new Tables(planningCase, all, steps::add).run(RunControl.unlimited());
    return steps;
  }

  private static final class Tables {
    private static final int NONE = -1;

    /** An entry of rec_tbl, with whether its value is in hold_edges. */
    private static final class Entry {
      private final int value;
      private final int block;
      private final long bytes;
      private int count;
      private boolean held = true;

      Entry(int value, int block, long bytes, int count) {
        this.value = value;
        this.block = block;
        this.bytes = bytes;
        this.count = count;
      }
    }

    private final PlanningCase given;
    private final HullList all;
    private final OpWalk walk;
    private final Consumer<String> listener;
    private final int[] rectangleOf;
    private final int[] uses;

    /** rec_tbl, and the entry of each value. */
    private final List<Entry> table = new ArrayList<>();

    private final Entry[] entryOf;
    private final boolean[] inUse;
    private final int[] blockOf;
    private final long[] addressOfBlock;
    private long end;

    int opened;

    Tables(PlanningCase given, HullList all, Consumer<String> listener) {
      this.given = given;
      this.all = all;
      this.walk = OpWalk.of(given);
      this.listener = listener;
      this.rectangleOf = all.rectangleOfBuffer();
      int values = walk.values();
      this.uses = new int[values];
      walk.visits().forEach(visit -> visit.operands().forEach(value -> uses[value]++));
      this.entryOf = new Entry[values];
      this.inUse = new boolean[values + all.count()];
      this.blockOf = new int[all.count()];
      this.addressOfBlock = new long[values + all.count()];
      Arrays.fill(blockOf, NONE);
    }

    void run(RunControl control) {
      for (OpWalk.Visit visit : walk.visits()) {
        NotPlannableException.throwIfStopped(control, table.size(), entryOf.length);
        for (int operand : visit.operands()) {
          Entry entry = entryOf[operand];
          if (entry != null && entry.count >= 1) {
            entry.count--;
          }
        }
        for (int result : visit.results()) {
          int rectangle = rectangleOf[walk.buffer(result)];
          if (entryOf[result] != null) {
            if (!inPlace(visit, result)) {
              release(visit);
            }
          } else if (blockOf[rectangle] != NONE) {
            record(result, blockOf[rectangle]);
          } else {
            blockOf[rectangle] = find(result, visit);
            record(result, blockOf[rectangle]);
            release(visit);
          }
        }
        if (listener != null) {
          listener.accept(visit.name() + ": " + text());
        }
      }
      for (int r = 0; r < blockOf.length; r++) {
        if (blockOf[r] == NONE) {
          // Declared, but made by no op: memory of its own.
          blockOf[r] = open(all.size[r]);
        }
      }
    }

    long[] addresses() {
      return Arrays.stream(blockOf).mapToLong(at -> addressOfBlock[at]).toArray();
    }

    /** Whether an op's result is where one of its operands is. */
    private boolean inPlace(OpWalk.Visit visit, int result) {
      return visit.operands().stream()
          .anyMatch(operand -> walk.buffer(operand) == walk.buffer(result));
    }

    private int find(int result, OpWalk.Visit visit) {
      long wanted = bytesOf(result);
      return table.stream()
          .filter(e -> !e.held && e.count == 0 && e.bytes >= wanted && !inUse[e.block])
          .map(e -> e.block)
          .filter(block -> !isOperandsBlock(block, visit))
          .findFirst()
          .orElseGet(() -> open(all.size[rectangleOf[walk.buffer(result)]]));
    }

    private boolean isOperandsBlock(int candidate, OpWalk.Visit visit) {
      return visit.operands().stream()
          .anyMatch(o -> entryOf[o] != null && entryOf[o].block == candidate);
    }

    private int open(long size) {
      addressOfBlock[opened] = end;
      end += size;
      return opened++;
    }

    /** The value's own bytes, not rounded up; all of its buffer's where that holds several. */
    private long bytesOf(int value) {
      long needed = 0;
      if (given.hasNetwork()) {
        for (PlanningCase.Part part : given.parts(walk.buffer(value))) {
          needed = Math.max(needed, part.offset() + given.network().tensor(part.tensor()).bytes());
        }
      }
      return needed > 0 ? needed : given.problem().buffer(walk.buffer(value)).size();
    }

    private void record(int value, int at) {
      entryOf[value] = new Entry(value, at, bytesOf(value), uses[value]);
      table.add(entryOf[value]);
      inUse[at] = true;
    }

    private void release(OpWalk.Visit visit) {
      for (int operand : visit.operands()) {
        Entry entry = entryOf[operand];
        if (entry != null && entry.held && entry.count == 0) {
          entry.held = false;
          inUse[entry.block] = false;
        }
      }
    }

    /** As {@code rec x@0+4*1 ..; hold a ..; use 0 ..}: value, address, bytes, uses to come. */
    private String text() {
      StringBuilder text = new StringBuilder("rec");
      for (Entry e : table) {
        text.append(' ').append(walk.name(e.value)).append('@').append(addressOfBlock[e.block]);
        text.append('+').append(e.bytes).append('*').append(e.count);
      }
      text.append("; hold");
      table.forEach(e -> text.append(e.held ? " " + walk.name(e.value) : ""));
      text.append("; use");
      for (int at = 0; at < opened; at++) {
        text.append(inUse[at] ? " " + addressOfBlock[at] : "");
      }
      return text.toString();
    }
  }
}

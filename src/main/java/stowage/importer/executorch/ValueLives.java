package stowage.importer.executorch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The live ranges of a method's planned tensors, by its instructions; step k is instruction k.
 *
 * <p>A tensor is alive from the first instruction that names it to the last; an input from the
 * start, an output to the end. A tensor that is read before any instruction writes it needs a
 * reason, and the first that holds is taken:
 *
 * <ol>
 *   <li>It shows what another tensor left in the same bytes: the file has no instruction for a view
 *       of a planned tensor, which has the place, the bytes and the element type of its base
 *       (exir/passes/replace_view_copy_with_view_pass.py). So the last tensor that was written
 *       there, if it has these too, is kept up to the view's first use. Example, from a real
 *       program: {@code avg_pool} writes value 257 at 8256, {@code linear} reads value 271 at 8256,
 *       and nothing writes 271.
 *   <li>It is state that stays from run to run. Nothing else is planned on its bytes then, and it
 *       is held throughout.
 *   <li>Else it is working memory of the one instruction.
 * </ol>
 *
 * <p>The same is asked of tensors that are written and never read. The arguments of a kernel end
 * with its results (exir/emit/_emitter.py), those of a delegate too, but those results are not
 * known from its operands. Only what is named before, and what comes before such in the list,
 * counts as an operand.
 *
 * <p>A jump back makes a loop: what is read in it before it is written there, or used after it, is
 * live through all of it. What is moved is live as long as the value it was moved into, and through
 * all of a loop where that is.
 */
final class ValueLives {
  private final PteProgram.Method method;
  private final int steps;
  private final int[] from;
  private final int[] to;
  private final boolean[] readFirst;
  private final boolean[] everRead;
  private final boolean[] held;
  private final List<int[]> moves = new ArrayList<>();

  private ValueLives(PteProgram.Method method) {
    this.method = method;
    this.steps = Math.max(1, method.instructions().size());
    int count = method.values().size();
    this.from = new int[count];
    this.to = new int[count];
    Arrays.fill(from, Integer.MAX_VALUE);
    this.readFirst = new boolean[count];
    this.everRead = new boolean[count];
    this.held = new boolean[count];
  }

  /**
   * A half-open range of steps for each value, empty at 0 for one that no instruction names; {@code
   * held} marks state.
   */
  record Ranges(int[] from, int[] to, boolean[] held, int steps) {}

  /**
   * The live ranges of a method's tensors. O(n log n) for n references where few tensors overlap.
   */
  static Ranges of(PteProgram.Method method) {
    ValueLives found = new ValueLives(method);
    found.referToAll();
    boolean changed = true;
    while (changed) {
      changed = found.followMoves() | found.followLoops();
    }
    found.explain();
    for (int value = 0; value < found.from.length; value++) {
      if (found.to[value] == 0) {
        found.from[value] = 0;
      }
    }
    return new Ranges(found.from, found.to, found.held, found.steps);
  }

  private void referToAll() {
    refer(method.inputs(), -1, false);
    for (int step = 0; step < method.instructions().size(); step++) {
      PteProgram.Instruction instruction = method.instructions().get(step);
      int[] args = instruction.args();
      switch (instruction.kind()) {
        case KERNEL -> kernel(instruction, step);
        case DELEGATE -> delegate(args, step);
        case MOVE -> {
          refer(Arrays.copyOf(args, 1), step, false);
          refer(Arrays.copyOfRange(args, 1, 2), step, true);
          if (args[0] >= 0 && args[1] >= 0) {
            moves.add(args);
          }
        }
        case JUMP -> refer(args, step, false);
        default -> {}
      }
    }
    for (int value : flat(method.outputs())) {
      from[value] = Math.min(from[value], steps - 1);
      to[value] = steps;
      everRead[value] = true;
    }
    for (int value : flat(method.inputs())) {
      from[value] = 0;
      to[value] = Math.max(1, to[value]);
      readFirst[value] = false;
    }
  }

  /** A kernel's results are its last argument, which names them a second time. */
  private void kernel(PteProgram.Instruction instruction, int step) {
    int[] args = instruction.args();
    if (args.length == 0) {
      return;
    }
    Set<Integer> results =
        new HashSet<>(flat(Arrays.copyOfRange(args, args.length - 1, args.length)));
    String op = instruction.op();
    int dot = op.lastIndexOf('.');
    boolean out = dot >= 0 && op.substring(dot).contains("out");
    Set<Integer> named = new HashSet<>();
    List<Integer> read = new ArrayList<>();
    for (int value : flat(Arrays.copyOf(args, args.length - 1))) {
      // An out-variant names its results among the operands once; another time is a real operand.
      if (!out || !results.contains(value) || !named.add(value)) {
        read.add(value);
      }
    }
    read.forEach(value -> touch(value, step, false));
    results.forEach(value -> touch(value, step, true));
  }

  private void delegate(int[] args, int step) {
    int lastKnown = -1;
    for (int k = 0; k < args.length; k++) {
      for (int value : flat(new int[] {args[k]})) {
        boolean constant =
            method.values().get(value).tensor() != null
                && method.values().get(value).tensor().memory() == 0;
        if (to[value] > 0 || from[value] < Integer.MAX_VALUE || constant) {
          lastKnown = k;
        }
      }
    }
    for (int k = 0; k < args.length; k++) {
      refer(new int[] {args[k]}, step, k > lastKnown);
    }
  }

  private void refer(int[] values, int step, boolean write) {
    flat(values).forEach(value -> touch(value, step, write));
  }

  private void touch(int value, int step, boolean write) {
    if (from[value] == Integer.MAX_VALUE) {
      from[value] = Math.max(0, step);
      readFirst[value] = !write && step >= 0;
    }
    to[value] = Math.max(to[value], step + 1);
    everRead[value] |= !write;
  }

  /** Tensors that some indices stand for: lists are followed, absent values left out. */
  private List<Integer> flat(int[] indices) {
    return IntStream.of(indices)
        .filter(index -> index >= 0)
        .flatMap(
            index -> {
              int[] items = method.values().get(index).items();
              return items.length == 0 ? IntStream.of(index) : IntStream.of(items);
            })
        .filter(item -> item >= 0)
        .boxed()
        .toList();
  }

  private boolean followMoves() {
    boolean changed = false;
    for (int[] move : moves) {
      changed |= to[move[0]] < to[move[1]];
      to[move[0]] = Math.max(to[move[0]], to[move[1]]);
    }
    return changed;
  }

  private boolean followLoops() {
    boolean changed = false;
    Set<Integer> given = new HashSet<>(flat(method.inputs()));
    for (int step = method.instructions().size() - 1; step >= 0; step--) {
      int target = method.instructions().get(step).target();
      if (target < 0 || target > step) {
        continue;
      }
      for (int value = 0; value < from.length; value++) {
        boolean within = from[value] >= target && to[value] <= step + 1 && !given.contains(value);
        boolean meets = from[value] <= step && to[value] > target;
        if (meets && (!within || readFirst[value] || isCarried(value, target, step))) {
          changed |= from[value] > target || to[value] <= step;
          from[value] = Math.min(from[value], target);
          to[value] = Math.max(to[value], step + 1);
        }
      }
    }
    return changed;
  }

  /** Whether a value is moved into one that is live through all of a loop. */
  private boolean isCarried(int value, int target, int step) {
    return moves.stream()
        .anyMatch(move -> move[0] == value && from[move[1]] <= target && to[move[1]] > step);
  }

  /** Gives a reason to each planned tensor that is read without having been written. */
  private void explain() {
    List<Integer> planned =
        IntStream.range(0, from.length)
            .filter(value -> method.values().get(value).isPlanned())
            .boxed()
            .sorted(Comparator.comparingInt(value -> from[value]))
            .toList();
    for (int value : planned) {
      PteProgram.TensorInfo tensor = method.values().get(value).tensor();
      boolean idle = to[value] == 0;
      if (tensor.state()) {
        hold(value);
      } else if (idle || readFirst[value] || !everRead[value]) {
        int base = readFirst[value] ? lastWritten(planned, value) : -1;
        if (base >= 0) {
          to[base] = Math.max(to[base], from[value] + 1);
        } else if (isAlone(planned, value)) {
          hold(value);
        }
      }
    }
  }

  private void hold(int value) {
    held[value] = true;
    from[value] = 0;
    to[value] = steps;
  }

  /** The tensor that was last written before another is read, where that can show it; or -1. */
  private int lastWritten(List<Integer> planned, int reader) {
    PteProgram.TensorInfo read = method.values().get(reader).tensor();
    int best = -1;
    for (int value : planned) {
      if (from[value] >= from[reader]) {
        break;
      }
      if (value != reader && read.touches(method.values().get(value).tensor())) {
        best = value;
      }
    }
    if (best < 0) {
      return -1;
    }
    PteProgram.TensorInfo written = method.values().get(best).tensor();
    boolean same = written.offset() == read.offset() && written.bytes() == read.bytes();
    return same && written.table().int8(0, 0) == read.table().int8(0, 0) ? best : -1;
  }

  /** Whether no other planned tensor has bytes of one. */
  private boolean isAlone(List<Integer> planned, int value) {
    PteProgram.TensorInfo tensor = method.values().get(value).tensor();
    return planned.stream()
        .filter(other -> other != value)
        .noneMatch(other -> tensor.touches(method.values().get(other).tensor()));
  }
}

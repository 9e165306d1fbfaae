package stowage.onchip.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.onchip.layer.Layer;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;

/**
 * Builder that turns a sliced group with its time table into the {@link LmemProblem} of its
 * buffers.
 *
 * <p>An activation is live from the step that makes or loads it to the last that reads or stores
 * it, both included; a constant from its load to its last use, or in every step where it stays for
 * all slices; scratch in its op's step alone. Buffers are numbered as TPU-MLIR creates them: by
 * stage, row, and within a row the ops' results and scratch before the loads.
 */
public final class LmemBuilder {
  /** What may not be in the ids of tables. */
  private static final Pattern UNFIT = Pattern.compile("[\\s,\"]+");

  private final SlicedGroup sliced;
  private final GroupModel group;
  private final TimeTable table;
  private final Map<Integer, List<Integer>> ops;
  private final Map<Integer, List<TimeTable.Move>> moves;
  private final Staying staying;
  private final long[] scratchBytes;
  private final List<LmemBuffer> buffers = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final int[] activations;
  private final int[] weights;
  private final Map<Integer, Integer> scratches = new HashMap<>();

  private LmemBuilder(GroupRun run, long[] scratchBytes) {
    this.scratchBytes = scratchBytes;
    this.sliced = run.sliced();
    this.group = sliced.group();
    this.table = run.table();
    this.ops =
        IntStream.range(0, group.size()).boxed().collect(Collectors.groupingBy(table::opRow));
    this.moves = table.moves().stream().collect(Collectors.groupingBy(TimeTable.Move::row));
    this.staying = run.staying();
    this.activations = new int[group.tensorCount()];
    this.weights = new int[group.weightCount()];
  }

  /**
   * The LMEM problem of a group, with which buffer is what and scratch bytes a lane by op, null for
   * what our model says; the table must not keep an activation for longer than it lasts. O(buffers
   * + rows * (constants + sharings)).
   */
  public static Built built(GroupRun run, long[] scratch) {
    LmemBuilder builder = new LmemBuilder(run, scratch);
    LmemProblem problem = builder.build();
    return new Built(problem, builder.activations, builder.weights, Map.copyOf(builder.scratches));
  }

  /**
   * A problem with the buffers of the group's activations and constants, and by an op's number
   * within the group the buffer of its scratch, absent for none.
   */
  public record Built(
      LmemProblem problem, int[] activations, int[] weights, Map<Integer, Integer> scratches) {}

  private LmemProblem build() {
    int[] starts = new int[group.tensorCount()];
    int[] ends = new int[group.tensorCount()];
    int[] weightStarts = new int[group.weightCount()];
    int[] weightEnds = new int[group.weightCount()];
    times(starts, ends, weightStarts, weightEnds);
    for (int stage = 0; stage < table.stages(); stage++) {
      for (int row = 0; row < table.rows(); row++) {
        if (stage == table.opStage()) {
          for (int member : ops.getOrDefault(row, List.of())) {
            for (int result : group.layer(member).results()) {
              int t = group.numberOf(result);
              activations[t] = activation(t, starts[t], ends[t]);
            }
            scratch(member, row);
          }
        }
        for (TimeTable.Move move : moves.getOrDefault(row, List.of())) {
          if (move.stage() != stage) {
            continue;
          }
          int index = move.index();
          if (move.kind() == TimeTable.MoveKind.LOAD) {
            activations[index] = activation(index, starts[index], ends[index]);
          } else if (move.kind() == TimeTable.MoveKind.WEIGHT) {
            weights[index] = weight(index, weightStarts[index], weightEnds[index]);
          }
        }
      }
    }
    return new LmemProblem(group.graph().chip(), table.rows(), buffers, steps(), sharings());
  }

  private void times(int[] starts, int[] ends, int[] weightStarts, int[] weightEnds) {
    for (int t = 0; t < starts.length; t++) {
      if (!group.isInput(t)) {
        starts[t] = table.timeOfOp(group.producer(t));
        ends[t] = starts[t];
      }
      for (int reader : group.readers(t)) {
        ends[t] = Math.max(ends[t], table.timeOfOp(reader));
      }
    }
    for (int w = 0; w < weightEnds.length; w++) {
      for (int reader : group.weightReaders(w)) {
        weightEnds[w] = Math.max(weightEnds[w], table.timeOfOp(reader));
      }
    }
    for (TimeTable.Move move : table.moves()) {
      switch (move.kind()) {
        case LOAD -> starts[move.index()] = table.timeOf(move);
        case STORE -> ends[move.index()] = Math.max(ends[move.index()], table.timeOf(move));
        case WEIGHT -> weightStarts[move.index()] = table.timeOf(move);
      }
    }
  }

  private int activation(int t, int start, int end) {
    String name = group.graph().tensor(group.tensor(t)).name();
    boolean held = staying.inputs()[t];
    return add(name, LmemBuffer.Kind.ACTIVATION, start, end, sliced.laneBytes(t), held);
  }

  private int weight(int w, int start, int end) {
    String name = group.graph().tensor(group.weight(w).tensor()).name();
    boolean held = staying.weights()[w];
    return add(name, LmemBuffer.Kind.WEIGHT, start, end, group.weightLaneBytes(w), held);
  }

  private void scratch(int member, int row) {
    Layer layer = group.layer(member);
    long size = scratchBytes == null ? sliced.scratch(layer) : scratchBytes[member];
    if (size > 0) {
      String id = layer.op().name() + ".scratch";
      scratches.put(member, add(id, LmemBuffer.Kind.SCRATCH, row, row, size, false));
    }
  }

  private int add(
      String name, LmemBuffer.Kind kind, int start, int end, long size, boolean resident) {
    int rows = table.rows();
    if (!resident && end - start >= rows) {
      throw new IllegalArgumentException(
          "\"" + name + "\" would live " + (end - start + 1) + " steps in a table of " + rows);
    }
    String id = unique(name, ids);
    LmemBuffer buffer =
        resident
            ? new LmemBuffer(id, kind, 0, rows, size, true)
            : new LmemBuffer(id, kind, start % rows, end % rows + 1, size, false);
    buffers.add(buffer);
    return buffers.size() - 1;
  }

  /** A name without blanks and commas that is not among the given ones, and is put there. */
  static String unique(String name, Set<String> taken) {
    String plain = isFit(name) ? name : UNFIT.matcher(name).replaceAll("_");
    String id = plain;
    for (int k = 2; !taken.add(id); k++) {
      id = plain + "#" + k;
    }
    return id;
  }

  /** Whether a name needs no change; checked without the pattern, because most do not. */
  private static boolean isFit(String name) {
    for (int k = 0; k < name.length(); k++) {
      char c = name.charAt(k);
      if (c <= ' ' || c == ',' || c == '"') {
        return false;
      }
    }
    return true;
  }

  private List<LmemProblem.Step> steps() {
    List<LmemProblem.Step> steps = new ArrayList<>();
    Map<Integer, Integer> numberOf = new HashMap<>();
    for (int w = 0; w < weights.length; w++) {
      numberOf.put(group.weight(w).tensor(), w);
    }
    for (int row = 0; row < table.rows(); row++) {
      List<LmemProblem.Compute> computes =
          ops.getOrDefault(row, List.of()).stream()
              .map(member -> compute(member, numberOf))
              .toList();
      List<LmemProblem.Move> loads = new ArrayList<>();
      List<LmemProblem.Move> stores = new ArrayList<>();
      for (TimeTable.Move move : moves.getOrDefault(row, List.of())) {
        int buffer = (move.isWeight() ? weights : activations)[move.index()];
        String name = group.graph().tensor(move.tensor(group)).name();
        (move.kind() == TimeTable.MoveKind.STORE ? stores : loads)
            .add(new LmemProblem.Move(buffer, name));
      }
      steps.add(new LmemProblem.Step(computes, loads, stores));
    }
    return steps;
  }

  private LmemProblem.Compute compute(int member, Map<Integer, Integer> numberOf) {
    Layer layer = group.layer(member);
    List<Integer> reads = new ArrayList<>();
    layer.operands().forEach(operand -> reads.add(activations[group.numberOf(operand.tensor())]));
    for (Layer.WeightUse use : layer.weights()) {
      reads.add(weights[numberOf.get(use.tensor())]);
    }
    List<Integer> writes =
        IntStream.of(layer.results()).mapToObj(r -> activations[group.numberOf(r)]).toList();
    return new LmemProblem.Compute(
        layer.op().name(), reads, writes, scratches.getOrDefault(member, -1));
  }

  private List<LmemProblem.Sharing> sharings() {
    List<LmemProblem.Sharing> sharings = new ArrayList<>();
    if (!group.graph().chip().isBm1684xFamily()) {
      return sharings;
    }
    for (int m = 0; m < group.size(); m++) {
      Layer layer = group.layer(m);
      if (!layer.inPlace()) {
        continue;
      }
      int from = group.numberOf(layer.operands().get(0).tensor());
      int operand = activations[from];
      int result = activations[group.numberOf(layer.results()[0])];
      boolean alone = group.readers(from).length == 1 && !group.isStored(from);
      if (alone && canShare(buffers.get(operand), buffers.get(result), table.opRow(m))) {
        sharings.add(new LmemProblem.Sharing(result, operand));
      }
    }
    return sharings;
  }

  /**
   * Whether the operand's live range ends in the op's step, in which the result's begins, both go
   * beyond it, and they meet in no other.
   */
  private boolean canShare(LmemBuffer operand, LmemBuffer result, int row) {
    int rows = table.rows();
    return !operand.resident()
        && operand.end() == row + 1
        && 0 < result.size()
        && result.size() <= operand.size()
        && Math.min(operand.length(rows), result.length(rows)) > 1
        && operand.length(rows) + result.length(rows) <= rows + 1;
  }
}

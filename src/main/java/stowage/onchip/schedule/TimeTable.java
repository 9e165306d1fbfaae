package stowage.onchip.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.onchip.slice.GroupModel;

/**
 * In which step of a group each op computes and each transfer runs.
 *
 * <p>In a pipelined table the steps repeat for every slice, and a round works on up to three slices
 * at once: stage 0 loads for the next slice, stage 1 computes, stage 2 stores results of the last
 * one. An event of stage s in row r of a table of R rows happens, seen from its own slice, at time
 * s * R + r; a buffer that is live from one such time to another, less than R later, occupies the
 * rows between, around the end of the table where need be.
 *
 * @param stages how many slices are worked on at once: 1 or 3
 * @param opStage the stage of all ops
 * @param opRows step of each op of the group, by number within it
 */
public record TimeTable(int rows, int stages, int opStage, int[] opRows, List<Move> moves) {
  public TimeTable {
    moves = List.copyOf(moves);
  }

  /** What a transfer moves. */
  public enum MoveKind {
    /** An activation from GMEM. */
    LOAD,
    /** A constant from GMEM. */
    WEIGHT,
    /** An activation to GMEM. */
    STORE
  }

  /**
   * A transfer of an activation or constant, by its number within the group; the stage is 0 in
   * tables without a pipeline.
   */
  public record Move(MoveKind kind, int index, int row, int stage) {
    Move at(int otherRow, int otherStage) {
      return new Move(kind, index, otherRow, otherStage);
    }

    /** Whether a constant is moved. */
    public boolean isWeight() {
      return kind == MoveKind.WEIGHT;
    }

    /** What is moved, as an index in the network's graph. */
    public int tensor(GroupModel group) {
      return isWeight() ? group.weight(index).tensor() : group.tensor(index);
    }
  }

  /** The step of an op, by number within the group. */
  public int opRow(int member) {
    return opRows[member];
  }

  /** The ops of a step, by number within the group. */
  public int[] opsIn(int row) {
    return IntStream.range(0, opRows.length).filter(m -> opRows[m] == row).toArray();
  }

  /** The transfers of a step. */
  public List<Move> movesIn(int row) {
    return moves.stream().filter(move -> move.row() == row).toList();
  }

  /** The table with one transfer in another row. */
  public TimeTable with(Move move, int row, int stage) {
    List<Move> others = new ArrayList<>(moves);
    others.set(others.indexOf(move), move.at(row, stage));
    return new TimeTable(rows, stages, opStage, opRows, others);
  }

  /**
   * What is wrong with the order of a group's steps, one line each: what an op reads or a transfer
   * stores is there before, and what comes from off the chip is loaded once. Operations of one step
   * run in their order, next to its transfers. Shares no code with what makes tables. O(moves +
   * operands).
   */
  public List<String> faults(GroupModel group) {
    List<String> wrong = new ArrayList<>();
    int[] tensors = new int[group.tensorCount()];
    int[] constants = new int[group.weightCount()];
    Arrays.fill(tensors, Integer.MAX_VALUE);
    Arrays.fill(constants, Integer.MAX_VALUE);
    boolean[] stored = new boolean[tensors.length];
    for (int t = 0; t < tensors.length; t++) {
      tensors[t] = group.isInput(t) ? tensors[t] : timeOfOp(group.producer(t));
    }
    for (Move move : moves) {
      int[] there = move.kind() == MoveKind.WEIGHT ? constants : tensors;
      if (move.kind() == MoveKind.STORE) {
        stored[move.index()] = true;
      } else if (there[move.index()] != Integer.MAX_VALUE) {
        wrong.add(name(group, move.kind(), move.index()) + " is loaded again");
      } else {
        there[move.index()] = timeOf(move) + 1;
      }
    }
    for (Move move : moves) {
      if (move.kind() == MoveKind.STORE && timeOf(move) <= tensors[move.index()]) {
        wrong.add(name(group, move.kind(), move.index()) + " is stored before it is made");
      }
    }
    for (int t = 0; t < tensors.length; t++) {
      read(group, MoveKind.LOAD, t, group.readers(t), tensors[t], wrong);
      if (group.isStored(t) && !stored[t]) {
        wrong.add(name(group, MoveKind.STORE, t) + " is not stored");
      }
    }
    for (int w = 0; w < constants.length; w++) {
      read(group, MoveKind.WEIGHT, w, group.weightReaders(w), constants[w], wrong);
    }
    return wrong;
  }

  private void read(
      GroupModel group, MoveKind kind, int index, int[] readers, int there, List<String> wrong) {
    for (int reader : readers) {
      if (timeOfOp(reader) < there) {
        String op = group.layer(reader).op().name();
        wrong.add(
            "%s reads %s before it is there, in step %d"
                .formatted(op, name(group, kind, index), opRows[reader]));
      }
    }
  }

  private static String name(GroupModel group, MoveKind kind, int index) {
    int tensor = kind == MoveKind.WEIGHT ? group.weight(index).tensor() : group.tensor(index);
    return group.graph().tensor(tensor).name();
  }

  int timeOfOp(int member) {
    return opStage * rows + opRows[member];
  }

  int timeOf(Move move) {
    return move.stage() * rows + move.row();
  }
}

package stowage.onchip.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;

/**
 * Layout of a sliced group's {@link TimeTable}.
 *
 * <p>N ops in execution order take N + 2 rows: row 0 loads what the first op reads; row k computes
 * op k, loads what op k + 1 reads and is not there yet, and stores what op k - 1 made for GMEM; the
 * last row stores what the last op made. Where a row moves longer than it computes, its loads go to
 * earlier rows that have time to spare, its stores to later ones, as long as that gains; so the
 * weight of an op after a short one is loaded alongside a long one before it.
 *
 * <p>With more than one op the table is then folded into a pipeline of three stages: the first
 * row's loads run in the last row, for the next slice; the last row's stores run in the first, for
 * the slice before. A row is added where the op there still uses what they would overwrite.
 *
 * <pre>
 *   row   linear                         folded
 *   0     load x, w1                     conv1  load w2   store y of the slice before
 *   1     conv1  load w2                 conv2  load x, w1 for the next slice
 *   2     conv2
 *   3     store y
 * </pre>
 *
 * <p>Source: BasicTimeStep, TimeStepMethod and SwPipeline of TPU-MLIR, and the chapter on layer
 * groups of its developer manual.
 */
public final class TimeSteps {
  private final SlicedGroup sliced;
  private final GroupModel group;
  private final CostModel cost;

  /** The steps of a group by how long ops and transfers take. */
  public TimeSteps(SlicedGroup sliced, CostModel cost) {
    this.sliced = sliced;
    this.group = sliced.group();
    this.cost = cost;
  }

  /** The table with every load just in time and every store at once, N + 2 rows. O(N * moves). */
  public TimeTable linear() {
    int n = group.size();
    int[] rows = IntStream.range(0, n).map(m -> m + 1).toArray();
    List<TimeTable.Move> moves = new ArrayList<>();
    for (int t = 0; t < group.tensorCount(); t++) {
      if (group.isInput(t)) {
        int first = group.readers(t)[0];
        moves.add(new TimeTable.Move(TimeTable.MoveKind.LOAD, t, first, 0));
      }
      if (group.isStored(t)) {
        int row = group.producer(t) + 2;
        moves.add(new TimeTable.Move(TimeTable.MoveKind.STORE, t, row, 0));
      }
    }
    for (int w = 0; w < group.weightCount(); w++) {
      int first = group.weightReaders(w)[0];
      moves.add(new TimeTable.Move(TimeTable.MoveKind.WEIGHT, w, first, 0));
    }
    return new TimeTable(n + 2, 1, 0, rows, moves);
  }

  /**
   * Moves loads earlier and stores later into rows with time to spare. A move is made while it
   * shortens the table; of equal ones the smaller product of bytes and rows (plus one) goes first.
   * O(moves^2 * rows with little to spare).
   */
  public TimeTable balanced(TimeTable table) {
    double[] slack = new double[table.rows()];
    for (int m = 0; m < group.size(); m++) {
      slack[table.opRow(m)] += cost.memberCycles(sliced, m);
    }
    List<TimeTable.Move> moves = new ArrayList<>(table.moves());
    double[] cycles = new double[moves.size()];
    for (int k = 0; k < cycles.length; k++) {
      cycles[k] = cost.moveCycles(sliced, moves.get(k));
      slack[moves.get(k).row()] -= cycles[k];
    }
    NavigableSet<Integer> spare = new TreeSet<>(); // rows that transfers may go to
    for (int row = 1; row < table.rows() - 1; row++) {
      if (slack[row] > 0) {
        spare.add(row);
      }
    }
    boolean moved = true;
    while (moved) {
      moved = false;
      double best = 1e-9;
      double bestWeight = 0;
      int bestMove = -1;
      int bestRow = -1;
      for (int k = 0; k < cycles.length; k++) {
        TimeTable.Move move = moves.get(k);
        double deficit = -slack[move.row()];
        double gain = Math.min(deficit, cycles[k]);
        if (deficit <= 0 || gain <= best - 1e-9) {
          continue;
        }
        boolean store = move.kind() == TimeTable.MoveKind.STORE;
        for (int row :
            store
                ? spare.tailSet(move.row(), false)
                : spare.headSet(move.row(), false).descendingSet()) {
          double profit = gain - Math.max(0, cycles[k] - slack[row]);
          if (profit > best - 1e-9) {
            double weight = bytes(move) * (double) (Math.abs(row - move.row()) + 1);
            if (profit > best + 1e-9 || (bestMove >= 0 && weight < bestWeight)) {
              best = profit;
              bestWeight = weight;
              bestMove = k;
              bestRow = row;
            }
          }
          if (slack[row] >= cycles[k]) {
            break; // rows further away gain no more and weigh more
          }
        }
      }
      if (bestMove >= 0) {
        TimeTable.Move move = moves.get(bestMove);
        slack[move.row()] += cycles[bestMove];
        slack[bestRow] -= cycles[bestMove];
        if (slack[bestRow] <= 0) {
          spare.remove(bestRow);
        }
        if (slack[move.row()] > 0 && 0 < move.row() && move.row() < table.rows() - 1) {
          spare.add(move.row());
        }
        moves.set(bestMove, move.at(bestRow, 0));
        moved = true;
      }
    }
    int[] rows = new int[group.size()];
    Arrays.setAll(rows, table::opRow);
    return new TimeTable(table.rows(), 1, 0, rows, moves);
  }

  private long bytes(TimeTable.Move move) {
    return move.isWeight() ? group.weightLaneBytes(move.index()) : sliced.laneBytes(move.index());
  }

  /** The linear table folded into a pipeline of three stages; unchanged for a single op. */
  public TimeTable folded(TimeTable table) {
    int n = group.size();
    if (n <= 1) {
      return table;
    }
    List<TimeTable.Move> first = table.movesIn(0);
    List<TimeTable.Move> last = table.movesIn(table.rows() - 1);
    boolean storesApart = touches(0, last);
    boolean loadsApart = touches(n - 1, first);
    int shift = storesApart ? 0 : -1;
    int rows = n + (storesApart ? 1 : 0) + (loadsApart ? 1 : 0);
    int[] opRows = IntStream.range(0, n).map(m -> table.opRow(m) + shift).toArray();
    List<TimeTable.Move> moves = new ArrayList<>();
    for (TimeTable.Move move : table.moves()) {
      if (move.row() == 0) {
        moves.add(move.at(rows - 1, 0));
      } else if (move.row() == table.rows() - 1) {
        moves.add(move.at(0, 2));
      } else {
        moves.add(move.at(move.row() + shift, 1));
      }
    }
    return new TimeTable(rows, 3, 1, opRows, moves);
  }

  /** Whether an op reads or writes what any of the transfers moves. */
  private boolean touches(int member, List<TimeTable.Move> moves) {
    return moves.stream()
        .anyMatch(
            move ->
                move.isWeight()
                    ? IntStream.of(group.weightReaders(move.index())).anyMatch(m -> m == member)
                    : group.touches(member, move.index()));
  }

  /** The table as a group runs it: balanced, and folded where asked and where there are two ops. */
  public TimeTable table(boolean pipelined) {
    TimeTable balanced = balanced(linear());
    return pipelined ? folded(balanced) : balanced;
  }

  /** The group as it runs by {@link #table}. */
  public GroupRun run(boolean pipelined, Staying staying) {
    return new GroupRun(sliced, table(pipelined), staying);
  }

  /**
   * Moves each store that runs alongside an op reading the very tensor to a later row where it does
   * not and where the table takes no longer: such a store shares the tensor's banks with the op
   * wherever it is. O(stores * rows * moves).
   */
  public GroupRun withoutSelfClashes(GroupRun run) {
    TimeTable table = run.table();
    TimeTable best = table;
    double cycles = cost.groupCycles(run);
    for (TimeTable.Move move : table.moves()) {
      if (move.kind() != TimeTable.MoveKind.STORE || !isUsedIn(best, move.index(), move.row())) {
        continue;
      }
      int made = table.opStage() * table.rows() + table.opRow(group.producer(move.index()));
      int now = move.stage() * table.rows() + move.row();
      int end = Math.min(made + table.rows(), table.stages() * table.rows());
      for (int time = now + 1; time < end; time++) {
        int row = time % table.rows();
        if (isUsedIn(table, move.index(), row)) {
          continue;
        }
        TimeTable moved = best.with(move, row, time / table.rows());
        double taken = cost.groupCycles(run.with(moved));
        if (taken <= cycles * (1 + 1e-12)) {
          best = moved;
          break;
        }
      }
    }
    return best == table ? run : run.with(best);
  }

  private boolean isUsedIn(TimeTable table, int activation, int row) {
    return IntStream.of(table.opsIn(row)).anyMatch(member -> group.touches(member, activation));
  }
}

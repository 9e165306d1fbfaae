package stowage.report.group;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.onchip.schedule.TimeTable;
import stowage.onchip.schedule.TimeTable.Move;
import stowage.onchip.schedule.TimeTable.MoveKind;
import stowage.onchip.slice.GroupModel;

/**
 * The {@code table} of a group in a {@code groups.json}, read as a {@link TimeTable}. It names no
 * stages, which follow: in a table of three a load that is not before the first op that reads it is
 * for the next slice, and a store that is not after the op that makes it is of the slice before.
 */
final class GroupSteps {
  private final GroupModel group;
  private final String where;
  private final int[] opRows;
  private final Map<String, Integer> activations = new HashMap<>();
  private final Map<String, Integer> weights = new HashMap<>();
  private final List<Move> moves = new ArrayList<>();

  private GroupSteps(String where, GroupModel group) {
    this.group = group;
    this.where = where;
    this.opRows = new int[group.size()];
    Arrays.fill(opRows, -1);
    for (int t = 0; t < group.tensorCount(); t++) {
      activations.put(group.graph().tensor(group.tensor(t)).name(), t);
    }
    for (int w = 0; w < group.weightCount(); w++) {
      weights.put(group.graph().tensor(group.weight(w).tensor()).name(), w);
    }
  }

  /** Reads it; it is an {@link IllegalArgumentException} what it does not say of the group. */
  static TimeTable read(String where, JsonNode table, GroupModel group) {
    GroupSteps steps = new GroupSteps(where, group);
    Map<String, Integer> ops = new HashMap<>();
    for (int m = 0; m < group.size(); m++) {
      ops.put(group.layer(m).op().name(), m);
    }
    for (int row = 0; row < table.size(); row++) {
      for (JsonNode op : table.get(row).path("compute")) {
        int member = steps.number(ops, row, op, "op");
        if (steps.opRows[member] >= 0) {
          throw steps.wrong(row, "computes \"%s\" again".formatted(op.asText()));
        }
        steps.opRows[member] = row;
      }
    }
    int missing = Arrays.stream(steps.opRows).boxed().toList().indexOf(-1);
    if (missing >= 0) {
      String name = group.layer(missing).op().name();
      throw new IllegalArgumentException(where + " computes \"" + name + "\" in no step");
    }
    for (int row = 0; row < table.size(); row++) {
      for (JsonNode load : table.get(row).path("load")) {
        boolean weight = steps.weights.containsKey(load.asText());
        int index = steps.number(weight ? steps.weights : steps.activations, row, load, "tensor");
        steps.load(weight ? MoveKind.WEIGHT : MoveKind.LOAD, index, row);
      }
      for (JsonNode store : table.get(row).path("store")) {
        steps.store(steps.number(steps.activations, row, store, "tensor"), row);
      }
    }
    boolean pipelined = steps.moves.stream().anyMatch(move -> move.stage() != 1);
    return pipelined
        ? new TimeTable(table.size(), 3, 1, steps.opRows, steps.moves)
        : new TimeTable(
            table.size(), 1, 0, steps.opRows, steps.moves.stream().map(GroupSteps::only).toList());
  }

  private static Move only(Move move) {
    return new Move(move.kind(), move.index(), move.row(), 0);
  }

  private IllegalArgumentException wrong(int row, String what) {
    return new IllegalArgumentException(where + "[" + row + "] " + what);
  }

  private int number(Map<String, Integer> numbers, int row, JsonNode name, String what) {
    Integer number = numbers.get(name.asText());
    if (number == null) {
      throw wrong(row, "names the %s %s, which the group does not have".formatted(what, name));
    }
    return number;
  }

  private void load(MoveKind kind, int index, int row) {
    int[] readers = kind == MoveKind.WEIGHT ? group.weightReaders(index) : group.readers(index);
    int first = IntStream.of(readers).map(reader -> opRows[reader]).min().orElse(row + 1);
    moves.add(new Move(kind, index, row, row < first ? 1 : 0));
  }

  private void store(int index, int row) {
    boolean after = group.isInput(index) || row > opRows[group.producer(index)];
    moves.add(new Move(MoveKind.STORE, index, row, after ? 1 : 2));
  }
}

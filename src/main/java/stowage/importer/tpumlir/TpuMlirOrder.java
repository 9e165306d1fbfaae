package stowage.importer.tpumlir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.RankedOrder;

/**
 * Writes a TPU-MLIR file with the ops of each function in another order. An op is a line of the
 * file; the lines of a function change places, and each stays letter by letter as it was. Weights
 * come before the first op that reads them.
 */
public final class TpuMlirOrder {
  private static final Pattern VALUE = Pattern.compile("%[\\w.$-]+");

  private TpuMlirOrder() {}

  /**
   * Writes a copy of a file with its ops in another order.
   *
   * @param places the place of the op that makes a tensor in the order wanted, by tensor
   * @throws InputException when the file cannot be read, or its ops are in groups already
   * @throws IOException when the file cannot be written
   */
  public static void write(Path source, Map<String, Integer> places, Path target)
      throws IOException {
    TpuMlirReader.Result read = TpuMlirReader.read(source);
    if (!read.module().groups().isEmpty()) {
      throw new InputException(
          source, "", "has its ops in groups already, which fix their order; order them before");
    }
    String[] lines = read.text().split("\n", -1);
    TreeMap<Integer, Integer> rankOfLine = new TreeMap<>();
    for (TpuOp op : read.module().ops()) {
      int rank = -1;
      for (TpuValue output : op.outputs()) {
        rank = Math.max(rank, places.getOrDefault(output.name(), -1));
      }
      if (rankOfLine.put(op.line() - 1, rank) != null) {
        throw new InputException(
            source, "line " + op.line(), "holds several ops; each should be on a line of its own");
      }
    }
    for (int line = 0; line < lines.length; line++) {
      if (rankOfLine.containsKey(line)) {
        int from = line;
        while (from > 0 && defines(lines[from - 1])) {
          from--;
        }
        int to = line + 1;
        while (to < lines.length && defines(lines[to])) {
          to++;
        }
        reorder(lines, from, to, rankOfLine);
        line = to;
      }
    }
    AtomicFiles.writeString(target, String.join("\n", lines));
  }

  private static boolean defines(String line) {
    return line.stripLeading().startsWith("%")
        && line.contains("=")
        && !line.stripTrailing().endsWith("{");
  }

  private static void reorder(String[] lines, int from, int to, Map<Integer, Integer> rankOfLine) {
    int[] ranks = new int[to - from];
    List<List<Integer>> needed = new ArrayList<>();
    Map<String, Integer> maker = new HashMap<>();
    for (int k = 0; k < ranks.length; k++) {
      ranks[k] = rankOfLine.getOrDefault(from + k, -1);
      String line = lines[from + k];
      int equals = line.indexOf('=');
      List<Integer> before = new ArrayList<>();
      Matcher operand = VALUE.matcher(line.substring(equals));
      while (operand.find()) {
        if (maker.containsKey(operand.group())) {
          before.add(maker.get(operand.group()));
        }
      }
      needed.add(before);
      Matcher result = VALUE.matcher(line.substring(0, equals));
      while (result.find()) {
        maker.put(result.group(), k);
      }
    }
    String[] old = Arrays.copyOfRange(lines, from, to);
    int[] order = RankedOrder.of(ranks, needed);
    for (int k = 0; k < order.length; k++) {
      lines[from + k] = old[order[k]];
    }
  }
}

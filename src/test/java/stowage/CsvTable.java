package stowage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tables in CSV that the program has written. */
public final class CsvTable {
  private CsvTable() {}

  /** The rows, each with its cells by column, without quotes around them. */
  public static List<Map<String, String>> rows(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String[] columns = lines.get(0).split(",");
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      // Commas within quotes stay with their cell.
      String[] cells = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
      Map<String, String> row = new LinkedHashMap<>();
      for (int c = 0; c < columns.length; c++) {
        row.put(columns[c], cells[c].replaceAll("^\"|\"$", ""));
      }
      rows.add(row);
    }
    return rows;
  }
}

package stowage.exact.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.presolve.Demands;

/** Reader of public lists of buffers as components. */
public final class DataFiles {
  private DataFiles() {}

  /** Reads id, lower, upper, size and, where there is one, alignment. */
  public static Component read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> columns = new ArrayList<>(List.of(lines.get(0).split(",")));
    columns.replaceAll(name -> name.equals("start") || name.equals("begin") ? "lower" : name);
    int alignment = columns.indexOf("alignment");
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",");
      int buffer =
          builder.add(
              Long.parseLong(fields[columns.indexOf("size")]),
              Integer.parseInt(fields[columns.indexOf("lower")]),
              Integer.parseInt(fields[columns.indexOf("upper")]));
      if (alignment >= 0) {
        Demands.align(builder, buffer, Long.parseLong(fields[alignment]));
      }
    }
    return builder.build();
  }
}

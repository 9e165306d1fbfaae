package stowage.exact.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;

/** Public data that is beside the project, if it does: {@code -Dstowage.data=DIR}. */
public final class DataFiles {
  private DataFiles() {}

  /** The files of a folder in the order of their names; the test is skipped where it is absent. */
  public static List<Path> csv(String folder) throws IOException {
    Path path = Path.of(System.getProperty("stowage.data", "../shared/data"), folder);
    Assumptions.assumeTrue(Files.isDirectory(path), "no public data at " + path);
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
    }
  }

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
        builder.align(buffer, Long.parseLong(fields[alignment]));
      }
    }
    return builder.build();
  }
}

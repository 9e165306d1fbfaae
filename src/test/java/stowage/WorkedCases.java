package stowage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Cases worked by hand in a resource: a line of == and a name, then lines; # begins a remark. */
public final class WorkedCases {
  private WorkedCases() {}

  /** The name of each case, and its lines without remarks. */
  public static Stream<Arguments> of(String resource) throws IOException {
    return all(resource).entrySet().stream().map(one -> Arguments.of(one.getKey(), one.getValue()));
  }

  /** The lines of each case by its name, in the order of the file. */
  public static Map<String, List<String>> all(String resource) throws IOException {
    Map<String, List<String>> cases = new LinkedHashMap<>();
    List<String> lines = List.of();
    for (String line : Files.readAllLines(Path.of("src/test/resources/stowage", resource))) {
      if (line.startsWith("== ")) {
        lines = new ArrayList<>();
        cases.put(line.substring(3), lines);
      } else if (!line.startsWith("#")) {
        lines.add(line);
      }
    }
    return cases;
  }
}

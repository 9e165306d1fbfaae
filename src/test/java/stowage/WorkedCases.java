package stowage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Cases worked by hand in a resource: a line of == and a name, then lines; # begins a remark. */
public final class WorkedCases {
  private WorkedCases() {}

  /** The name of each case, and its lines without remarks. */
  public static Stream<Arguments> of(String resource) throws IOException {
    List<Arguments> cases = new ArrayList<>();
    List<String> lines = List.of();
    for (String line : Files.readAllLines(Path.of("src/test/resources/stowage", resource))) {
      if (line.startsWith("== ")) {
        lines = new ArrayList<>();
        cases.add(Arguments.of(line.substring(3), lines));
      } else if (!line.startsWith("#")) {
        lines.add(line);
      }
    }
    return cases.stream();
  }
}

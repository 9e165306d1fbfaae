package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of what the first documents describe: its counts, its verdicts and its tests. */
class SeedsTableTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| (\\d+) \\| (.*?) \\| (works|partly|differs|missing) \\| (.*) \\|$");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

  private static String table() throws IOException {
    return Files.readString(Path.of("docs/internals/seeds.md"));
  }

  @Test
  void everyItemWorksOrDiffersOnPurposeWithATest() throws IOException {
    TreeMap<Integer, String> verdicts = new TreeMap<>();
    Set<String> tests =
        FolderTest.files(Path.of("src/test/java"), "Test.java").stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    for (String line : table().lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (!row.matches()) {
        continue;
      }
      verdicts.put(Integer.parseInt(row.group(1)), row.group(3));
      List<String> named = new ArrayList<>();
      Matcher test = TEST.matcher(row.group(4));
      while (test.find()) {
        named.add(test.group(1));
        assertTrue(tests.contains(test.group(1)), "no test " + test.group(1) + ": " + line);
      }
      assertTrue(row.group(3).equals("works") || !named.isEmpty(), "no test: " + line);
    }
    assertEquals(137, verdicts.size());
    assertEquals(137, verdicts.lastKey());
    List<String> others = verdicts.values().stream().filter(v -> !v.equals("works")).toList();
    assertTrue(others.size() <= 10, others.toString());
    assertTrue(others.stream().allMatch("differs"::equals), others.toString());
    assertTrue(
        table().contains("| together | " + (137 - others.size()) + " | 0 | " + others.size()));
  }
}

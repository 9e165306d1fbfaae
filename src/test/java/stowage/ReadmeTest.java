package stowage;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps the README true: its Java compiles and runs, and what it names is there. */
class ReadmeTest {
  private static final Path README = Path.of("README.md");

  @Test
  void theLibraryExampleRuns(@TempDir Path folder) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = DocumentExample.compiled(README, "Example", folder)) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader
          .loadClass("Example")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    String answer = printed.toString(StandardCharsets.UTF_8);
    assertTrue(answer.startsWith("OPTIMAL 14336 "), answer);
  }

  @Test
  void everyFileItLinksToIsThere() throws IOException {
    Matcher link = Pattern.compile("\\]\\(((?!https?:)[^)#]+)").matcher(Files.readString(README));
    while (link.find()) {
      assertTrue(Files.exists(Path.of(link.group(1))), link.group(1));
    }
  }
}

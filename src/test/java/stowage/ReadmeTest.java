package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps the README true: its Java compiles and runs, and what it names is there. */
class ReadmeTest {
  private static final String README = read(Path.of("README.md"));

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void theLibraryExampleRuns(@TempDir Path folder) throws Exception {
    Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(README);
    assertTrue(block.find(), "the README should hold an example in Java");
    Path source = Files.writeString(folder.resolve("Example.java"), block.group(1));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString());
    assertEquals(0, compiled);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
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
  void everyFileItLinksToIsThere() {
    Matcher link = Pattern.compile("\\]\\(((?!https?:)[^)#]+)").matcher(README);
    while (link.find()) {
      assertTrue(Files.exists(Path.of(link.group(1))), link.group(1));
    }
  }
}

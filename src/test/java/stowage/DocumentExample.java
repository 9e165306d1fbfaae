package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** The examples that a page of the documentation holds. */
final class DocumentExample {
  private DocumentExample() {}

  /** The first block of a page in a language. */
  static String block(Path page, String language) throws IOException {
    Matcher block =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(page));
    assertTrue(block.find(), page + " should hold an example in " + language);
    return block.group(1);
  }

  /** Compiles a page's example in Java, a class of the given name, and loads what comes of it. */
  static URLClassLoader compiled(Path page, String name, Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve(name + ".java"), block(page, "java"));
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
    return new URLClassLoader(new URL[] {folder.toUri().toURL()});
  }
}

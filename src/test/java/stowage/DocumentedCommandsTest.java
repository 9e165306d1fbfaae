package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the README and the tutorials as they are written, and follows the links of
 * all pages.
 */
class DocumentedCommandsTest {
  private static final Path TUTORIALS = Path.of("docs/tutorials");
  private static final Path README = Path.of("README.md");

  /** Commands that start workers, which other tests cover. */
  private static final Pattern WORKERS = Pattern.compile("^experiment .*");

  @Test
  void everyCommandOfTheReadmeAndTheTutorialsEndsAsItSays(@TempDir Path folder) throws Exception {
    List<String> lines = new ArrayList<>();
    List<Path> pages = new ArrayList<>(FolderTest.files(TUTORIALS, ""));
    pages.add(README);
    for (Path page : pages) {
      Path out = Files.createDirectories(folder.resolve(page.getFileName().toString()));
      for (String command : commands(page)) {
        if (!WORKERS.matcher(command).matches()) {
          String line = command.replaceAll("(?<= )out(?=[/ ]|$)", out.toString());
          lines.add(line.startsWith("compare ") ? hurried(line) : line);
        }
      }
    }
    assertTrue(lines.size() >= 15, lines.size() + " commands");
    Path script = Files.write(folder.resolve("lines"), lines);
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Programs.JAVA,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(folder.resolve("classes")),
                CommandLines.class.getName(),
                script.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertEquals(0, process.waitFor(), () -> tail(log));
  }

  /** A comparison within one second, which ends as it does within its own limit. */
  private static String hurried(String line) {
    return line.replaceAll(" --time-limit \\S+", "") + " --time-limit 1s";
  }

  /**
   * The class path of these tests with the two classes that run command lines alone: the planners
   * of the tests, some of which fail on purpose, are no part of what is documented.
   */
  private static String classPath(Path classes) throws IOException {
    String path = System.getProperty("java.class.path");
    if (DocumentedCommandsTest.class.getClassLoader() instanceof URLClassLoader loader) {
      for (URL url : loader.getURLs()) {
        path += File.pathSeparator + url.getPath();
      }
    }
    StringBuilder without = new StringBuilder(classes.toString());
    for (String place : path.split(File.pathSeparator)) {
      if (!place.replaceFirst("/$", "").endsWith("test-classes")) {
        without.append(File.pathSeparator).append(place);
      }
    }
    for (Class<?> type : List.of(CommandLines.class, stowage.cli.Stowage.class)) {
      String name = type.getName().replace('.', '/') + ".class";
      Path copy = classes.resolve(name);
      Files.createDirectories(copy.getParent());
      try (InputStream bytes = type.getClassLoader().getResourceAsStream(name)) {
        Files.copy(bytes, copy);
      }
    }
    return without.toString();
  }

  /** Runs the lines of a file one after the other and ends at the first that ends otherwise. */
  static final class CommandLines {
    public static void main(String[] arguments) throws IOException {
      for (String line : Files.readAllLines(Path.of(arguments[0]))) {
        System.out.println("$ " + line);
        var ran = stowage.cli.Stowage.run((Object[]) line.split(" +"));
        System.out.println(ran.out() + ran.err());
        // Only the tutorial's first question has no for an answer.
        boolean no = line.startsWith("plan models/examples/keywords.tflite --capacity");
        if (ran.code() != (no ? 4 : 0)) {
          System.out.println("ended with " + ran.code());
          System.exit(1);
        }
      }
      System.exit(0);
    }
  }

  private static String tail(Path log) {
    try {
      String text = Files.readString(log);
      return text.substring(Math.max(0, text.length() - 4000));
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  /** What is behind {@code ./stowage} in the blocks of a page. */
  private static List<String> commands(Path page) throws IOException {
    List<String> commands = new ArrayList<>();
    Matcher line =
        Pattern.compile("(?m)^(?:\\$ )?\\./stowage (.*?)(?: +#.*)?$")
            .matcher(Files.readString(page));
    while (line.find()) {
      commands.add(line.group(1).strip());
    }
    return commands;
  }

  @Test
  void everyLinkOfTheDocumentsLeadsSomewhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\(((?!https?:)[^)#]+)");
    for (Path page : FolderTest.files(Path.of("docs"), ".md")) {
      Matcher matcher = link.matcher(Files.readString(page));
      while (matcher.find()) {
        Path target = page.getParent().resolve(matcher.group(1));
        assertTrue(Files.exists(target), page + " links to " + matcher.group(1));
      }
    }
  }
}

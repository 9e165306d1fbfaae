package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    int run = 0;
    try (Stream<Path> pages = Files.list(TUTORIALS)) {
      for (Path page : Stream.concat(pages.sorted(), Stream.of(README)).toList()) {
        Path out = Files.createDirectories(folder.resolve(page.getFileName().toString()));
        for (String command : commands(page)) {
          if (!WORKERS.matcher(command).matches()) {
            List<String> words =
                new ArrayList<>(
                    List.of(java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
            words.add(classPath());
            words.add("stowage.cli.Main");
            for (String word : command.split(" +")) {
              words.add(word.replaceFirst("^out(?=/|$)", out.toString()));
            }
            Process process =
                new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(out.resolve("log").toFile())
                    .start();
            int code = process.waitFor();
            // Only the tutorial's first question has no for an answer.
            int expected =
                command.startsWith("plan models/examples/keywords.tflite --capacity") ? 4 : 0;
            String log = Files.readString(out.resolve("log"));
            assertEquals(expected, code, page + ": " + command + "\n" + log);
            run++;
          }
        }
      }
    }
    assertTrue(run >= 15, run + " commands");
  }

  /** The class path of these tests, also where a launcher has loaded them. */
  private static String classPath() {
    String path = System.getProperty("java.class.path");
    if (DocumentedCommandsTest.class.getClassLoader() instanceof URLClassLoader loader) {
      for (URL url : loader.getURLs()) {
        path += File.pathSeparator + url.getPath();
      }
    }
    // The planners of the tests, some of which fail on purpose, are no part of what is documented.
    return Stream.of(path.split(File.pathSeparator))
        .filter(place -> !place.replaceFirst("/$", "").endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
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
    Pattern link = Pattern.compile("\\]\\(((?!https?:)[^)#\\s]+)(?:#[^)]*)?\\)");
    try (Stream<Path> pages = Files.walk(Path.of("docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        Matcher matcher = link.matcher(Files.readString(page));
        while (matcher.find()) {
          Path target = page.getParent().resolve(matcher.group(1));
          assertTrue(Files.exists(target), page + " links to " + matcher.group(1));
        }
      }
    }
  }
}

package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of the system that tests run. */
public final class Programs {
  /** The Java that runs the tests. */
  public static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private Programs() {}

  /** Whether the path of the system has a program. */
  public static boolean isThere(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** What a program prints and complains of; it must end, and with 0. */
  public static String output(ProcessBuilder program) throws IOException, InterruptedException {
    Process run = program.redirectErrorStream(true).start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(run.waitFor(120, TimeUnit.SECONDS), "it does not end");
    assertEquals(0, run.exitValue(), said);
    return said;
  }

  public static String output(String... command) throws IOException, InterruptedException {
    return output(new ProcessBuilder(command));
  }
}

package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the script of docs/build.md as it is there. */
class BuildGuideTest {
  private static final Path GUIDE = Path.of("docs", "build.md");

  @TempDir Path folder;

  private static boolean isThere(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  @Test
  void itsDayInABuildEndsAsItSays() throws Exception {
    assumeTrue(isThere("gcc") && isThere("sh"), "gcc is not there, which the script needs");
    stowage.cli.Stowage.launcher(folder.resolve("bin/stowage"));
    Path out = folder.resolve("build");
    Path script = Files.writeString(folder.resolve("day.sh"), DocumentExample.block(GUIDE, "sh"));
    ProcessBuilder builder = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true);
    builder.environment().merge("PATH", "", (path, none) -> folder.resolve("bin") + ":" + path);
    builder.environment().put("OUT", out.toString());
    Process day = builder.start();
    String text = new String(day.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, day.waitFor(), text);
    assertTrue(text.contains("an arena of 81920 bytes holds every tensor"), text);
    assertTrue(text.contains("No plan is within the limit"), text);
    String report = Files.readString(out.resolve("memory.md"));
    assertTrue(report.contains("larger.json` | impossible | 80 KiB |"), report);
    assertTrue(Files.readString(out.resolve("memory.xml")).contains("failures=\"0\""));
  }
}

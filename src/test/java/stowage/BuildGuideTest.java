package stowage;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Runs the script of docs/build.md as it is there. */
class BuildGuideTest extends FolderTest {
  private static final Path GUIDE = Path.of("docs", "build.md");

  @Test
  void itsDayInABuildEndsAsItSays() throws Exception {
    assumeTrue(
        Programs.isThere("gcc") && Programs.isThere("sh"),
        "gcc is not there, which the script needs");
    stowage.cli.Stowage.launcher(folder.resolve("bin/stowage"));
    Path out = folder.resolve("build");
    Path script = file("day.sh", DocumentExample.block(GUIDE, "sh"));
    ProcessBuilder builder = new ProcessBuilder("sh", script.toString());
    builder.environment().merge("PATH", "", (path, none) -> folder.resolve("bin") + ":" + path);
    builder.environment().put("OUT", out.toString());
    String text = Programs.output(builder);
    assertTrue(text.contains("an arena of 81920 bytes holds every tensor"), text);
    assertTrue(text.contains("No plan is within the limit"), text);
    String report = Files.readString(out.resolve("memory.md"));
    assertTrue(report.contains("larger.json` | impossible | 80 KiB |"), report);
    assertTrue(Files.readString(out.resolve("memory.xml")).contains("failures=\"0\""));
  }
}

package stowage.cli.serve;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import stowage.FolderTest;
import stowage.Programs;
import stowage.cli.Stowage;

/** The Python package's own tests, with the system's Python against these classes. */
@Timeout(180)
class PythonPackageTest extends FolderTest {
  @Test
  void itsTestsPass() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "/bin/sh is needed");
    String recent = "import sys; assert sys.version_info >= (3, 9)";
    assumeTrue(
        Programs.isThere("python3")
            && new ProcessBuilder("python3", "-c", recent).start().waitFor() == 0,
        "python3 is not installed");
    Path command = Stowage.launcher(folder.resolve("stowage"));
    ProcessBuilder tests =
        new ProcessBuilder("python3", "-W", "error", "-m", "unittest", "discover", "python/tests");
    tests.environment().put("STOWAGE", command.toString());
    tests.environment().put("PYTHONPATH", "python");
    tests.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    String said = Programs.output(tests);
    assertTrue(said.contains("OK"), said);
  }
}

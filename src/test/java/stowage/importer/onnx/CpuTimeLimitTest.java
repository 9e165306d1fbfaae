package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CpuTimeLimitTest {
  private static Process shell(String command) throws IOException {
    return new ProcessBuilder("/bin/sh", "-c", command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static boolean ended(String command, long limitMillis) throws Exception {
    Process process = shell(command);
    try (CpuTimeLimit watch = new CpuTimeLimit(process, limitMillis)) {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), command);
      return watch.late();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProcessThatWorksTooLongIsEnded() throws Exception {
    assertTrue(ended("while :; do :; done", 200));
  }

  @Test
  void aProcessThatHangsIsEnded() throws Exception {
    assertTrue(ended("exec sleep 600", 200));
  }

  @Test
  void aProcessThatIsDoneInTimeIsLetBe() throws Exception {
    assertFalse(ended("exec sleep 0.2", 20_000));
  }

  @Test
  void whatIsUsedIsCountedOnTheProcessorNotOnTheWall() throws Exception {
    Process process = shell("exec sleep 600");
    try (CpuTimeLimit watch = new CpuTimeLimit(process, 60_000)) {
      Thread.sleep(300);
      assertTrue(watch.usedMillis() < 250, "a sleeping process used " + watch.usedMillis());
    } finally {
      process.destroyForcibly();
    }
  }
}

package stowage.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A headless Chromium that opens pages, where one is installed. */
public final class Browser {
  private static final List<Path> BROWSERS =
      Stream.of("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
          .map(name -> Path.of("/usr/bin", name))
          .toList();

  /**
   * What a page's document looks like once its scripts have run; fails where the console has a
   * message, skips where no browser is installed.
   *
   * @param width of the window in pixels
   */
  public static String opened(Path folder, String html, int width)
      throws IOException, InterruptedException {
    Path browser = BROWSERS.stream().filter(Files::isExecutable).findFirst().orElse(null);
    assumeTrue(browser != null, "no Chromium is installed: skipped");
    Path page = folder.resolve("plan.html");
    Files.writeString(page, html);
    Path out = folder.resolve("dom");
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + folder.resolve("profile"),
                "--enable-logging=stderr",
                "--window-size=" + width + ",900",
                "--virtual-time-budget=120000",
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      assumeTrue(process.waitFor(60, TimeUnit.SECONDS), "the browser does not come up: skipped");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    String messages = Files.readString(log);
    assertFalse(messages.contains("CONSOLE"), messages);
    return Files.readString(out);
  }

  private Browser() {}
}

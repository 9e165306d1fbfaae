package stowage.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A headless Chromium that opens pages, where one is installed. */
public final class Browser {
  private static final List<Path> BROWSERS =
      Stream.of("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
          .map(name -> Path.of("/usr/bin", name))
          .toList();

  /** Now and then a browser hangs as it starts, so it is started again. */
  private static final int STARTS = 2;

  private static final int START_SECONDS = 40;

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
    boolean done = false;
    for (int k = 0; k < STARTS && !done; k++) {
      done = hasEnded(command(browser, folder.resolve("profile" + k), page, width), out, log);
    }
    assumeTrue(done, "the browser does not come up: skipped");
    String messages = Files.readString(log);
    assertFalse(messages.contains("CONSOLE"), messages);
    return Files.readString(out);
  }

  private static List<String> command(Path browser, Path profile, Path page, int width) {
    return List.of(
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
        "--user-data-dir=" + profile,
        "--enable-logging=stderr",
        "--window-size=" + width + ",900",
        "--virtual-time-budget=120000",
        "--dump-dom",
        page.toUri().toString());
  }

  /** Whether a browser ends in time; it is ended in any case. */
  private static boolean hasEnded(List<String> command, Path out, Path log)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      return process.waitFor(START_SECONDS, TimeUnit.SECONDS);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  /** Opens one page after the other in a frame and leaves what became of each. */
  private static final String ONE_BY_ONE =
      """
      <!DOCTYPE html><title>pages</title><body><script>
      const text = (bytes) => new TextDecoder().decode(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)));
      const bytes = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
      const slices = (text) => text.match(/[^]{1,10000}/g).map(bytes).join('.');
      async function opened(page) {
        const frame = document.createElement('iframe');
        [frame.width, frame.height, frame.srcdoc] = [WIDTH, 900, text(page)];
        const loaded = new Promise((done) => { frame.onload = done; });
        document.body.append(frame);
        await loaded;
        await new Promise((done) => setTimeout(done, 300));
        const seen = frame.contentDocument.documentElement.outerHTML;
        frame.remove();
        localStorage.clear();
        return slices(seen);
      }
      addEventListener('load', async () => {
        const seen = [];
        for (const page of 'PAGES'.split(' ')) seen.push(await opened(page));
        document.documentElement.dataset.seen = seen.join(' ');
      });
      </script>
      """;

  /** The same of several pages, which one browser opens one after the other. */
  public static List<String> opened(Path folder, List<String> pages, int width)
      throws IOException, InterruptedException {
    Base64.Encoder encoder = Base64.getEncoder();
    String coded =
        pages.stream()
            .map(page -> encoder.encodeToString(page.getBytes(StandardCharsets.UTF_8)))
            .collect(Collectors.joining(" "));
    String all = ONE_BY_ONE.replace("WIDTH", "" + width).replace("PAGES", coded);
    Matcher seen = Pattern.compile("data-seen=\"([^\"]*)\"").matcher(opened(folder, all, width));
    assertTrue(seen.find(), "the pages did not open");
    return Stream.of(seen.group(1).split(" ")).map(Browser::decoded).toList();
  }

  private static String decoded(String slices) {
    return Stream.of(slices.split("\\."))
        .map(slice -> new String(Base64.getDecoder().decode(slice), StandardCharsets.UTF_8))
        .collect(Collectors.joining());
  }

  private Browser() {}
}

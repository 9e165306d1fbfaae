package stowage.experiment.run;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Progress of an experiment on stderr: runs done of all, rate, time left, failures. On a terminal
 * one line is rewritten; elsewhere a line comes every ten seconds, and one for each failure.
 */
final class RunProgress {
  private static final double QUIET_SECONDS = 10;

  private final PrintStream out;
  private final boolean terminal;
  private final int all;
  private final int before;
  private final long startNanos = System.nanoTime();
  private double lastLine;
  private int ran;
  private int failed;

  /**
   * A display.
   *
   * @param out where to, or null for none
   * @param terminal whether lines can be rewritten
   * @param before runs that were done before
   */
  RunProgress(PrintStream out, boolean terminal, int all, int before) {
    this.out = out;
    this.terminal = terminal;
    this.all = all;
    this.before = before;
  }

  synchronized void ended(RunRecord record) {
    ran++;
    if (record.outcome().isFailure()) {
      failed++;
      say(record.run().label() + ": " + record.outcome().text() + ", " + record.message());
    }
    double now = seconds();
    if (terminal || now - lastLine >= QUIET_SECONDS || before + ran == all) {
      lastLine = now;
      show(now);
    }
  }

  private void say(String line) {
    if (out != null) {
      out.println((terminal ? "\r\033[K" : "") + line);
    }
  }

  private void show(double now) {
    if (out == null) {
      return;
    }
    double rate = now > 0 ? ran / now : 0;
    int left = all - before - ran;
    String line =
        String.format(
            Locale.ROOT,
            "%,d of %,d runs done, %.1f per second, %s left, %,d failed",
            before + ran,
            all,
            rate,
            rate > 0 ? duration(left / rate) : "?",
            failed);
    if (terminal && left > 0) {
      out.print("\r\033[K" + Math.round(now) + "s  " + line + "  [Ctrl-C keeps what is done]");
      out.flush();
    } else {
      say(line);
    }
  }

  /** A time span for people: {@code 12 s}, {@code 3 min}, {@code 2 h 05 min}. */
  static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (whole < 100) {
      return whole + " s";
    }
    long minutes = Math.round(seconds / 60);
    return minutes < 100
        ? minutes + " min"
        : String.format(Locale.ROOT, "%d h %02d min", minutes / 60, minutes % 60);
  }

  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}

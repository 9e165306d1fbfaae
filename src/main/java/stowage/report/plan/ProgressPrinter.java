package stowage.report.plan;

import java.io.PrintStream;
import java.util.Locale;
import stowage.packing.Bound;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.report.RunReport;

/**
 * Prints a line per improvement of a run and per long piece of work, and a heartbeat in between.
 *
 * <pre>
 *     time            peak           bound      gap  who
 *     0.0s               -       1,039,360        -  bound by max-load
 *     0.1s       1,120,256       1,039,360   7.78 %  plan by greedy-by-size
 *     0.2s       1,120,256       1,039,360   7.78 %  search: filling valleys of 900,000 buffers
 *    10.1s       1,120,256       1,039,360   7.78 %  ...
 * </pre>
 *
 * <p>Listens to an {@link Incumbent} from any thread. Close it when the run ends; the heartbeat
 * then stops.
 */
public final class ProgressPrinter implements Incumbent.Listener, AutoCloseable {
  private static final double HEARTBEAT_SECONDS = 10;

  private final PrintStream out;
  private final long startNanos = System.nanoTime();
  private final Thread heartbeat;
  private Incumbent.Event last;
  private double lastLine;
  private boolean closed;

  /** A printer with a heartbeat every ten seconds. */
  public ProgressPrinter(PrintStream out) {
    this(out, "peak", HEARTBEAT_SECONDS);
  }

  /**
   * A printer with a heartbeat every ten seconds.
   *
   * @param figure what the first figure is called
   */
  public ProgressPrinter(PrintStream out, String figure) {
    this(out, figure, HEARTBEAT_SECONDS);
  }

  /**
   * A printer.
   *
   * @param heartbeatSeconds how long it stays silent at most
   */
  ProgressPrinter(PrintStream out, String figure, double heartbeatSeconds) {
    this.out = out;
    print("time", figure, "bound", "gap", "who");
    heartbeat = new Thread(() -> beat(heartbeatSeconds), "progress");
    heartbeat.setDaemon(true);
    heartbeat.start();
  }

  @Override
  public synchronized void improved(Incumbent.Event event) {
    if (closed) {
      return;
    }
    boolean placed = event.score() != null && (last == null || !event.score().equals(last.score()));
    last = event;
    line(seconds(), (placed ? "plan by " : "bound by ") + event.who());
  }

  @Override
  public synchronized void began(String what, String who) {
    if (!closed) {
      line(seconds(), who + ": " + what);
    }
  }

  /** Stops the heartbeat; later improvements are not printed. */
  @Override
  public synchronized void close() {
    closed = true;
    heartbeat.interrupt();
    out.flush();
  }

  private void beat(double period) {
    try {
      while (true) {
        double wait;
        synchronized (this) {
          if (closed) {
            return;
          }
          wait = lastLine + period - seconds();
          if (wait <= 0) {
            line(seconds(), "...");
            wait = period;
          }
        }
        Thread.sleep((long) Math.ceil(wait * 1000));
      }
    } catch (InterruptedException end) {
      // Closed.
    }
  }

  private double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private void line(double seconds, String who) {
    lastLine = seconds;
    long peak = last == null || last.score() == null ? -1 : last.score().figure(0);
    Bound bound = last == null || last.bounds().length == 0 ? null : last.bounds()[0];
    double gap = peak < 0 || bound == null ? Double.NaN : RunReport.gap(peak, bound.value());
    print(
        String.format(Locale.ROOT, "%.1fs", seconds),
        peak < 0 ? "-" : ByteText.exact(peak),
        bound == null ? "-" : ByteText.exact(bound.value()),
        ByteText.percent(gap),
        who);
  }

  private void print(String time, String peak, String bound, String gap, String who) {
    out.println(String.format(Locale.ROOT, "%9s %16s %16s %9s  %s", time, peak, bound, gap, who));
  }
}

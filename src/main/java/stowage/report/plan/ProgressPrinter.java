package stowage.report.plan;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.packing.Bound;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.packing.Threads;
import stowage.report.RunReport;
import stowage.report.format.StatusLine;
import stowage.report.format.Terminal;

/**
 * Printer that shows how a run gets on. On a terminal it keeps one line up to date, with the time,
 * the best plan and bound, who is working and how to stop, and prints improvements above it:
 *
 * <pre>
 *     0.1s       1,120,256       1,039,360   7.78 %  plan by greedy-size
 *     12s/60s  peak 1,034,240  bound 986,112  gap 4.88 %  search, cp-sat  [Ctrl-C keeps the best]
 * </pre>
 *
 * <p>Elsewhere it prints a line per improvement and long piece of work, and a heartbeat between:
 *
 * <pre>
 *     time            peak           bound      gap  who
 *     0.0s               -       1,039,360        -  bound by max-load
 *     0.2s       1,120,256       1,039,360   7.78 %  search: filling valleys of 900,000 buffers
 *    10.1s       1,120,256       1,039,360   7.78 %  ...
 * </pre>
 *
 * <p>Listens to an {@link Incumbent} from any thread. Close it when the run ends.
 */
public final class ProgressPrinter implements Incumbent.Listener, AutoCloseable {
  private static final double HEARTBEAT_SECONDS = 10;

  /** Narrower terminals have no room for columns. */
  private static final int ROOM_FOR_COLUMNS = 72;

  /** A shorter piece of a name says nothing. */
  private static final int LEAST_NAME = 6;

  private static final String STOP = "[Ctrl-C keeps the best]";

  private final PrintStream out;
  private final List<String> figures;
  private final double limit;
  private final boolean coloured;
  private final long startNanos = System.nanoTime();

  /** Null on a terminal, whose line is rewritten anyway. */
  private final Thread heartbeat;

  /** Null where there is no terminal. */
  private final StatusLine live;

  private final List<String> working = new ArrayList<>();
  private String doing = "";
  private Incumbent.Event last;
  private double lastLine;
  private boolean closed;

  /** A printer of lines with a heartbeat every ten seconds. */
  public ProgressPrinter(PrintStream out, List<String> figures) {
    this(out, figures, HEARTBEAT_SECONDS);
  }

  /** A printer of lines with names of figures, silent for so many seconds at most. */
  ProgressPrinter(PrintStream out, List<String> figures, double heartbeatSeconds) {
    this.out = out;
    this.figures = List.copyOf(figures);
    this.limit = Double.POSITIVE_INFINITY;
    this.coloured = false;
    this.live = null;
    out.println(row("time", figures.get(0), "bound", "gap", "who"));
    heartbeat = Threads.start("progress", () -> beat(heartbeatSeconds));
  }

  /**
   * A printer for a terminal of a run of so many seconds, infinite where that is not known; the
   * environment says the width and whether colours are welcome.
   */
  public ProgressPrinter(
      PrintStream out, List<String> figures, double limit, Map<String, String> environment) {
    this.out = out;
    this.figures = List.copyOf(figures);
    this.limit = limit;
    this.coloured = Terminal.colours(environment);
    this.heartbeat = null;
    this.live = new StatusLine(out, this::status, () -> Terminal.columns(environment));
  }

  @Override
  public void improved(Incumbent.Event event) {
    String line;
    synchronized (this) {
      if (closed) {
        return;
      }
      boolean placed =
          event.score() != null && (last == null || !event.score().equals(last.score()));
      String of = placed ? "" : figureOf(event);
      last = event;
      line = line(seconds(), (placed ? "plan by " : "bound by ") + event.who() + of);
    }
    show(line);
  }

  /** Which figure's bound changed, where that is not the first one. */
  private String figureOf(Incumbent.Event event) {
    for (int f = 1; f < event.bounds().length && f < figures.size(); f++) {
      Bound before = last == null ? null : last.bounds()[f];
      if (event.bounds()[f] != null && !event.bounds()[f].equals(before)) {
        return ", " + figures.get(f) + " " + ByteText.exact(event.bounds()[f].value());
      }
    }
    return "";
  }

  @Override
  public void began(String what, String who) {
    String line;
    synchronized (this) {
      if (closed) {
        return;
      }
      doing = who + ": " + what;
      line = live == null ? line(seconds(), doing) : null;
    }
    if (line != null) {
      show(line);
    }
  }

  @Override
  public synchronized void working(String who, boolean begins) {
    if (begins) {
      working.add(who);
    } else {
      working.remove(who);
    }
    doing = "";
  }

  private void show(String line) {
    if (live == null) {
      out.println(line);
    } else {
      live.above(line);
    }
  }

  /** Stops; later improvements are not printed. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    if (live != null) {
      live.close();
    } else {
      heartbeat.interrupt();
    }
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
            out.println(line(seconds(), "..."));
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

  private long peak() {
    return last == null || last.score() == null ? -1 : last.score().figure(0);
  }

  private Bound bound() {
    return last == null || last.bounds().length == 0 ? null : last.bounds()[0];
  }

  private double gap() {
    return peak() < 0 || bound() == null ? Double.NaN : RunReport.gap(peak(), bound().value());
  }

  private String line(double seconds, String who) {
    lastLine = seconds;
    String time = String.format(Locale.ROOT, "%.1fs", seconds);
    String peak = peak() < 0 ? "-" : ByteText.exact(peak());
    if (live != null && live.width() < ROOM_FOR_COLUMNS) {
      return time + "  " + peak + "  " + who;
    }
    String bound = bound() == null ? "-" : ByteText.exact(bound().value());
    return row(time, peak, bound, ByteText.percent(gap()), who);
  }

  private static String row(String time, String peak, String bound, String gap, String who) {
    return String.format(Locale.ROOT, "%9s %16s %16s %9s  %s", time, peak, bound, gap, who);
  }

  /** The status in a width: who is working, then the bound give way where there is no room. */
  private synchronized String status(int width) {
    String time = Math.round(seconds()) + "s";
    if (limit < Double.POSITIVE_INFINITY) {
      time += "/" + Math.round(limit) + "s";
    }
    String peak = peak() < 0 ? "" : "  " + figures.get(0) + " " + ByteText.exact(peak());
    String bound = bound() == null ? "" : "  bound " + ByteText.exact(bound().value());
    String gap = Double.isNaN(gap()) ? "" : "  gap " + ByteText.percent(gap());
    boolean wide = time.length() + (peak + bound + gap).length() + STOP.length() + 2 <= width;
    String left = time + peak + (wide || peak.isEmpty() ? bound : "") + gap;
    String stop = left.length() + STOP.length() + 2 <= width ? "  " + STOP : "  [Ctrl-C]";
    String who = doing.isEmpty() ? String.join(", ", working) : doing;
    int room = width - left.length() - stop.length() - 2;
    String middle =
        room < LEAST_NAME || who.isEmpty()
            ? ""
            : "  " + (who.length() <= room ? who : who.substring(0, room - 1) + "…");
    return coloured
        ? "\u001b[1m" + left + "\u001b[0m" + middle + "\u001b[2m" + stop + "\u001b[0m"
        : left + middle + stop;
  }
}

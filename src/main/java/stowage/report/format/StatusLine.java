package stowage.report.format;

import java.io.PrintStream;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import stowage.packing.Threads;

/**
 * The last line of a terminal, rewritten four times a second, with lasting lines printed above it.
 * It never takes more than the terminal's width, since a line that wraps could not be rewritten.
 *
 * <p>Thread-safe. Close it before anything else is printed.
 */
public final class StatusLine implements AutoCloseable {
  private static final long PERIOD_MILLIS = 250;
  private static final int TICKS_PER_MEASURE = 20;
  private static final String ERASE = "\r\u001b[K";

  private final PrintStream out;
  private final IntFunction<String> status;
  private final IntSupplier columns;
  private final Thread clock;

  /** Read without the lock, which may be held by who waits for what the reader holds. */
  private volatile int width;

  private boolean closed;

  /**
   * A line that is shown until it is closed: the text for a width, cut to the terminal's columns,
   * which are asked for again every few seconds.
   */
  public StatusLine(PrintStream out, IntFunction<String> status, IntSupplier columns) {
    this.out = out;
    this.status = status;
    this.columns = columns;
    this.width = columns.getAsInt();
    clock = Threads.start("status", this::tick);
  }

  /** The width that lines should keep to. */
  public int width() {
    return width - 1; // the cursor takes the last column
  }

  /** Prints a line that stays, above the status; false where it is closed and prints nothing. */
  public synchronized boolean above(String line) {
    if (!closed) {
      out.print(
          ERASE
              + cut(line, width())
              + System.lineSeparator()
              + cut(status.apply(width()), width()));
      out.flush();
    }
    return !closed;
  }

  /** Whether the status is still shown. */
  public synchronized boolean isOpen() {
    return !closed;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      clock.interrupt();
      out.print(ERASE);
      out.flush();
    }
  }

  private void tick() {
    try {
      for (int ticks = 1; ; ticks++) {
        int measured = ticks % TICKS_PER_MEASURE == 0 ? columns.getAsInt() : 0;
        synchronized (this) {
          if (closed) {
            return;
          }
          width = measured > 0 ? measured : width;
          out.print(ERASE + cut(status.apply(width()), width()));
          out.flush();
        }
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException end) {
      // Closed.
    }
  }

  /** A text in so many columns; signs of colour take none. */
  static String cut(String text, int columns) {
    int shown = 0;
    for (int k = 0; k < text.length(); k++) {
      if (text.charAt(k) == '\u001b') {
        while (k < text.length() && text.charAt(k) != 'm') {
          k++;
        }
      } else if (++shown > columns) {
        return text.substring(0, k) + (text.contains("\u001b") ? "\u001b[0m" : "");
      }
    }
    return text;
  }
}

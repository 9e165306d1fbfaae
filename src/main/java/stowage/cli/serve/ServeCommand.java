package stowage.cli.serve;

import com.fasterxml.jackson.databind.node.NullNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.MemoryShortage;
import stowage.cli.terminal.Seconds;
import stowage.cli.terminal.UsageException;

/** {@code stowage serve}: plans in a warm process, one JSON object per line in and out. */
@Command(
    name = "serve",
    description =
        "Long-running planner: reads requests from stdin, one JSON object per line, and writes one"
            + " answer per line, until stdin ends. See docs/serve.md.")
public final class ServeCommand extends BaseCommand {
  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Runs side by side (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  int jobs = 1;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads per run (default: all cores).")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--max-request",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Longer requests are refused (default: 64MiB).")
  Long mostBytes = 64L << 20;

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      converter = Seconds.class,
      description = "The longest time limit of a request (default: 1h).",
      defaultValue = "3600")
  double mostSeconds = 3600;

  @Option(
      names = "--max-waiting",
      paramLabel = "N",
      description = "Maximum queue length (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  int mostWaiting = 1000;

  /** Requests that wait take one part of so many of the heap at most. */
  private static final int PARTS_OF_HEAP = 4;

  /** How long runs may take to end after a signal before their best plans are answered. */
  private static final long PATIENCE_NANOS = 250_000_000;

  private static final int STEPS_OF_PATIENCE = 25;

  @Override
  public Integer call() throws IOException {
    UsageException.whenBelow(1, "--jobs", jobs);
    UsageException.whenBelow(1, "--threads", threads);
    UsageException.whenBelow(1, "--max-request", mostBytes);
    UsageException.whenBelow(0, "--max-time", mostSeconds);
    UsageException.whenBelow(1, "--max-waiting", mostWaiting);
    PlanServer server =
        new PlanServer(
            new PlanServer.Limits(
                jobs,
                mostWaiting,
                Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP,
                threads,
                Duration.ofMillis(Math.round(mostSeconds * 1000))),
            line -> print(line + "\n"));
    Interruption interruption = Interruption.install(server::stop, () -> ended(server));
    serve(System.in, server, mostBytes);
    server.finish();
    return interruption.finished(ExitCode.OK);
  }

  private static boolean ended(PlanServer server) {
    awaitAnswers(server);
    server.answerNow();
    awaitAnswers(server);
    return true;
  }

  private static void awaitAnswers(PlanServer server) {
    for (int k = 0; k < STEPS_OF_PATIENCE && server.isBusy(); k++) {
      LockSupport.parkNanos(PATIENCE_NANOS / STEPS_OF_PATIENCE);
    }
  }

  /**
   * Hands lines on until the stream ends; one of too many bytes, or for which the memory is short,
   * is refused and passed over.
   */
  static void serve(InputStream stream, PlanServer server, long most) throws IOException {
    InputStream in = new BufferedInputStream(stream, 1 << 16);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    String shortage = null;
    boolean blank = true;
    long length = 0;
    for (int letter = in.read(); ; letter = in.read()) {
      boolean ended = letter < 0 || letter == '\n';
      blank &= ended || letter == ' ' || letter == '\t' || letter == '\r';
      length += ended ? 0 : 1;
      try {
        if (!ended && length <= most && shortage == null) {
          line.write(letter);
        } else if (ended && length > most) {
          String why = "request of " + length + " bytes; it should have at most " + most;
          server.refuse(NullNode.instance, ExitCode.USAGE, why);
        } else if (ended && !blank && shortage == null) {
          server.accept(line.toByteArray());
        }
      } catch (OutOfMemoryError full) {
        line = new ByteArrayOutputStream();
        shortage = MemoryShortage.text(full);
      }
      if (!ended) {
        continue;
      }
      if (shortage != null) {
        server.refuse(NullNode.instance, ExitCode.BAD_INPUT, shortage);
      }
      if (letter < 0) {
        return;
      }
      line = line.size() > 1 << 16 ? new ByteArrayOutputStream() : line;
      line.reset();
      shortage = null;
      blank = true;
      length = 0;
    }
  }
}

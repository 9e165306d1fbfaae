package stowage.cli.experiment;

import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Option;
import stowage.cli.terminal.UsageException;
import stowage.packing.RunControl;

/** What the runs of a benchmark may use, and how their figures are printed. */
final class BenchOptions {
  @Option(names = "--threads", paramLabel = "N", description = "Threads (default: all cores).")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of every random choice (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Option(names = "--markdown", description = "Print the tables in Markdown.")
  boolean markdown;

  /** Makes the limits of each run again, each of so many seconds. */
  Supplier<RunControl> controls(double seconds) {
    UsageException.whenBelow(1, "--threads", threads);
    UsageException.whenBelow(0, "--time-limit", seconds);
    return () -> RunControl.ofSeconds(seconds, threads, seed);
  }

  /** Which names have a match of the regular expression of {@code --only}; all without one. */
  static Predicate<String> matching(String only) {
    if (only == null) {
      return name -> true;
    }
    try {
      return Pattern.compile(only).asPredicate();
    } catch (PatternSyntaxException wrong) {
      throw new UsageException("--only " + only + ": " + wrong.getDescription());
    }
  }
}

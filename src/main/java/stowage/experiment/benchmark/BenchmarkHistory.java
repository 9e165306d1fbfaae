package stowage.experiment.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import stowage.experiment.run.Build;
import stowage.experiment.run.Machine;
import stowage.experiment.suite.ExperimentJson;
import stowage.packing.Status;
import stowage.report.compare.BenchmarkReport;
import stowage.report.compare.BenchmarkReport.Setback;

/**
 * A file that keeps the figures of every benchmark: one JSON object a run and line, with when it
 * was, what of, and where.
 *
 * <p>A run is compared with the last {@value #LOOKED_AT} of the same set on the same machine with
 * the same limit, threads and seed: each instance with the median of its times there, since one
 * time alone says little, and with the best of their answers.
 *
 * @param file where the history is kept; it need not exist yet
 */
public record BenchmarkHistory(Path file) {
  private static final int LOOKED_AT = 5;

  /** More time than this, as a multiple of before, counts as slower. */
  private static final double SLOWER = 1.2;

  /** Differences below this say nothing, in seconds. */
  private static final double NOTICED = 0.1;

  /**
   * One run: the date of its end in UTC, the versions of Stowage, with its commit, and of Java, and
   * the limit of each instance in seconds.
   */
  record Entry(
      String date,
      Map<String, String> version,
      Machine machine,
      String set,
      double secondsLimit,
      int threads,
      long seed,
      List<Figure> rows) {
    Entry {
      ExperimentJson.require("set machine rows", set, machine, rows);
      rows.forEach(row -> ExperimentJson.require("row", row));
    }

    boolean isLike(Entry other) {
      return set.equals(other.set)
          && machine.host().equals(other.machine.host())
          && machine.processor().equals(other.machine.processor())
          && machine.cores() == other.machine.cores()
          && secondsLimit == other.secondsLimit
          && threads == other.threads
          && seed == other.seed;
    }

    Figure of(Figure like) {
      return rows.stream().filter(like::isOfSameInstance).findFirst().orElse(null);
    }
  }

  /** What is kept of a row. */
  record Figure(
      String instance,
      Long capacity,
      long bound,
      Long peak,
      Status status,
      double seconds,
      long nodes) {
    Figure {
      ExperimentJson.require("instance status", instance, status);
    }

    boolean isOfSameInstance(Figure other) {
      return instance.equals(other.instance) && Objects.equals(capacity, other.capacity);
    }

    boolean isSettled() {
      return status == Status.OPTIMAL
          || status == Status.INFEASIBLE
          || capacity != null && peak != null;
    }
  }

  /**
   * Compares a report of runs of so many seconds at most with what the file holds, adds it to the
   * file, and gives it with what got worse.
   */
  public BenchmarkReport add(BenchmarkReport report, double secondsLimit, int threads, long seed)
      throws IOException {
    Entry entry =
        new Entry(
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            Build.versions(),
            Machine.current(),
            report.set(),
            secondsLimit,
            threads,
            seed,
            report.rows().stream()
                .map(row -> ExperimentJson.MAPPER.convertValue(row, Figure.class))
                .toList());
    List<Entry> all =
        Files.exists(file)
            ? ExperimentJson.lines(file, Entry.class, "a run of the benchmark")
            : List.of();
    List<Entry> before = all.stream().filter(entry::isLike).toList();
    List<Setback> worse = setbacks(entry, before);
    String line = ExperimentJson.MAPPER.writeValueAsString(entry) + "\n";
    Files.writeString(
        file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return report.withHistory(
        new BenchmarkReport.History(
            file.toString(), entry.version.get("commit"), before.size(), worse));
  }

  static List<Setback> setbacks(Entry now, List<Entry> before) {
    List<Entry> last = before.subList(Math.max(0, before.size() - LOOKED_AT), before.size());
    List<Setback> worse = new ArrayList<>();
    for (Figure figure : now.rows) {
      List<Figure> earlier =
          last.stream().map(one -> one.of(figure)).filter(Objects::nonNull).toList();
      Setback setback = earlier.isEmpty() ? null : setback(figure, earlier);
      if (setback != null) {
        worse.add(setback);
      }
    }
    return worse;
  }

  private static Setback setback(Figure now, List<Figure> earlier) {
    double[] times = earlier.stream().mapToDouble(Figure::seconds).sorted().toArray();
    double median = times[times.length / 2];
    Long lowest =
        earlier.stream().map(Figure::peak).filter(Objects::nonNull).min(Long::compare).orElse(null);
    boolean unsettled = !now.isSettled() && earlier.stream().anyMatch(Figure::isSettled);
    boolean higher =
        lowest != null && now.capacity == null && (now.peak == null || now.peak > lowest);
    boolean slower = now.seconds > SLOWER * median && now.seconds > median + NOTICED;
    return unsettled || higher || slower
        ? new Setback(now.instance, median, now.seconds, lowest, now.peak, unsettled)
        : null;
  }
}

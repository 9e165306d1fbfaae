package stowage.experiment.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import stowage.generator.GeneratedInstances;
import stowage.generator.Generators;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;
import stowage.packing.PackingProblem;

/**
 * The sets of instances that {@code stowage bench} knows. Each works on generated instances alone;
 * a folder of public ones adds to {@code exact} and {@code large}.
 *
 * <p>Every CSV file below such a folder is taken, in the order of the names. One of up to {@value
 * #LARGEST_EXACT} buffers belongs to {@code exact}, a larger one to {@code large}. A number before
 * the name's ending, as in MiniMalloc's {@code A.1048576.csv}, is a capacity: the instance is then
 * run twice, once to fit into it and once to lower the peak.
 */
public enum BenchmarkSet {
  /** Instances small enough to hope for a proof by search. */
  EXACT(
      10,
      new Row("near-capacity", 11, 16, seed -> Map.of("buffers", 100 + 50 * (seed % 5))),
      new Row("hard", 11, 14, seed -> Map.of("buffers", 14))),
  /** Generated instances of 100 to 400 buffers that fill their capacity at most steps. */
  FULL(
      60,
      new Row("recut", 1, 18, BenchmarkSet::ofFullSize),
      new Row("near-capacity", 21, 29, BenchmarkSet::ofFullSize)),
  /** A thousand buffers and more: a proof comes from a bound that a plan meets. */
  LARGE(
      30,
      new Row("guillotine", 11, 11, seed -> Map.of("buffers", 2_000, "steps", 10_000)),
      new Row("network-like", 11, 11, seed -> Map.of("buffers", 5_000)),
      new Row("random-intervals", 11, 11, seed -> Map.of("buffers", 10_000, "steps", 5_000)),
      new Row("log-uniform-large", 11, 11, seed -> Map.of("buffers", 20_000, "live", 500)),
      new Row("near-capacity", 11, 11, seed -> Map.of("buffers", 1_000, "steps", 500))),
  /** 10,000, 100,000 and 1,000,000 buffers of one kind, for the growth of time and memory. */
  SCALE(
      60,
      new Row("log-uniform-large", 1, 1, seed -> Map.of("buffers", 10_000)),
      new Row("log-uniform-large", 1, 1, seed -> Map.of("buffers", 100_000)),
      new Row("log-uniform-large", 1, 1, seed -> Map.of("buffers", 1_000_000)));

  /** Instances of a generator, one a seed. */
  private record Row(String generator, int from, int to, IntFunction<Map<String, Object>> values) {}

  /** The most buffers an instance of {@link #EXACT} has. */
  public static final int LARGEST_EXACT = 600;

  private static final Pattern CAPACITY = Pattern.compile(".*\\.(\\d+)\\.csv");
  private static final int[] FULL_SIZES = {100, 150, 200, 250, 300, 400};
  private final double seconds;
  private final List<Row> rows;

  BenchmarkSet(double seconds, Row... rows) {
    this.seconds = seconds;
    this.rows = List.of(rows);
  }

  private static Map<String, Object> ofFullSize(int seed) {
    return Map.of("buffers", FULL_SIZES[seed % FULL_SIZES.length]);
  }

  /** The name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The time limit of one run that is taken when none is given, in seconds. */
  public double standardSeconds() {
    return seconds;
  }

  /** The instances of the folders of generated and of public instances; each may be null. */
  public List<BenchmarkInstance> instances(Path models, Path data) {
    List<BenchmarkInstance> all = new ArrayList<>();
    if (this == EXACT && models != null && Files.isDirectory(models)) {
      addModels(all, models);
    }
    for (Row row : rows) {
      for (int seed = row.from; seed <= row.to; seed++) {
        Map<String, Object> values = new HashMap<>(row.values.apply(seed));
        String name = row.generator + "-" + values.get("buffers") + "-s" + seed;
        values.put("seed", seed);
        all.add(
            new BenchmarkInstance(name, null, () -> Generators.generate(row.generator, values)));
      }
    }
    if (data != null && (this == EXACT || this == LARGE)) {
      addFiles(all, data);
    }
    return all;
  }

  private static void addModels(List<BenchmarkInstance> all, Path models) {
    for (GeneratedInstances.Entry entry : GeneratedInstances.manifest(models)) {
      String name = entry.file().substring(0, entry.file().lastIndexOf('.'));
      Object buffers = entry.parameters().getOrDefault("buffers", 0);
      if (buffers instanceof Number number && number.intValue() <= LARGEST_EXACT) {
        Path file = models.resolve(entry.file());
        all.add(new BenchmarkInstance(name, null, () -> read(file)));
      }
    }
  }

  private static PackingProblem read(Path file) {
    return file.toString().endsWith(".json") ? PackingJson.read(file) : PackingCsv.read(file);
  }

  private void addFiles(List<BenchmarkInstance> all, Path data) {
    try (Stream<Path> below = Files.walk(data)) {
      for (Path file : below.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
        if ((rows(file) <= LARGEST_EXACT) == (this == EXACT)) {
          addFile(all, data.relativize(file).toString(), file);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("reading " + data + ": " + failure, failure);
    }
  }

  private static void addFile(List<BenchmarkInstance> all, String relative, Path file) {
    String name = relative.substring(0, relative.length() - ".csv".length());
    Matcher matcher = CAPACITY.matcher(file.getFileName().toString());
    if (matcher.matches()) {
      long capacity = Long.parseLong(matcher.group(1));
      all.add(new BenchmarkInstance(name, capacity, () -> read(file).withCapacity(0, capacity)));
    }
    all.add(new BenchmarkInstance(name, null, () -> read(file)));
  }

  /** Rows of a file, the header not counted, enough to distinguish large from small. */
  private static long rows(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.limit(LARGEST_EXACT + 2L).count() - 1;
    }
  }

  /**
   * One instance of a benchmark, made or read only when its turn comes. With a capacity, in bytes,
   * the first plan within it ends the run; with null the peak is lowered as far as possible.
   */
  public record BenchmarkInstance(String name, Long capacity, Supplier<PackingProblem> problem) {}
}

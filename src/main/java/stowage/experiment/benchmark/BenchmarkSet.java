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
  EXACT(10),
  /** Generated instances of 100 to 400 buffers that fill their capacity at most steps. */
  FULL(60),
  /** A thousand buffers and more: a proof comes from a bound that a plan meets. */
  LARGE(30),
  /** 10,000, 100,000 and 1,000,000 buffers of one kind, for the growth of time and memory. */
  SCALE(60);

  /** The most buffers an instance of {@link #EXACT} has. */
  public static final int LARGEST_EXACT = 600;

  private static final Pattern CAPACITY = Pattern.compile(".*\\.(\\d+)\\.csv");
  private static final int[] FULL_SIZES = {100, 150, 200, 250, 300, 400};
  private static final int[] SCALE_SIZES = {10_000, 100_000, 1_000_000};

  private final double seconds;

  BenchmarkSet(double seconds) {
    this.seconds = seconds;
  }

  /** The name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The time limit of one run that is taken when none is given, in seconds. */
  public double standardSeconds() {
    return seconds;
  }

  /**
   * The instances.
   *
   * @param models the folder of the project's own generated instances; may be null or absent
   * @param data a folder of public instances; may be null
   */
  public List<BenchmarkInstance> instances(Path models, Path data) {
    List<BenchmarkInstance> all = new ArrayList<>();
    switch (this) {
      case EXACT -> {
        if (models != null && Files.isDirectory(models)) {
          addModels(all, models);
        }
        for (int seed = 11; seed <= 16; seed++) {
          addGenerated(
              all, "near-capacity", Map.of("seed", seed, "buffers", 100 + 50 * (seed % 5)));
        }
        for (int seed = 11; seed <= 14; seed++) {
          addGenerated(all, "hard", Map.of("seed", seed, "buffers", 14));
        }
      }
      case FULL -> {
        for (int seed = 1; seed <= 18; seed++) {
          addGenerated(
              all, "recut", Map.of("seed", seed, "buffers", FULL_SIZES[seed % FULL_SIZES.length]));
        }
        for (int seed = 21; seed <= 29; seed++) {
          addGenerated(
              all,
              "near-capacity",
              Map.of("seed", seed, "buffers", FULL_SIZES[seed % FULL_SIZES.length]));
        }
      }
      case LARGE -> {
        addGenerated(all, "guillotine", Map.of("seed", 11, "buffers", 2_000, "steps", 10_000));
        addGenerated(all, "network-like", Map.of("seed", 11, "buffers", 5_000));
        addGenerated(
            all, "random-intervals", Map.of("seed", 11, "buffers", 10_000, "steps", 5_000));
        addGenerated(all, "log-uniform-large", Map.of("seed", 11, "buffers", 20_000, "live", 500));
        addGenerated(all, "near-capacity", Map.of("seed", 11, "buffers", 1_000, "steps", 500));
      }
      default -> {
        for (int size : SCALE_SIZES) {
          addGenerated(all, "log-uniform-large", Map.of("seed", 1, "buffers", size));
        }
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

  private static void addGenerated(
      List<BenchmarkInstance> all, String generator, Map<String, Object> parameters) {
    String name = generator + "-" + parameters.get("buffers") + "-s" + parameters.get("seed");
    Map<String, Object> values = new HashMap<>(parameters);
    all.add(new BenchmarkInstance(name, null, () -> Generators.generate(generator, values)));
  }

  private void addFiles(List<BenchmarkInstance> all, Path data) {
    List<Path> files;
    try (Stream<Path> below = Files.walk(data)) {
      files = below.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
      for (Path file : files) {
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
   * One instance of a benchmark, made or read only when its turn comes.
   *
   * @param name how the table names it
   * @param capacity the bytes to fit into, where the first plan within them ends the run; null
   *     where the peak is lowered as far as possible
   * @param problem makes or reads it
   */
  public record BenchmarkInstance(String name, Long capacity, Supplier<PackingProblem> problem) {}
}

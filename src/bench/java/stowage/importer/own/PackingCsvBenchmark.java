package stowage.importer.own;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import stowage.generator.Generators;
import stowage.packing.PackingProblem;

/** Reading a CSV file of 100,000 buffers that the system holds in memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PackingCsvBenchmark {
  private Path file;

  /** Writes the file. */
  @Setup
  public void write() throws IOException {
    file = Files.createTempFile("stowage-benchmark", ".csv");
    PackingCsv.write(
        file, Generators.generate("log-uniform-large", Map.of("seed", 1, "buffers", 100_000)));
  }

  /** Deletes the file. */
  @TearDown
  public void delete() throws IOException {
    Files.delete(file);
  }

  /** Reads and checks the file. */
  @Benchmark
  public PackingProblem read() {
    return PackingCsv.read(file);
  }
}

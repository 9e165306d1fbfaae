package stowage.experiment.suite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/** The manifest of a suite: a text file with one JSON object per line, one for each run. */
public final class Manifest {
  private static final ObjectMapper JSON = ExperimentJson.MAPPER;

  private Manifest() {}

  /** All runs as text. */
  public static String text(List<RunSpec> runs) {
    StringBuilder text = new StringBuilder();
    try {
      for (RunSpec run : runs) {
        text.append(JSON.writeValueAsString(run)).append('\n');
      }
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
    return text.toString();
  }

  /** Writes the manifest; where that fails, the former file is left. */
  public static void write(Path file, List<RunSpec> runs) throws IOException {
    AtomicFiles.writeString(file, text(runs));
  }

  /** Reads a manifest; a fault names a line that cannot be read. */
  public static List<RunSpec> read(Path file) {
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    List<RunSpec> runs = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n")) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      try {
        runs.add(ExperimentJson.read(line.getBytes(StandardCharsets.UTF_8), RunSpec.class));
      } catch (IllegalArgumentException malformed) {
        throw new InputException(
            file, "line " + number, "is not a run: " + malformed.getMessage(), malformed);
      }
    }
    return runs;
  }
}

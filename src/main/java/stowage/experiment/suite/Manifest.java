package stowage.experiment.suite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import stowage.importer.io.AtomicFiles;

/** The manifest of a suite: a text file with one JSON object per line, one for each run. */
public final class Manifest {
  private static final ObjectMapper JSON = ExperimentJson.MAPPER;

  private Manifest() {}

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
    return ExperimentJson.lines(file, RunSpec.class, "a run");
  }
}

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

  /** One run as a line, without the line's end. */
  public static String line(RunSpec run) {
    try {
      return JSON.writeValueAsString(run);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Reads a line.
   *
   * @throws JsonProcessingException when it is none
   */
  public static RunSpec run(String line) throws JsonProcessingException {
    return JSON.readValue(line, RunSpec.class);
  }

  /** All runs as text. */
  public static String text(List<RunSpec> runs) {
    StringBuilder text = new StringBuilder();
    runs.forEach(run -> text.append(line(run)).append('\n'));
    return text.toString();
  }

  /**
   * Writes the manifest.
   *
   * @throws IOException when writing fails; the former file is then left
   */
  public static void write(Path file, List<RunSpec> runs) throws IOException {
    AtomicFiles.writeString(file, text(runs));
  }

  /**
   * Reads a manifest.
   *
   * @throws InputException when it is missing or a line is none of a manifest's
   */
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
        runs.add(run(line));
      } catch (JsonProcessingException malformed) {
        throw new InputException(
            file, "line " + number, "is not a run: " + malformed.getOriginalMessage(), malformed);
      }
    }
    return runs;
  }
}

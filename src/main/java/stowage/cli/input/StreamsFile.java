package stowage.cli.input;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/** Reads which op runs on which stream: a line an op, its name, a comma or tab, the stream. */
final class StreamsFile {
  private StreamsFile() {}

  static Map<String, String> read(Path file) {
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    Map<String, String> streams = new LinkedHashMap<>();
    int line = 0;
    for (String row : text.split("\r?\n")) {
      line++;
      if (row.isBlank() || row.startsWith("#")) {
        continue;
      }
      int cut = Math.max(row.lastIndexOf(','), row.lastIndexOf('\t'));
      if (cut <= 0 || cut == row.length() - 1) {
        throw new InputException(
            file, "line " + line, "\"" + row + "\" should be an op's name, a comma and a stream");
      }
      streams.put(row.substring(0, cut).trim(), row.substring(cut + 1).trim());
    }
    return streams;
  }
}

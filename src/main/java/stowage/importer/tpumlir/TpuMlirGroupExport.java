package stowage.importer.tpumlir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;

/**
 * Writes on-chip addresses into a TPU-MLIR file: {@code out_addr} and {@code buffer_addr} in the
 * {@code ginfo} of every op inside of a layer group. Everything else stays letter by letter;
 * groups, slices, stages and steps are the file's.
 *
 * <p>The ops of a group are in the text in the order of the group's events, so that a group is one
 * walk over its lines; a file in which that is not so is refused.
 */
public final class TpuMlirGroupExport {
  private static final Pattern GROUP = Pattern.compile("\"tpu\\.Group\"\\(");
  private static final Pattern ADDRESSES =
      Pattern.compile(
          "#tpu\\.lg<out_addr = (-?\\d+), out_size = (\\d+), buffer_addr = (-?\\d+), buffer_size ="
              + " (\\d+)");

  private TpuMlirGroupExport() {}

  /**
   * Writes a copy of a file with other on-chip addresses.
   *
   * @param source a file with layer groups
   * @param groups all of its groups, in order, at the addresses that are to be written
   * @param target the file to write
   * @throws InputException when the file's text does not have these groups
   * @throws IOException when the file cannot be written
   */
  public static void write(Path source, List<CompiledGroup> groups, Path target)
      throws IOException {
    String text = new String(InputFiles.readAllBytes(source), StandardCharsets.UTF_8);
    List<Integer> starts = new ArrayList<>();
    Matcher group = GROUP.matcher(text);
    while (group.find()) {
      starts.add(group.start());
    }
    if (starts.size() != groups.size()) {
      throw new InputException(
          source,
          "",
          "has " + starts.size() + " groups in its text; " + groups.size() + " were read");
    }
    StringBuilder written = new StringBuilder(text.length());
    int copied = 0;
    for (int k = 0; k < groups.size(); k++) {
      int end = k + 1 < starts.size() ? starts.get(k + 1) : text.length();
      Matcher found = ADDRESSES.matcher(text).region(starts.get(k), end);
      for (Event event : groups.get(k).events()) {
        if (!found.find()
            || Long.parseLong(found.group(2)) != event.size()
            || Long.parseLong(found.group(4)) != event.scratchSize()) {
          throw new InputException(
              source,
              "group " + k,
              "the ops in its text are not those that were read, at tensor \"%s\""
                  .formatted(event.tensor()));
        }
        written.append(text, copied, found.start(1)).append(event.offset());
        written.append(text, found.end(1), found.start(3)).append(event.scratchOffset());
        copied = found.end(3);
      }
    }
    written.append(text, copied, text.length());
    AtomicFiles.writeString(target, written.toString());
  }
}

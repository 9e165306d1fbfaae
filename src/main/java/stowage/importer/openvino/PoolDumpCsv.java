package stowage.importer.openvino;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.Suggestion;
import stowage.network.PoolDump;

/**
 * The memory pool of OpenVINO's GPU plugin, in the form in which the plugin dumps it: {@code
 * dump_runtime_memory_pool_net_1_iter_0.csv}.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/runtime/memory_pool.cpp. One line
 * a user of an allocation, fields parted by commas, without quotation marks. A primitive's name may
 * hold commas itself: the other fields are counted from both ends. Versions of 2023 misspell the
 * size's column; both spellings are read.
 */
public final class PoolDumpCsv {
  private static final String HEADER =
      "pool_type,layout,mem_ptr,mem_type,mem_pool_size,prim_id,unique_id,mem_size";
  private static final String OLD_HEADER = HEADER.replace("pool_size", "pool_szie");
  private static final int FIELDS_BEFORE_NAME = 5;
  private static final int FIELDS_AFTER_NAME = 2;
  private static final List<String> MEMORIES =
      List.of("cl_mem", "usm_host", "usm_shared", "usm_device", "unknown");

  private PoolDumpCsv() {}

  /** Reads a dump; a fault names the line, the column and what would be right. O(bytes). */
  public static PoolDump read(Path file) {
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    List<PoolDump.User> users = new ArrayList<>();
    int line = 0;
    for (String row : text.split("\r?\n")) {
      line++;
      String where = "line " + line;
      if (line == 1) {
        if (!row.strip().equals(HEADER) && !row.strip().equals(OLD_HEADER)) {
          throw new InputException(file, where, "\"" + cut(row) + "\" should be " + HEADER);
        }
      } else if (!row.isBlank()) {
        users.add(user(file, where, row.strip()));
      }
    }
    return new PoolDump(users);
  }

  private static PoolDump.User user(Path file, String where, String row) {
    String[] fields = row.split(",", -1);
    int named = fields.length - FIELDS_BEFORE_NAME - FIELDS_AFTER_NAME;
    if (named < 1) {
      throw new InputException(
          file, where, "has " + fields.length + " fields; it should have those of " + HEADER);
    }
    String pool = known(file, where, "pool_type", fields[0], PoolDump.POOLS);
    String memory = known(file, where, "mem_type", fields[3], MEMORIES);
    String name =
        String.join(
            ",", List.of(fields).subList(FIELDS_BEFORE_NAME, fields.length - FIELDS_AFTER_NAME));
    return new PoolDump.User(
        pool,
        fields[1],
        fields[2],
        memory,
        number(file, where, "mem_pool_size", fields[4]),
        name,
        number(file, where, "unique_id", fields[fields.length - 2]),
        number(file, where, "mem_size", fields[fields.length - 1]));
  }

  private static String known(
      Path file, String where, String column, String value, List<String> names) {
    if (!names.contains(value)) {
      throw new InputException(
          file,
          where + ", column \"" + column + "\"",
          "\"" + cut(value) + "\" is not known" + Suggestion.advice(value, names));
    }
    return value;
  }

  private static long number(Path file, String where, String column, String value) {
    try {
      long number = Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException wrong) {
      // Reported below, like a negative one.
    }
    String what = "\"%s\" should be a whole number of 0 or more";
    throw new InputException(file, where + ", column \"" + column + "\"", what, cut(value));
  }

  private static String cut(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "..." : text;
  }

  /** A dump as the text of a file, ending in a newline. */
  public static String text(PoolDump dump) {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (PoolDump.User user : dump.users()) {
      text.append(user.pool()).append(',').append(user.layout()).append(',');
      text.append(user.address()).append(',').append(user.memory()).append(',');
      text.append(user.poolBytes()).append(',').append(user.primitive()).append(',');
      text.append(user.uniqueId()).append(',').append(user.bytes()).append('\n');
    }
    return text.toString();
  }
}

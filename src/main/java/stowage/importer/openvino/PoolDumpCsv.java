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
      if (line == 1) {
        if (!row.strip().equals(HEADER) && !row.strip().equals(OLD_HEADER)) {
          throw InputException.atLine(file, line, "\"%s\" should be %s", cut(row), HEADER);
        }
      } else if (!row.isBlank()) {
        users.add(new Row(file, line, List.of(row.strip().split(",", -1))).user());
      }
    }
    return new PoolDump(users);
  }

  private record Row(Path file, int line, List<String> fields) {
    PoolDump.User user() {
      int behind = fields.size() - FIELDS_AFTER_NAME;
      if (behind <= FIELDS_BEFORE_NAME) {
        String what = "has %s fields; it should have those of %s";
        throw InputException.atLine(file, line, what, fields.size(), HEADER);
      }
      return new PoolDump.User(
          known("pool_type", fields.get(0), PoolDump.POOLS),
          fields.get(1),
          fields.get(2),
          known("mem_type", fields.get(3), MEMORIES),
          number("mem_pool_size", fields.get(4)),
          String.join(",", fields.subList(FIELDS_BEFORE_NAME, behind)),
          number("unique_id", fields.get(behind)),
          number("mem_size", fields.get(behind + 1)));
    }

    private InputException fault(String column, String what, Object... arguments) {
      String where = "line " + line + ", column \"" + column + "\"";
      return new InputException(file, where, what, arguments);
    }

    private String known(String column, String value, List<String> names) {
      if (!names.contains(value)) {
        throw fault(column, "\"%s\" is not known%s", cut(value), Suggestion.advice(value, names));
      }
      return value;
    }

    private long number(String column, String value) {
      try {
        long number = Long.parseLong(value);
        if (number >= 0) {
          return number;
        }
      } catch (NumberFormatException wrong) {
        // Reported below, like a negative one.
      }
      throw fault(column, "\"%s\" should be a whole number of 0 or more", cut(value));
    }
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

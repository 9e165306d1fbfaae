package stowage.importer.openvino;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * The log of allocations that OpenVINO's GPU plugin writes when it is built with debug capabilities
 * and {@code OV_GPU_Verbose} is set: lines such as {@code GPU_Debug: Allocate 58982400 bytes of
 * usm_host allocation type (current=117969612; max=117969612)}, with or without {@code ptr = ...}
 * before the parenthesis. Lines of another kind are passed over. Releases have no line.
 *
 * @param types what was allocated, by type of memory in the order of their first lines
 * @param faults where a line contradicts those before it
 */
public record AllocationLog(Map<String, Type> types, List<String> faults) {
  private static final Pattern LINE =
      Pattern.compile(
          "Allocate (\\d{1,18}) bytes of (\\w+) allocation type.*"
              + "\\(current=(\\d{1,18}); max=(\\d{1,18})\\)");

  /**
   * What was allocated of one type: the number of lines, the sum of their bytes, given back or not,
   * the bytes in use after the last of them, and the most bytes in use at once.
   */
  public record Type(int allocations, long bytes, long current, long largest) {}

  /** Reads a log. O(its size). One without allocations is an {@link InputException}. */
  public static AllocationLog read(Path file) {
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    Map<String, Type> types = new LinkedHashMap<>();
    List<String> faults = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\r?\n")) {
      number++;
      Matcher found = LINE.matcher(line);
      if (found.find()) {
        String name = found.group(2);
        long bytes = Long.parseLong(found.group(1));
        long current = Long.parseLong(found.group(3));
        long largest = Long.parseLong(found.group(4));
        Type before = types.getOrDefault(name, new Type(0, 0, 0, 0));
        String fault = fault(before, bytes, current, largest);
        if (fault != null) {
          faults.add("line " + number + ": " + fault);
        }
        types.put(name, new Type(before.allocations + 1, before.bytes + bytes, current, largest));
      }
    }
    if (types.isEmpty()) {
      throw new InputException(
          file, "", "has no line \"Allocate N bytes of T allocation type (current=C; max=M)\"");
    }
    return new AllocationLog(types, List.copyOf(faults));
  }

  /** What contradicts the lines before, or null; a log may begin in the middle of a run. */
  private static String fault(Type before, long bytes, long current, long largest) {
    if (current < bytes) {
      return "current=" + current + " is less than the " + bytes + " bytes allocated";
    }
    if (largest < current) {
      return "max=" + largest + " is less than current=" + current;
    }
    if (before.allocations == 0) {
      return null;
    }
    if (current > before.current + bytes) {
      return "current=" + current + " is more than " + before.current + " and " + bytes;
    }
    long expected = Math.max(before.largest, current);
    return largest == expected ? null : "max=" + largest + " should be " + expected;
  }
}

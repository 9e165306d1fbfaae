package stowage.importer.xla;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * Reader of XLA's buffer assignment as text ({@code *-buffer-assignment.txt} of {@code
 * --xla_dump_to}): allocations, the values in them, and {@code BufferLiveRange}, which newer
 * versions write into a file of their own, {@code *-live-range.txt}, next to it.
 *
 * <pre>
 *   allocation 3: size 579072256, preallocated-temp:
 *    value: &lt;7 input_transpose_fusion.1 @0&gt; (size=6389760,offset=572027136): bf16[2,12]
 *   BufferLiveRange:
 *     input_transpose_fusion.1{}:3-5
 * </pre>
 *
 * <p>Live ranges end with the step of the last use. The text does not say which values share memory
 * on purpose, as a result does that is computed in its operand's place; so values at one offset
 * whose live ranges meet are taken to share it.
 */
final class AssignmentText {
  private static final Pattern ALLOCATION = Pattern.compile("allocation (\\d+): size (\\d+)(.*)");
  private static final Pattern VALUE =
      Pattern.compile(
          "\\s*value: <(\\d+) (\\S+)(?: \\(phi\\))? @\\d+> \\(size=(\\d+),offset=(\\d+)\\).*");
  private static final Pattern LIVE_RANGE = Pattern.compile("\\s+(\\S+\\}):(\\d+)-(\\d+)\\s*");
  private static final String RANGES = "BufferLiveRange:";
  private static final String SUFFIX = "-buffer-assignment.txt";

  private final List<XlaModule.Allocation> allocations = new ArrayList<>();
  private final Map<String, XlaModule.Life> ranges = new HashMap<>();
  private final Set<Long> buffers = new HashSet<>();
  private Path file;
  private int line;
  private boolean inRanges;

  private AssignmentText() {}

  /** Whether a file begins as a buffer assignment does. */
  static boolean recognises(Path file) {
    String text =
        new String(InputFiles.start(file, 64), StandardCharsets.ISO_8859_1).stripLeading();
    return text.startsWith("BufferAssignment:") || text.startsWith("allocation ");
  }

  /** The module of a file, by its name. */
  static Map<String, XlaModule> read(Path file) {
    AssignmentText text = new AssignmentText();
    text.readLines(file);
    if (text.allocations.isEmpty()) {
      throw new InputException(
          file,
          "",
          "is no buffer assignment of XLA: no line begins with \"allocation 0: size\"; for a list"
              + " of buffers add --format csv");
    }
    Path beside = liveRanges(file);
    if (text.ranges.isEmpty() && Files.isRegularFile(beside)) {
      text.readLines(beside);
    }
    if (text.ranges.isEmpty()) {
      String what = "has no \"%s\", which has the live ranges; it is also looked for in %s";
      throw new InputException(file, "", what, RANGES, beside);
    }
    XlaModule module = text.module(file);
    return Map.of(module.name(), module);
  }

  private static Path liveRanges(Path file) {
    return file.resolveSibling(withoutEnd(file) + "-live-range.txt");
  }

  private static String withoutEnd(Path file) {
    String name = file.getFileName().toString();
    String end = name.endsWith(SUFFIX) ? SUFFIX : name.endsWith(".txt") ? ".txt" : "";
    return name.substring(0, name.length() - end.length());
  }

  private void readLines(Path source) {
    file = source;
    line = 0;
    inRanges = false;
    try (InputStream in = InputFiles.open(source);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1))) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        line++;
        take(text);
      }
    } catch (IOException failure) {
      throw InputFiles.unreadable(source, failure);
    }
  }

  private void take(String text) {
    if (inRanges) {
      takeRange(text);
    } else if (text.startsWith("allocation ")) {
      Matcher allocation = matched(ALLOCATION, text, "allocation NUMBER: size BYTES, ...:");
      allocations.add(
          new XlaModule.Allocation(
              number(allocation, 1), number(allocation, 2), use(allocation), new ArrayList<>()));
    } else if (text.stripLeading().startsWith("value: ")) {
      Matcher value = matched(VALUE, text, "value: <NUMBER NAME @0> (size=BYTES,offset=BYTES): ..");
      if (allocations.isEmpty()) {
        throw fault("a value should follow the line of its allocation");
      }
      buffers.add(number(value, 1));
      allocations
          .get(allocations.size() - 1)
          .assigned()
          .add(
              new XlaModule.Assigned(
                  number(value, 1), value.group(2), number(value, 4), number(value, 3)));
    } else {
      inRanges = text.strip().equals(RANGES);
    }
  }

  private void takeRange(String text) {
    Matcher range = LIVE_RANGE.matcher(text);
    if (!range.matches()) {
      inRanges = false;
      if (!text.isBlank() && !text.stripLeading().startsWith("Live ranges at")) {
        throw fault("\"" + text.strip() + "\" should be NAME{}:FIRST-LAST");
      }
      return;
    }
    long from = number(range, 2);
    long to = number(range, 3);
    if (from > to || to >= Integer.MAX_VALUE) {
      throw fault("live range " + from + "-" + to + " should go from a step to one not before it");
    }
    ranges.put(range.group(1), new XlaModule.Life((int) from, (int) to + 1));
  }

  private Matcher matched(Pattern pattern, String text, String right) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw fault("\"" + text.strip() + "\" should be " + right);
    }
    return matcher;
  }

  private long number(Matcher matcher, int group) {
    try {
      return Long.parseLong(matcher.group(group));
    } catch (NumberFormatException tooLarge) {
      throw fault(matcher.group(group) + " is more than 2^63 - 1");
    }
  }

  private InputException fault(String what, Object... arguments) {
    return InputException.atLine(file, line, what, arguments);
  }

  private static XlaModule.Use use(Matcher allocation) {
    String flags = allocation.group(3);
    if (flags.contains(", parameter ")) {
      return XlaModule.Use.PARAMETER;
    } else if (flags.contains(", constant")) {
      return XlaModule.Use.CONSTANT;
    } else if (flags.contains("maybe-live-out")) {
      return XlaModule.Use.LIVE_OUT;
    }
    return flags.contains(", thread-local") ? XlaModule.Use.THREAD_LOCAL : XlaModule.Use.TEMPORARY;
  }

  private XlaModule module(Path source) {
    Map<Long, XlaModule.Life> lives = new HashMap<>();
    Map<Long, Long> sharedWith = new HashMap<>();
    int steps = 0;
    for (XlaModule.Allocation allocation : allocations) {
      List<XlaModule.Assigned> known = new ArrayList<>();
      for (XlaModule.Assigned one : allocation.assigned()) {
        XlaModule.Life life = ranges.get(one.name().endsWith("}") ? one.name() : one.name() + "{}");
        if (life != null && lives.putIfAbsent(one.buffer(), life) == null) {
          steps = Math.max(steps, life.end());
          known.add(one);
        }
      }
      share(known, lives, sharedWith);
    }
    XlaModule.Trace trace = new XlaModule.Trace(steps, lives, sharedWith);
    return new XlaModule(
        withoutEnd(source), buffers.size(), allocations, List.of(trace), ranges.size());
  }

  /** Finds the values at one offset whose live ranges meet. */
  private static void share(
      List<XlaModule.Assigned> known, Map<Long, XlaModule.Life> lives, Map<Long, Long> sharedWith) {
    known.sort(
        Comparator.comparingLong(XlaModule.Assigned::offset)
            .thenComparingInt(one -> lives.get(one.buffer()).start()));
    XlaModule.Assigned first = null;
    int end = 0;
    for (XlaModule.Assigned one : known) {
      XlaModule.Life life = lives.get(one.buffer());
      if (first != null && one.offset() == first.offset() && life.start() < end) {
        sharedWith.put(one.buffer(), first.buffer());
        end = Math.max(end, life.end());
      } else {
        first = one;
        end = life.end();
      }
    }
  }
}

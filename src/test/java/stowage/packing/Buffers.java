package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Lists of buffers as text: {@code a:5[0,4)} has 5 bytes from step 0 to before step 4; behind it
 * {@code %8} is an alignment, {@code @7} a fixed offset, and {@code |} keeps it within a bank.
 */
public final class Buffers {
  private static final Pattern FORM =
      Pattern.compile("(.+):(\\d+)\\[(\\d+),(\\d+)\\)(?:%(\\d+))?(?:@(\\d+))?(\\|)?");

  private Buffers() {}

  /** Buffers with spaces between them. */
  public static List<Buffer> of(String text) {
    return Arrays.stream(text.split(" ")).map(Buffers::buffer).toList();
  }

  /** A problem of one memory with such buffers. */
  public static PackingProblem problem(String buffers) {
    return PackingProblem.of("test", of(buffers));
  }

  /**
   * A buffer that starts before a step, has 1 to so many bytes, and is alive for 1 to so many
   * steps.
   */
  public static Buffer drawn(Random random, String id, int starts, int bytes, int steps) {
    int start = random.nextInt(starts);
    return new Buffer(id, 1 + random.nextInt(bytes), start, start + 1 + random.nextInt(steps));
  }

  /** So many of them, called b0, b1, and so on. */
  public static List<Buffer> drawn(Random random, int count, int starts, int bytes, int steps) {
    return IntStream.range(0, count)
        .mapToObj(i -> drawn(random, "b" + i, starts, bytes, steps))
        .toList();
  }

  /** Of all pairs of so many buffers those that are chosen, the larger index first. */
  public static List<int[]> pairs(int count, BooleanSupplier chosen) {
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < i; j++) {
        if (chosen.getAsBoolean()) {
          pairs.add(new int[] {i, j});
        }
      }
    }
    return pairs;
  }

  /** Ids, sizes and live ranges of a problem's buffers. */
  public static List<String> liveRanges(PackingProblem problem) {
    return problem.buffers().stream()
        .map(buffer -> buffer.id() + " " + buffer.size() + " " + buffer.live())
        .toList();
  }

  private static Buffer buffer(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException(text);
    }
    int start = Integer.parseInt(found.group(3));
    int end = Integer.parseInt(found.group(4));
    Buffer buffer = new Buffer(found.group(1), Long.parseLong(found.group(2)), start, end);
    if (found.group(5) != null) {
      buffer = buffer.withAlignment(Long.parseLong(found.group(5)));
    }
    if (found.group(6) != null) {
      buffer = buffer.withFixedOffset(Long.parseLong(found.group(6)));
    }
    return found.group(7) == null ? buffer : buffer.withinBank(true);
  }
}

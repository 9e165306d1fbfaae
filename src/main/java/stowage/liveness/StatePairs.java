package stowage.liveness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

/**
 * Graph inputs and outputs that are one place in memory: state that a run takes as an input and
 * gives back as an output, such as the caches of keys and values of a language model.
 *
 * <p>The buffers of both become one, of the size of the larger, in which both begin at the same
 * byte. It is held throughout, so that what one run leaves there the next one finds. That the ops
 * between them can work in that place, by appending for instance, is for the caller to know.
 *
 * <p>A pair is written {@code past=present}; each {@code *} of the input's pattern matches some
 * text, and the output's pattern repeats it: {@code past_key_values.*=present.*} pairs {@code
 * past_key_values.0.key} with {@code present.0.key}.
 */
public final class StatePairs {
  private StatePairs() {}

  /**
   * The pairs that some patterns name, outputs by inputs.
   *
   * @throws InvalidNetworkException when a pattern is malformed, matches no graph input, or leads
   *     to what is no graph output or in another pair
   */
  public static Map<String, String> of(Network network, List<String> aliases) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String alias : aliases) {
      int equals = alias.indexOf('=');
      long stars = alias.chars().filter(c -> c == '*').count();
      String past = alias.substring(0, Math.max(0, equals));
      if (equals <= 0
          || equals == alias.length() - 1
          || 2 * past.chars().filter(c -> c == '*').count() != stars) {
        throw new InvalidNetworkException(
            "\"" + alias + "\" should be INPUT=OUTPUT, with as many * before the = as after it");
      }
      Pattern pattern = Pattern.compile("\\Q" + past.replace("*", "\\E(.*)\\Q") + "\\E");
      boolean found = false;
      for (String input : network.inputs()) {
        Matcher matcher = pattern.matcher(input);
        if (matcher.matches()) {
          found = true;
          String output = output(network, alias, alias.substring(equals + 1), matcher);
          boolean taken = pairs.containsKey(input) || pairs.containsValue(output);
          if (taken && !output.equals(pairs.put(input, output))) {
            throw new InvalidNetworkException(
                "\"%s\" pairs \"%s\" with \"%s\", one of which is in another pair"
                    .formatted(alias, input, output));
          }
          pairs.put(input, output);
        }
      }
      if (!found) {
        throw new InvalidNetworkException(
            "no graph input is called \"" + past + "\"; there are " + few(network.inputs()));
      }
    }
    return pairs;
  }

  private static String output(Network network, String alias, String pattern, Matcher matcher) {
    StringBuilder output = new StringBuilder();
    int star = 0;
    for (int k = 0; k < pattern.length(); k++) {
      char c = pattern.charAt(k);
      output.append(c == '*' ? matcher.group(++star) : String.valueOf(c));
    }
    if (!network.outputs().contains(output.toString())) {
      throw new InvalidNetworkException(
          "\"%s\" pairs input \"%s\" with \"%s\", which is no graph output; there are %s"
              .formatted(alias, matcher.group(), output, few(network.outputs())));
    }
    return output.toString();
  }

  private static String few(List<String> names) {
    List<String> first = names.subList(0, Math.min(8, names.size()));
    return String.join(", ", first) + (names.size() > first.size() ? ", ..." : "");
  }

  /** A case with the buffers of each pair joined; the same where there is none. */
  static PlanningCase joined(PlanningCase given) {
    PlanningCase made = given;
    for (Map.Entry<String, String> pair :
        of(given.network(), given.options().aliases()).entrySet()) {
      made = joined(made, pair.getKey(), pair.getValue());
    }
    return made;
  }

  private static PlanningCase joined(PlanningCase made, String input, String output) {
    PackingProblem problem = made.problem();
    int kept = indexOf(made, input);
    int dropped = indexOf(made, output);
    long distance = offset(made, kept, input) - offset(made, dropped, output);
    Buffer one = problem.buffer(kept);
    Buffer other = problem.buffer(dropped);
    if (kept == dropped ? distance != 0 : distance % one.alignment() != 0) {
      throw new InvalidNetworkException(
          ("tensors \"%s\" and \"%s\" cannot be one place, since views put them at other"
                  + " places of their buffers; --in-place none gives them buffers of their own")
              .formatted(input, output));
    }
    if (kept != dropped
        && (holds(made, dropped, output, input, made.network().inputs())
            || holds(made, kept, input, output, made.network().outputs()))) {
      throw new InvalidNetworkException(
          ("tensors \"%s\" and \"%s\" cannot be one place, since another input or output shares"
                  + " it; --in-place none gives them buffers of their own")
              .formatted(input, output));
    }
    long down = Math.max(0, -distance);
    long size = Math.max(down + one.size(), down + distance + other.size());
    LiveRange throughout = new LiveRange(0, Math.max(1, made.order().length));
    List<Buffer> buffers = new ArrayList<>(problem.buffers());
    List<PlanningCase.BufferContents> contents = new ArrayList<>(made.contents());
    buffers.set(
        kept,
        new Buffer(
            one.id(),
            size,
            throughout,
            one.alignment(),
            one.fixedOffset(),
            one.hint(),
            List.of(),
            one.memories(),
            one.withinBank()));
    List<PlanningCase.Part> parts = moved(made.contents().get(kept), down);
    if (kept != dropped) {
      parts.addAll(moved(made.contents().get(dropped), down + distance));
      buffers.remove(dropped);
      contents.remove(dropped);
    }
    contents.set(kept > dropped ? kept - 1 : kept, new PlanningCase.BufferContents(parts));
    PackingProblem joined =
        new PackingProblem(
            problem.name(),
            buffers,
            problem.memories(),
            kept == dropped
                ? problem.conflicts()
                : without(problem.conflicts(), problem.size(), kept, dropped),
            Relations.none().withReuse(without(problem.relations().reuse(), kept, dropped)));
    return new PlanningCase(
        made.network(),
        made.order(),
        joined,
        List.copyOf(contents),
        made.weights(),
        made.weightBytes(),
        made.options());
  }

  /** Whether bytes of a guest that comes where a tensor is are also another's of some tensors. */
  private static boolean holds(
      PlanningCase made, int buffer, String host, String guest, List<String> others) {
    Network network = made.network();
    long start = offset(made, buffer, host);
    long end = start + network.tensor(guest).bytes();
    return made.parts(buffer).stream()
        .filter(part -> others.contains(part.tensor()))
        .anyMatch(
            part ->
                part.offset() < end
                    && start < part.offset() + network.tensor(part.tensor()).bytes());
  }

  private static List<PlanningCase.Part> moved(PlanningCase.BufferContents contents, long bytes) {
    List<PlanningCase.Part> moved = new ArrayList<>(contents.parts());
    moved.replaceAll(part -> new PlanningCase.Part(part.tensor(), part.offset() + bytes));
    return moved;
  }

  /** Extra conflicts of the buffers that remain; the one held throughout needs none. */
  private static ConflictPairs without(ConflictPairs pairs, int buffers, int kept, int dropped) {
    List<int[]> left = new ArrayList<>();
    for (int b = 0; b < buffers; b++) {
      for (int other : pairs.of(b)) {
        if (b < other && b != kept && b != dropped && other != kept && other != dropped) {
          left.add(new int[] {b > dropped ? b - 1 : b, other > dropped ? other - 1 : other});
        }
      }
    }
    return ConflictPairs.of(buffers - 1, left);
  }

  /** Prices of the buffers that remain; the one held throughout reuses nothing. */
  private static List<Relations.Reuse> without(
      List<Relations.Reuse> prices, int kept, int dropped) {
    List<Relations.Reuse> left = new ArrayList<>();
    for (Relations.Reuse price : prices) {
      int first = price.first();
      int second = price.second();
      if (first != kept && first != dropped && second != kept && second != dropped) {
        left.add(
            new Relations.Reuse(
                kept != dropped && first > dropped ? first - 1 : first,
                kept != dropped && second > dropped ? second - 1 : second,
                price.weight(),
                price.reason()));
      }
    }
    return left;
  }

  private static int indexOf(PlanningCase made, String tensor) {
    Integer buffer = made.bufferOf().get(tensor);
    if (buffer == null) {
      throw new InvalidNetworkException(
          "tensor \"" + tensor + "\" has no place in the planned memory, so it can be no alias");
    }
    return buffer;
  }

  private static long offset(PlanningCase made, int buffer, String tensor) {
    return made.parts(buffer).get(made.tensors(buffer).indexOf(tensor)).offset();
  }
}

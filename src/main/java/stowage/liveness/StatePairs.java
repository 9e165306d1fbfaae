package stowage.liveness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;

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

  /** Those of some patterns that match a graph input, and malformed ones, which are refused. */
  public static List<String> matching(Network network, List<String> aliases) {
    return aliases.stream()
        .filter(
            alias ->
                alias.indexOf('=') <= 0
                    || network.inputs().stream().anyMatch(pattern(alias).asMatchPredicate()))
        .toList();
  }

  /** What the inputs of a pair match, with a group for each {@code *}. */
  private static Pattern pattern(String alias) {
    String past = alias.substring(0, alias.indexOf('='));
    return Pattern.compile("\\Q" + past.replace("*", "\\E(.*)\\Q") + "\\E");
  }

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
      Pattern pattern = pattern(alias);
      boolean found = false;
      for (String input : network.inputs()) {
        Matcher matcher = pattern.matcher(input);
        if (matcher.matches()) {
          found = true;
          String output = output(network, alias, alias.substring(equals + 1), matcher);
          boolean taken = pairs.containsKey(input) || pairs.containsValue(output);
          if (taken && !output.equals(pairs.get(input))) {
            throw new InvalidNetworkException(
                "\"%s\" pairs \"%s\" with \"%s\", one of which is in another pair"
                    .formatted(alias, input, output));
          }
          pairs.put(input, output);
        }
      }
      if (!found) {
        throw new InvalidNetworkException(
            "no graph input is called \"" + past + "\"; graph inputs: " + few(network.inputs()));
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
          "\"%s\" pairs input \"%s\" with \"%s\", which is no graph output; graph outputs: %s"
              .formatted(alias, matcher.group(), output, few(network.outputs())));
    }
    return output.toString();
  }

  private static String few(List<String> names) {
    List<String> first = names.subList(0, Math.min(8, names.size()));
    return String.join(", ", first) + (names.size() > first.size() ? ", ..." : "");
  }

  /**
   * Puts the tensors of each pair at one place.
   *
   * @return the buffers in which they are
   */
  static Set<Integer> join(
      Network network, LivenessOptions options, TensorLives lives, SharedBuffers shared) {
    List<Integer> joined = new ArrayList<>();
    of(network, options.aliases())
        .forEach(
            (input, output) -> {
              int in = number(lives, input);
              int out = number(lives, output);
              boolean one = shared.buffer(in) == shared.buffer(out);
              long distance = shared.offset(in) - shared.offset(out);
              if (one ? distance != 0 : distance % options.alignment() != 0) {
                throw new InvalidNetworkException(
                    ("tensors \"%s\" and \"%s\" cannot be one place, since views put them at other"
                            + " places of their buffers; --in-place none gives them buffers of"
                            + " their own")
                        .formatted(input, output));
              }
              if (!one) {
                if (isTaken(lives, shared, out, in, network.inputs())
                    || isTaken(lives, shared, in, out, network.outputs())) {
                  throw new InvalidNetworkException(
                      ("tensors \"%s\" and \"%s\" cannot be one place, since another input or"
                              + " output shares it; --in-place none gives them buffers of their own")
                          .formatted(input, output));
                }
                shared.merge(in, out, 0);
              }
              joined.add(in);
            });
    return joined.stream().map(shared::buffer).collect(Collectors.toSet());
  }

  /** Whether a tensor, put where another one is, would share bytes with one of some others. */
  private static boolean isTaken(
      TensorLives lives, SharedBuffers shared, int place, int tensor, List<String> others) {
    long start = shared.offset(place);
    long end = start + shared.bytes(tensor);
    return others.stream()
        .mapToInt(lives::of)
        .filter(t -> t >= 0 && shared.buffer(t) == shared.buffer(place))
        .anyMatch(t -> shared.offset(t) < end && start < shared.offset(t) + shared.bytes(t));
  }

  private static int number(TensorLives lives, String tensor) {
    if (lives.of(tensor) < 0) {
      throw new InvalidNetworkException(
          "tensor \"" + tensor + "\" has no place in the planned memory, so it can be no alias");
    }
    return lives.of(tensor);
  }
}

package stowage.network;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One operation: reads its inputs, writes its outputs.
 *
 * @param name unique in the network
 * @param type what it computes, in the words of {@code docs/network-format.md} for networks of our
 *     own and in the source format's words for imported ones, such as {@code Conv}
 * @param attributes values are Long, Double, Boolean, String, or Lists of these
 * @param inputs tensor names in the op's order; an absent optional input is the empty string
 * @param outputs tensor names in the op's order; an absent optional output is the empty string
 * @param scratch bytes of each piece of memory needed only while the op runs; empty if unknown
 * @param cost what one computation costs, 0 or more in any unit; -1 when none is known
 * @param repeatable whether the op may be computed again where its operands still are: {@code
 *     false} says never, {@code true} leaves it to the op's type
 */
public record Op(
    String name,
    String type,
    Map<String, Object> attributes,
    List<String> inputs,
    List<String> outputs,
    List<Long> scratch,
    long cost,
    boolean repeatable) {

  public Op {
    if (name == null || name.isEmpty()) {
      throw new InvalidNetworkException("an op of type \"" + type + "\" has no name");
    }
    long sum = 0;
    for (long bytes : scratch) {
      sum = bytes < 0 || sum > Long.MAX_VALUE - bytes ? -1 : sum + bytes;
      if (sum < 0) {
        throw new InvalidNetworkException(
            "op \"%s\": scratchBytes %s should be 0 or more, with a sum below 2^63", name, bytes);
      }
    }
    if (cost < -1) {
      throw new InvalidNetworkException(
          "op \"" + name + "\": cost " + cost + " should be 0 or more, or -1 for none");
    }
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    scratch = scratch.stream().filter(bytes -> bytes > 0).toList();
  }

  /** An op without a cost that may be computed again. */
  public Op(
      String name,
      String type,
      Map<String, Object> attributes,
      List<String> inputs,
      List<String> outputs,
      List<Long> scratch) {
    this(name, type, attributes, inputs, outputs, scratch, -1, true);
  }

  /** An op without a cost whose scratch memory, if any, is one piece. */
  public Op(
      String name,
      String type,
      Map<String, Object> attributes,
      List<String> inputs,
      List<String> outputs,
      long scratchBytes) {
    this(name, type, attributes, inputs, outputs, List.of(scratchBytes));
  }

  /** The same op with other scratch memory, in bytes of each piece. */
  public Op withScratch(List<Long> pieces) {
    return new Op(name, type, attributes, inputs, outputs, pieces, cost, repeatable);
  }

  /** The same op with another cost. */
  public Op withCost(long other) {
    return new Op(name, type, attributes, inputs, outputs, scratch, other, repeatable);
  }

  /** The same op under another name, with other operands and results. */
  public Op renamed(String other, List<String> operands, List<String> results) {
    return new Op(other, type, attributes, operands, results, scratch, cost, repeatable);
  }

  /** The same op, never to be computed again. */
  public Op once() {
    return new Op(name, type, attributes, inputs, outputs, scratch, cost, false);
  }

  /** Bytes of all scratch memory, 0 when none is known. */
  public long scratchBytes() {
    return scratch.stream().mapToLong(Long::longValue).sum();
  }

  /** The present inputs, without absent optional ones; a tensor read twice appears twice. */
  public List<String> presentInputs() {
    return present(inputs);
  }

  public List<String> presentOutputs() {
    return present(outputs);
  }

  private static List<String> present(List<String> names) {
    return names.contains("") ? names.stream().filter(name -> !name.isEmpty()).toList() : names;
  }

  /** An integer attribute, or a default. */
  public long integer(String key, long otherwise) {
    return attributes.get(key) instanceof Number number ? number.longValue() : otherwise;
  }

  /** A list of integers; a single integer counts as a list of one; empty when absent. */
  public List<Long> integers(String key) {
    Object value = attributes.getOrDefault(key, List.of());
    List<?> list = value instanceof List<?> several ? several : List.of(value);
    return list.stream().allMatch(Number.class::isInstance)
        ? list.stream().map(element -> ((Number) element).longValue()).toList()
        : List.of();
  }

  /** A text attribute, or a default. */
  public String text(String key, String otherwise) {
    return attributes.get(key) instanceof String text ? text : otherwise;
  }

  /** Whether a flag is set: true, or an integer other than 0. */
  public boolean flag(String key) {
    Object value = attributes.get(key);
    return value instanceof Boolean set ? set : value instanceof Number n && n.longValue() != 0;
  }
}

package stowage.importer.own;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.importer.io.InputException;
import stowage.importer.io.Suggestion;
import stowage.packing.Certificate;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ReuseCut;
import stowage.packing.ReuseProof;
import stowage.packing.SolverClaim;

/**
 * Reader of certificates as {@link stowage.packing.CertificateFields} writes them, with the names
 * of a problem's buffers and memories.
 */
public record CertificateReader(Path file, PackingProblem problem) {
  private static final List<String> KINDS =
      List.of(
          "max-load conflicts alignment banks fixed-offset subset-sum energy window".split(" "));

  /** The certificate of an object; a wrong type, range, name or kind is a fault. */
  public Certificate read(JsonNode json) {
    if (!json.isObject()) {
      throw wrong(json + " should be an object { ... }");
    }
    String kind = json.path("kind").asText();
    if (kind.equals("relations")) {
      return new Certificate.Contradiction(new int[0], "the relations contradict each other");
    }
    if (kind.equals("reuse-cuts")) {
      return reuseCuts(json);
    }
    if (!KINDS.contains(kind) && json.has("engine")) {
      return SolverClaim.of(kind, json.get("engine").asText(), Map.of());
    }
    if (!KINDS.contains(kind)) {
      throw wrong("kind \"" + kind + "\" is not known" + Suggestion.advice(kind, KINDS));
    }
    int memory = memory(json);
    int[] named = buffers(json, "buffers");
    return switch (kind) {
      case "max-load" ->
          new Certificate.MaxLoad(memory, step(json, "step"), alternatives(json), named);
      case "conflicts" -> new Certificate.Conflicts(memory, named);
      case "alignment" ->
          new Certificate.Alignment(
              memory, number(json, "alignment", 1), alternatives(json), named);
      case "banks" -> new Certificate.Banks(memory, named);
      case "fixed-offset" -> {
        if (named.length != 1) {
          throw wrong("names " + named.length + " buffers; it should name one");
        }
        yield new Certificate.FixedOffset(memory, named[0]);
      }
      case "subset-sum" -> new Certificate.SubsetSum(memory, step(json, "step"), named);
      case "energy" -> new Certificate.Energy(memory, step(json, "step"), named);
      default -> window(memory, step(json, "start"), step(json, "end"), named);
    };
  }

  private Certificate window(int memory, int start, int end, int[] named) {
    if (end < start) {
      throw wrong("end " + end + " should not be before start " + start);
    }
    return new Certificate.Window(memory, new LiveRange(start, end), named);
  }

  private Certificate reuseCuts(JsonNode json) {
    List<ReuseCut> cuts = new ArrayList<>();
    JsonNode parts = json.path("cuts");
    long[] multipliers = new long[parts.size()];
    int[] groups = new int[parts.size()];
    for (int k = 0; k < multipliers.length; k++) {
      JsonNode part = parts.path(k);
      multipliers[k] = number(part, "multiplier", 0);
      groups[k] = (int) Math.min(Integer.MAX_VALUE, number(part, "group", 0));
      int memory = memory(part);
      int[] named = buffers(part, "buffers");
      cuts.add(
          part.has("apartAtMost")
              ? new ReuseCut.Turan(
                  memory, named, (int) Math.min(Integer.MAX_VALUE, number(part, "apartAtMost", 1)))
              : new ReuseCut.Hide(
                  memory, named, buffers(part, "given"), number(part, "divisor", 1)));
    }
    return new ReuseProof(List.copyOf(cuts), multipliers, number(json, "scale", 1), groups);
  }

  private int step(JsonNode json, String field) {
    if (!json.path(field).isIntegralNumber() || !json.path(field).canConvertToInt()) {
      throw wrong(field + " " + json.path(field) + " should be a step");
    }
    return json.path(field).asInt();
  }

  private long number(JsonNode json, String field, long least) {
    JsonNode given = json.path(field);
    if (!given.isIntegralNumber() || !given.canConvertToLong() || given.asLong() < least) {
      throw wrong("%s %s should be a number of %s or more".formatted(field, given, least));
    }
    return given.asLong();
  }

  private long alternatives(JsonNode json) {
    long mask = 0;
    for (JsonNode name : json.path("alternatives")) {
      mask |= 1L << memory(name.asText());
    }
    return mask;
  }

  private int memory(JsonNode json) {
    return memory(json.path("memory").asText());
  }

  private int memory(String name) {
    int memory = Memory.indexOf(problem.memories(), name);
    if (memory < 0) {
      throw wrong("memory \"" + name + "\" is not part of the problem");
    }
    return memory;
  }

  private int[] buffers(JsonNode json, String field) {
    JsonNode ids = json.path(field);
    return IntStream.range(0, ids.size()).map(k -> buffer(ids.path(k).asText())).toArray();
  }

  int buffer(String id) {
    try {
      return problem.indexOf(id);
    } catch (IllegalArgumentException none) {
      throw wrong("buffer \"" + id + "\" is not part of the problem");
    }
  }

  private InputException wrong(String what, Object... arguments) {
    return new InputException(file, "certificate", what, arguments);
  }
}

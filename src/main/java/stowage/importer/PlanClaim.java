package stowage.importer;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;

/**
 * The bound that a plan.json of ours claims, with its certificate: so that the claim can be checked
 * again, by anyone, from the file.
 */
public final class PlanClaim {
  private PlanClaim() {}

  /**
   * Reads the bound of a plan; empty where the file is no plan.json with a certificate. What stands
   * after the certificate is not read.
   *
   * @param problem to which the certificate's names refer
   * @throws InputException when the file cannot be read, or the certificate names what the problem
   *     does not have, or is of no known kind
   */
  public static Optional<Bound> read(Path file, PackingProblem problem) {
    if (!String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).endsWith(".json")) {
      return Optional.empty();
    }
    Long value = null;
    JsonNode certificate = null;
    ObjectMapper mapper = new ObjectMapper();
    try (InputStream in = Files.newInputStream(file);
        JsonParser json = mapper.getFactory().createParser(in)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME && (value == null || certificate == null)) {
        String field = json.currentName();
        json.nextToken();
        if (field.equals("lowerBound") && json.currentToken().isNumeric()) {
          value = json.getLongValue();
        } else if (field.equals("certificate")) {
          certificate = mapper.readTree(json);
        } else {
          json.skipChildren();
        }
      }
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
    return value == null || certificate == null || !certificate.isObject()
        ? Optional.empty()
        : Optional.of(Bound.of(value, new Names(file, problem).certificate(certificate)));
  }

  /** Names of a problem, by which a certificate speaks. */
  private static final class Names {
    private final Path file;
    private final PackingProblem problem;
    private final Map<String, Integer> buffers = new HashMap<>();

    Names(Path file, PackingProblem problem) {
      this.file = file;
      this.problem = problem;
      for (int i = 0; i < problem.size(); i++) {
        buffers.put(problem.buffer(i).id(), i);
      }
    }

    Certificate certificate(JsonNode json) {
      String kind = json.path("kind").asText();
      if (json.has("engine")) {
        return Certificate.EngineWord.of(kind, json.get("engine").asText(), Map.of());
      }
      int memory = memory(json.path("memory").asText());
      int[] named = buffers(json.path("buffers"));
      return switch (kind) {
        case "max-load" -> new Certificate.MaxLoad(memory, step(json), alternatives(json), named);
        case "conflicts" -> new Certificate.Conflicts(memory, named);
        case "alignment" -> new Certificate.Alignment(memory, figure(json, "alignment"), named);
        case "banks" ->
            json.has("threshold")
                ? new Certificate.BankFilling(memory, figure(json, "threshold"), named)
                : new Certificate.Banks(memory, named);
        case "fixed-offset" -> new Certificate.FixedOffset(memory, only(named));
        case "subset-sum" -> new Certificate.SubsetSum(memory, step(json), named);
        case "energy" -> new Certificate.Energy(memory, step(json), named);
        case "window" -> new Certificate.Window(memory, steps(json), named);
        default -> throw wrong("kind \"" + kind + "\" is not known");
      };
    }

    private InputException wrong(String what) {
      return new InputException(file, "certificate", what);
    }

    private int memory(String name) {
      for (int m = 0; m < problem.memories().size(); m++) {
        if (problem.memories().get(m).name().equals(name)) {
          return m;
        }
      }
      throw wrong("memory \"" + name + "\" is none of the problem's");
    }

    private int[] buffers(JsonNode ids) {
      int[] named = new int[ids.size()];
      for (int k = 0; k < named.length; k++) {
        Integer index = buffers.get(ids.get(k).asText());
        if (index == null) {
          throw wrong("buffer \"" + ids.get(k).asText() + "\" is none of the problem's");
        }
        named[k] = index;
      }
      return named;
    }

    private int only(int[] named) {
      if (named.length != 1) {
        throw wrong("names " + named.length + " buffers; it should name one");
      }
      return named[0];
    }

    private long figure(JsonNode json, String field) {
      if (!json.path(field).canConvertToLong() || json.path(field).asLong() < 1) {
        throw wrong(field + " " + json.path(field) + " should be a number of 1 or more");
      }
      return json.path(field).asLong();
    }

    private int step(JsonNode json) {
      return whole(json, "step");
    }

    private int whole(JsonNode json, String field) {
      if (!json.path(field).canConvertToInt()) {
        throw wrong(field + " " + json.path(field) + " should be a step");
      }
      return json.path(field).asInt();
    }

    private LiveRange steps(JsonNode json) {
      int start = whole(json, "start");
      int end = whole(json, "end");
      if (end < start) {
        throw wrong("end " + end + " should not be before start " + start);
      }
      return new LiveRange(start, end);
    }

    private long alternatives(JsonNode json) {
      long mask = 0;
      for (JsonNode name : json.path("alternatives")) {
        mask |= 1L << memory(name.asText());
      }
      return mask;
    }
  }
}

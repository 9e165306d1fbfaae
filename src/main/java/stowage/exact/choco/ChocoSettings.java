package stowage.exact.choco;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.util.List;
import stowage.exact.engine.SolverConfigs;

/** How Choco is to work: read from JSON, with the values of {@code default.json} for the rest. */
final class ChocoSettings {
  static final String BOTTOM_LEFT = "bottom-left";
  static final String PAIR_ORDER = "pair-order";
  static final String WEIGHTED = "dom-over-wdeg";
  static final String BY_SIZE = "lower-bound-by-size";

  /** What is decided in which order: one of the four above. */
  public String strategy = BOTTOM_LEFT;

  /** Whether clauses are learnt from conflicts (lazy clause generation). */
  public boolean learning;

  /** Whether every buffer must rest on another or on the bottom. */
  public boolean rest = true;

  /** Whether sections are reasoned on as one-machine problems. */
  public boolean sections = true;

  /** Whether the buffers also are in a cumulative constraint along the addresses. */
  public boolean cumulative;

  /** {@code none}, {@code luby} or {@code geometric}. */
  public String restarts = "none";

  /** Failures before the first restart. */
  public int restartAfter = 200;

  /** Nodes for the first question about a part; each round has twice as many. */
  public long firstNodes = 2000;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.ALLOW_COMMENTS);

  /** Reads settings; a fault of one line names the file, the field and what would be right. */
  static ChocoSettings read(SolverConfigs.Settings settings) {
    try {
      return checked(settings.name(), MAPPER.readValue(settings.text(), ChocoSettings.class));
    } catch (UnrecognizedPropertyException unknown) {
      throw new IllegalArgumentException(
          "%s: field \"%s\" is not known; known are %s"
              .formatted(settings.name(), unknown.getPropertyName(), unknown.getKnownPropertyIds()),
          unknown);
    } catch (JsonProcessingException broken) {
      int line = broken.getLocation() == null ? 1 : broken.getLocation().getLineNr();
      throw new IllegalArgumentException(
          "%s: line %s: %s".formatted(settings.name(), line, broken.getOriginalMessage()), broken);
    }
  }

  private static ChocoSettings checked(String name, ChocoSettings read) {
    check(name, "strategy", read.strategy, List.of(BOTTOM_LEFT, PAIR_ORDER, WEIGHTED, BY_SIZE));
    check(name, "restarts", read.restarts, List.of("none", "luby", "geometric"));
    if (read.restartAfter < 1 || read.firstNodes < 1) {
      throw new IllegalArgumentException(
          name + ": restartAfter and firstNodes should be 1 or more");
    }
    return read;
  }

  private static void check(String name, String field, String value, List<String> known) {
    if (!known.contains(value)) {
      throw new IllegalArgumentException(
          name + ": " + field + " \"" + value + "\" should be one of " + known);
    }
  }
}

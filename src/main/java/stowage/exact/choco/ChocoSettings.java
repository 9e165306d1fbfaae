package stowage.exact.choco;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.util.List;
import stowage.exact.engine.SolverConfigs;

/**
 * How Choco is to work; read from JSON, with the values of {@code default.json} for what is absent.
 *
 * @param strategy what is decided in which order: {@code bottom-left}, {@code pair-order}, {@code
 *     dom-over-wdeg} or {@code lower-bound-by-size}
 * @param learning whether clauses are learnt from conflicts (lazy clause generation)
 * @param rest whether every buffer must rest on another or on the bottom
 * @param sections whether sections are reasoned on as one-machine problems
 * @param cumulative whether the buffers also are in a cumulative constraint along the addresses
 * @param restarts {@code none}, {@code luby} or {@code geometric}
 * @param restartAfter failures before the first restart
 * @param firstNodes nodes for the first question about a part; each round has twice as many
 */
record ChocoSettings(
    String strategy,
    boolean learning,
    boolean rest,
    boolean sections,
    boolean cumulative,
    String restarts,
    int restartAfter,
    long firstNodes) {

  static final String BOTTOM_LEFT = "bottom-left";
  static final String PAIR_ORDER = "pair-order";
  static final String WEIGHTED = "dom-over-wdeg";
  static final String BY_SIZE = "lower-bound-by-size";

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.ALLOW_COMMENTS);

  /** Reads settings; a fault of one line names the file, the field and what would be right. */
  static ChocoSettings read(SolverConfigs.Settings settings) {
    try {
      return checked(settings.name(), MAPPER.readValue(settings.text(), Fields.class).settings());
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

  static final class Fields {
    public String strategy = BOTTOM_LEFT;
    public boolean learning;
    public boolean rest = true;
    public boolean sections = true;
    public boolean cumulative;
    public String restarts = "none";
    public int restartAfter = 200;
    public long firstNodes = 2000;

    ChocoSettings settings() {
      return new ChocoSettings(
          strategy, learning, rest, sections, cumulative, restarts, restartAfter, firstNodes);
    }
  }
}

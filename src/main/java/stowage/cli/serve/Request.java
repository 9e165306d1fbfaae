package stowage.cli.serve;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import stowage.Effort;
import stowage.PlanOptions;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonCursor;
import stowage.importer.own.PackingJson;
import stowage.packing.PackingProblem;

/** One request of {@code stowage serve}: what is to be planned, and how. */
record Request(PackingProblem problem, PlanOptions options) {
  private static final Path NAME = Path.of("request");
  private static final List<String> FIELDS = List.of("id", "problem", "path", "options");
  private static final List<String> OPTIONS =
      List.of(
          "timeLimit", "workLimit", "threads", "seed", "capacity", "firstFit", "effort", "engines");

  /** Work units of a request's {@code workLimit}; 1 unit is about 1 s of one thread. */
  private static final double WORK_UNITS = 1e6;

  /** What a line is about, before all is read: a request's id, the id of one to cancel, or null. */
  record Head(JsonNode id, JsonNode cancel) {
    /**
     * Reads the ids of a line and passes over all else.
     *
     * @throws InputException when the line is not a JSON object, or an id is neither a text nor a
     *     whole number
     */
    static Head of(byte[] line) {
      JsonNode[] ids = new JsonNode[2];
      try (JsonCursor json = new JsonCursor(NAME, new ByteArrayInputStream(line))) {
        json.object(
            null,
            field -> {
              if (field.equals("id") || field.equals("cancel")) {
                ids[field.equals("id") ? 0 : 1] = id(json);
              } else {
                json.skip();
              }
              return true;
            });
        json.end();
      }
      return new Head(ids[0], ids[1]);
    }

    private static JsonNode id(JsonCursor json) {
      JsonNode id = json.tree();
      if (!id.isTextual() && !id.isIntegralNumber()) {
        throw json.fault(id + " should be a text or a whole number");
      }
      return id;
    }
  }

  /**
   * Reads a request whose {@link Head} was read, and the file that it names, with the most threads
   * and time that a run may take; a fault names the field, the value and what would be right.
   *
   * @throws InputException when the problem or the file cannot be used
   * @throws UsageException when anything else of the request is wrong
   */
  static Request read(byte[] line, int threads, Duration most) {
    Reader reader = new Reader(threads, most);
    try (JsonCursor json = new JsonCursor(NAME, new ByteArrayInputStream(line))) {
      json.object(FIELDS, field -> reader.field(field, json));
    } catch (InputException wrong) {
      throw reader.inProblem ? wrong : new UsageException(wrong.getMessage());
    }
    return reader.request();
  }

  private static final class Reader {
    private final int threads;
    private final double mostSeconds;
    private PackingProblem problem;
    private boolean inProblem;
    private Path path;
    private Double seconds;
    private final List<UnaryOperator<PlanOptions>> chosen = new ArrayList<>();

    Reader(int threads, Duration most) {
      this.threads = threads;
      this.mostSeconds = most.toMillis() / 1e3;
    }

    boolean field(String field, JsonCursor json) {
      switch (field) {
        case "problem" -> {
          inProblem = true;
          problem = PackingJson.read(NAME, json);
          inProblem = false;
        }
        case "path" -> path = Path.of(json.label());
        case "options" -> json.object(OPTIONS, option -> option(option, json));
        default -> json.skip();
      }
      return true;
    }

    private boolean option(String option, JsonCursor json) {
      switch (option) {
        case "timeLimit" -> seconds = json.number(0, mostSeconds);
        case "workLimit" -> {
          double units = json.number(1 / WORK_UNITS, 9e12) * WORK_UNITS;
          choose((long) units, PlanOptions::deterministic);
        }
        case "threads" -> choose((int) json.integer(1, threads), PlanOptions::threads);
        case "seed" -> choose(json.integer(Long.MIN_VALUE, Long.MAX_VALUE), PlanOptions::seed);
        case "capacity" -> choose(json.integer(0, Long.MAX_VALUE - 1), PlanOptions::capacity);
        case "firstFit" -> choose(json.flag(), (all, fits) -> fits ? all.firstFit() : all);
        case "effort" -> choose(effort(json), PlanOptions::effort);
        default -> {
          List<String> engines = new ArrayList<>();
          json.array(() -> engines.add(json.label()));
          choose(engines.toArray(String[]::new), PlanOptions::engines);
        }
      }
      return true;
    }

    private <T> void choose(T value, BiFunction<PlanOptions, T, PlanOptions> option) {
      chosen.add(options -> option.apply(options, value));
    }

    private static Effort effort(JsonCursor json) {
      String word = json.text();
      return Arrays.stream(Effort.values())
          .filter(effort -> effort.name().toLowerCase(Locale.ROOT).equals(word))
          .findFirst()
          .orElseThrow(() -> json.fault("\"" + word + "\" should be fast, normal or proof"));
    }

    Request request() {
      if ((problem == null) == (path == null)) {
        throw new UsageException(
            NAME + ": should have one of the fields \"problem\" and \"path\", and not both");
      }
      PlanOptions options =
          seconds == null
              ? PlanOptions.defaults()
              : PlanOptions.within(Duration.ofNanos((long) (seconds * 1e9)));
      options = options.threads(threads);
      for (UnaryOperator<PlanOptions> one : chosen) {
        options = one.apply(options);
      }
      return new Request(problem == null ? load() : problem, options);
    }

    private PackingProblem load() {
      boolean odd = Files.exists(path) && !Files.isRegularFile(path);
      if (odd || path.equals(InputOptions.STDIN)) {
        throw new InputException(
            NAME,
            "field \"path\"",
            "\"" + path + "\" is no regular file, and could block for good");
      }
      InputOptions input = new InputOptions();
      input.input = path;
      return new ProblemLoader(input).load().problem();
    }
  }
}

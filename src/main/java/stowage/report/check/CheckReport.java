package stowage.report.check;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.Table;
import stowage.report.plan.PlanJson;
import stowage.text.JsonWriter;

/** Peaks of several models, in the order asked for, against their limits. */
public record CheckReport(List<Model> models) {
  private static final int LARGEST_SHOWN = 12;

  /** What is known of a model's peak, from the best to the worst. */
  public enum Verdict {
    /** A verified plan is within the limit. */
    WITHIN,
    /** Neither a plan nor a proof was found in time. */
    UNKNOWN,
    /** The lowest plan found is above the limit; a lower one is not excluded. */
    ABOVE,
    /** No plan is within the limit. */
    IMPOSSIBLE;

    /** The word for it in answers. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One model.
   *
   * @param limit bytes that its peak may take
   * @param peak of the lowest plan found, in bytes; -1 without one
   * @param lowerBound no plan has a lower peak
   * @param boundKind why
   * @param reason why the verdict is what it is, in a sentence or two
   * @param blocking buffers that no plan can place within the limit; null without such a proof
   */
  public record Model(
      String file,
      String name,
      Verdict verdict,
      long limit,
      long peak,
      long lowerBound,
      String boundKind,
      String reason,
      Blocking blocking,
      Earlier earlier,
      double seconds) {}

  /**
   * Buffers that a limit cannot hold together.
   *
   * @param irreducible whether each was shown to be needed: without it the others fit
   * @param maxLoad the most that those which may not share bytes need at one step, in bytes
   * @param needed bytes that the set alone is proven to need; negative where no capacity is enough
   * @param reason why no capacity is enough; else empty
   */
  public record Blocking(
      List<Buffer> buffers, boolean irreducible, long maxLoad, long needed, String reason) {
    List<Buffer> largestFirst() {
      return buffers.stream()
          .sorted(Comparator.comparingLong((Buffer buffer) -> -buffer.size()))
          .toList();
    }
  }

  /**
   * How a model differs from an earlier plan: buffers that are added (with their bytes) or removed,
   * and those of another size, with the bytes by which these are larger in all (negative: smaller).
   */
  public record Earlier(
      String file,
      long peak,
      int added,
      long addedBytes,
      int removed,
      int resized,
      long grownBytes) {}

  /** The worst verdict. */
  public Verdict verdict() {
    return models.stream().map(Model::verdict).max(Comparator.naturalOrder()).orElseThrow();
  }

  /** The models whose peak is not within the limit. */
  public List<Model> failures() {
    return models.stream().filter(model -> model.verdict != Verdict.WITHIN).toList();
  }

  /** For a terminal; ends with a line's end. */
  public String text() {
    StringBuilder text = new StringBuilder(table(Model::file).text(""));
    for (Model model : failures()) {
      text.append("\n%s: %s\n".formatted(model.file, NameText.plain(model.reason)));
      if (model.blocking != null) {
        AlignedText set = new AlignedText("lrr").row("buffer", "bytes", "alive");
        for (Buffer buffer : shown(model.blocking)) {
          set.row(NameText.shortened(buffer.id()), buffer.size(), buffer.live());
        }
        text.append(set.text("  ")).append(rest(model.blocking, "  "));
      }
    }
    return text.toString();
  }

  private Table table(Function<Model, String> name) {
    Table table = new Table().texts("model", "peak is");
    table.figures("limit", "peak", "bound", "change");
    for (Model model : models) {
      table.cells(name.apply(model), model.verdict.word(), ByteText.human(model.limit));
      table.cells(model.peak < 0 ? "-" : ByteText.human(model.peak));
      table.cells(ByteText.human(model.lowerBound), change(model));
    }
    return table;
  }

  private static String change(Model model) {
    if (model.earlier == null || model.peak < 0) {
      return "";
    }
    long change = model.peak - model.earlier.peak;
    return change == 0 ? "0" : (change > 0 ? "+" : "-") + ByteText.human(Math.abs(change));
  }

  private static List<Buffer> shown(Blocking set) {
    List<Buffer> all = set.largestFirst();
    return all.subList(0, Math.min(LARGEST_SHOWN, all.size()));
  }

  private static String rest(Blocking set, String indent) {
    int more = set.buffers.size() - LARGEST_SHOWN;
    return more > 0 ? indent + "and " + ByteText.exact(more) + " more\n" : "";
  }

  /** As Markdown, for the comment of a change or the summary of a build. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    List<Model> failures = failures();
    String some = failures.size() + " of " + models.size() + " not within the limit";
    text.append("### Memory: ");
    text.append(failures.isEmpty() ? "every peak is within its limit" : some);
    text.append("\n\n").append(table(model -> code(model.file)).markdown());
    for (Model model : failures) {
      text.append("\n**").append(escaped(model.name)).append("**: ");
      text.append(escaped(model.reason)).append('\n');
      if (model.blocking != null) {
        Table set = new Table().texts("buffer").figures("bytes").texts("alive");
        for (Buffer buffer : shown(model.blocking)) {
          String name = code(NameText.shortened(buffer.id()));
          set.row(name, ByteText.exact(buffer.size()), buffer.live());
        }
        text.append('\n').append(set.markdown()).append(rest(model.blocking, "\n"));
      }
    }
    return text.toString();
  }

  private static String code(String name) {
    return "`" + name.replace('`', '\'') + "`";
  }

  private static String escaped(String sentence) {
    return sentence.replaceAll("([\\\\*_`|<\\[\\]])", "\\\\$1").replaceAll("\\R", " ");
  }

  /** As one JSON object, with the exit code of the command. */
  public String json(int exitCode) {
    return JsonWriter.text(
        json -> {
          json.object()
              .put("schemaVersion", PlanJson.SCHEMA_VERSION)
              .put("status", verdict().word());
          json.put("exitCode", exitCode).array("models", models, model -> write(json, model)).end();
        });
  }

  private static void write(JsonWriter json, Buffer buffer) {
    json.object().put("id", buffer.id()).put("size", buffer.size());
    json.put("start", buffer.live().start()).put("end", buffer.live().end()).end();
  }

  private static void write(JsonWriter json, Model model) {
    json.object().put("model", model.file).put("problem", model.name);
    json.put("status", model.verdict.word()).put("maxPeak", model.limit).bytes("peak", model.peak);
    json.put("lowerBound", model.lowerBound).put("boundKind", model.boundKind);
    json.put("reason", model.reason).put("seconds", model.seconds);
    if (model.blocking != null) {
      json.object("blocking").put("irreducible", model.blocking.irreducible);
      json.put("maxLoad", model.blocking.maxLoad).bytes("needed", model.blocking.needed);
      json.array("buffers", model.blocking.buffers, buffer -> write(json, buffer)).end();
    }
    if (model.earlier != null) {
      json.object("against").put("plan", model.earlier.file).put("peak", model.earlier.peak);
      if (model.peak >= 0) {
        json.put("change", model.peak - model.earlier.peak);
      }
      json.put("added", model.earlier.added).put("addedBytes", model.earlier.addedBytes);
      json.put("removed", model.earlier.removed).put("resized", model.earlier.resized);
      json.put("grownBytes", model.earlier.grownBytes).end();
    }
    json.end();
  }
}

package stowage.report.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Certificate;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.Status;
import stowage.report.BaselineFacts;
import stowage.report.NetworkFacts;
import stowage.report.RunReport;
import stowage.report.format.JsonLayout;
import stowage.report.svg.Frame;
import stowage.report.svg.Markup;
import stowage.report.svg.SizeClasses;

/**
 * A plan as one HTML file to look around in: the picture of {@link PlanSvg} with zoom, search and
 * what lies under the pointer, the bound in plain words, the figures, and a table of the buffers.
 *
 * <p>Nothing is loaded from elsewhere, and the page's own policy forbids it. Names go into the page
 * as data and reach it as text alone. Beyond 20,000 buffers, and without a placement, the page
 * holds the still picture.
 */
public final class PlanHtml {
  private static final Pattern PLACE = Pattern.compile("@([a-z]+)@");

  private final RunReport report;
  private final PackingProblem problem;
  private final SizeClasses classes;
  private final boolean live;
  private final Supplier<String> picture;

  private PlanHtml(RunReport report, Supplier<String> picture) {
    this.picture = picture;
    this.report = report;
    this.problem = report.problem();
    this.classes = SizeClasses.of(problem);
    this.live = report.hasPlacement() && !BufferShapes.isDense(problem);
  }

  /** The whole page. */
  public static String of(RunReport report) {
    return of(report, () -> PlanSvg.of(report));
  }

  /**
   * The whole page, with a still picture that is already drawn or may not be needed.
   *
   * @param picture gives {@link PlanSvg}'s picture of the same report; asked at most once
   */
  public static String of(RunReport report, Supplier<String> picture) {
    return new PlanHtml(report, picture).page();
  }

  private String page() {
    Map<String, String> parts =
        Map.ofEntries(
            Map.entry("title", Markup.escape(problem.name() + " - " + report.status())),
            Map.entry("name", Markup.escape(problem.name())),
            Map.entry("status", report.status().name()),
            Map.entry("subtitle", Markup.escape(PlanTable.meaning(report))),
            Map.entry("picture", live ? controls() : stillPicture()),
            Map.entry("reason", Markup.escape(reason())),
            Map.entry("infeasible", infeasible()),
            Map.entry("trust", Markup.escape(trust())),
            Map.entry("figures", figures()),
            Map.entry("buffers", live ? bufferTable() : ""),
            Map.entry("data", live ? Markup.scriptSafe(data()) : "{}"),
            Map.entry("style", resource("plan.css")),
            Map.entry("script", resource("plan.js")));
    StringBuilder page = new StringBuilder();
    Matcher place = PLACE.matcher(resource("plan.html"));
    while (place.find()) {
      String part = parts.get(place.group(1));
      place.appendReplacement(page, Matcher.quoteReplacement(part));
    }
    return place.appendTail(page).toString();
  }

  private static String resource(String name) {
    try (InputStream in = PlanHtml.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource stowage/report/plan/" + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private String stillPicture() {
    String why =
        report.hasPlacement()
            ? "More than "
                + ByteText.exact(BufferShapes.MOST_DRAWN)
                + " buffers: the picture shows how densely the memory is used."
            : "No placement; only the load is shown.";
    return "<p class=\"hint\">" + why + "</p>\n<div class=\"picture\">" + picture.get() + "</div>";
  }

  private String controls() {
    StringBuilder html = new StringBuilder("<div class=\"bar\">\n");
    if (problem.memories().size() > 1) {
      html.append("<label>memory <select id=\"memory\">");
      for (int m = 0; m < problem.memories().size(); m++) {
        html.append("<option value=\"").append(m).append('"');
        html.append(m == report.mainMemory() ? " selected>" : ">");
        html.append(Markup.escape(problem.memories().get(m).name())).append("</option>");
      }
      html.append("</select></label>\n");
    }
    html.append(
        """
        <label>colour <select id="colours"><option value="size">by size</option>\
        <option value="life">by lifetime</option><option value="own">each its own</option>\
        </select></label>
        <label>find <input type="search" id="search" placeholder="id, then Enter"></label>
        <span id="found" class="subtitle"></span>
        <span class="fill"></span>
        <button id="whole">whole picture</button>
        <button id="theme">dark / light</button>
        </div>
        <canvas id="map" tabindex="0" role="img" aria-label="Memory map: steps to the right, \
        addresses upwards"></canvas>
        <div id="tip" hidden></div>
        <div class="legend" id="legend">
        """);
    for (int c = 0; c < classes.count(); c++) {
      html.append("<span><i style=\"background:").append(classes.colour(c)).append("\"></i>");
      html.append(Markup.escape(classes.label(c))).append("</span>\n");
    }
    html.append(
        """
        </div>
        <p class="hint">Wheel: zoom (with Shift the steps alone, with Alt the addresses alone). \
        Drag: move. Double click: the whole. Arrow keys, + and - work too.</p>
        """);
    return html.toString();
  }

  private String reason() {
    return ProofText.of(problem, report.bound().certificate(), report.lowerBound());
  }

  private String infeasible() {
    if (report.status() != Status.INFEASIBLE || report.infeasibility() == null) {
      return "";
    }
    String why = ProofText.infeasible(problem, report.infeasibility());
    return "<p>" + Markup.escape(why) + "</p>";
  }

  private String trust() {
    return report.isBoundChecked()
        ? "The verifier, which shares no code with what found this bound, has derived it again."
        : "This bound is a solver claim without a certificate.";
  }

  private String figures() {
    StringBuilder rows = new StringBuilder();
    figure(rows, "peak", report.hasPlacement() ? ByteText.both(report.peak()) : "none");
    figure(rows, "bound", ByteText.both(report.lowerBound()) + ", " + report.bound().kind());
    figure(rows, "gap", ByteText.percent(report.gap()));
    if (report.capacity() != Memory.UNBOUNDED) {
      figure(rows, "capacity", ByteText.both(report.capacity()));
    }
    for (int m = 0; m < problem.memories().size() && problem.memories().size() > 1; m++) {
      Memory memory = problem.memories().get(m);
      String limit = memory.isBounded() ? " of " + ByteText.both(memory.capacity()) : "";
      String peak = report.hasPlacement() ? ByteText.both(report.peak(m)) : "none";
      figure(rows, "peak of " + memory.name(), peak + limit);
    }
    if (report.network() != null) {
      NetworkFacts network = report.network();
      figure(
          rows,
          "network",
          network.name() + " (" + network.format() + "), " + network.ops() + " ops");
      figure(rows, "weights", ByteText.both(report.weightBytes()));
      figure(
          rows,
          "weights and peak",
          report.hasPlacement() ? ByteText.both(report.totalBytes()) : "none");
    }
    if (report.baseline() != null) {
      BaselineFacts baseline = report.baseline();
      String peak = baseline.peak() == null ? "no peak" : ByteText.both(baseline.peak());
      figure(rows, "the file's own plan", peak + ", " + baseline.source() + ", " + baseline.text());
    }
    figure(rows, "buffers", ByteText.exact(problem.size()));
    figure(rows, "independent parts", ByteText.exact(report.parts()));
    if (!problem.conflicts().isEmpty()) {
      figure(rows, "extra conflicts", ByteText.exact(problem.conflicts().count()));
    }
    figure(rows, "found by", report.plan().finder() == null ? "none" : report.plan().finder());
    figure(rows, "time", ByteText.seconds(report.plan().seconds()));
    figure(rows, "seed, threads", report.seed() + ", " + report.threads());
    report.versions().forEach((name, version) -> figure(rows, name, version));
    return rows.toString();
  }

  private static void figure(StringBuilder rows, String name, String value) {
    rows.append("<tr><th>").append(Markup.escape(name)).append("</th><td>");
    rows.append(Markup.escape(value)).append("</td></tr>\n");
  }

  private static String bufferTable() {
    return """
    <section>
    <h2>Buffers</h2>
    <div class="scroll"><table id="table"><tbody id="rows"></tbody></table></div>
    <p class="hint" id="shown"></p>
    </section>
    """;
  }

  /** What the page's script draws from; columns rather than objects, which keeps it small. */
  private String data() {
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          writeFrame(json);
          writeColours(json);
          writeBuffers(json);
          json.writeEndObject();
        });
  }

  private void writeFrame(JsonGenerator json) throws IOException {
    json.writeNumberField("mainMemory", report.mainMemory());
    json.writeArrayFieldStart("memories");
    for (int m = 0; m < problem.memories().size(); m++) {
      Memory memory = problem.memories().get(m);
      json.writeStartObject();
      json.writeStringField("name", memory.name());
      JsonLayout.writeBytes(json, "capacity", memory.isBounded() ? memory.capacity() : -1);
      json.writeNumberField("peak", report.peak(m));
      json.writeNumberField("bound", report.lowerBound(m));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeFieldName("steps");
    json.writeArray(Frame.steps(problem), 0, 2);
    Certificate certificate = report.bound().certificate();
    json.writeObjectFieldStart("bound");
    if (certificate instanceof Certificate.MaxLoad load && load.buffers().length > 0) {
      json.writeNumberField("step", load.step());
    } else {
      json.writeNullField("step");
    }
    int[] named = certificate.buffers();
    json.writeFieldName("buffers");
    json.writeArray(named, 0, named.length);
    json.writeEndObject();
  }

  private void writeColours(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("sizeClasses");
    for (int c = 0; c < classes.count(); c++) {
      json.writeStartObject();
      json.writeNumberField("from", classes.from(c));
      json.writeStringField("colour", classes.colour(c));
      json.writeStringField("ink", classes.ink(c));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("palette");
    for (String[] pair : SizeClasses.palette()) {
      json.writeArray(pair, 0, 2);
    }
    json.writeEndArray();
  }

  private void writeBuffers(JsonGenerator json) throws IOException {
    int count = problem.size();
    String[] ids = new String[count];
    int[] lower = new int[count];
    int[] upper = new int[count];
    long[] sizes = new long[count];
    for (int i = 0; i < count; i++) {
      Buffer buffer = problem.buffer(i);
      ids[i] = buffer.id();
      lower[i] = buffer.live().start();
      upper[i] = buffer.live().end();
      sizes[i] = buffer.size();
    }
    json.writeFieldName("id");
    json.writeArray(ids, 0, count);
    json.writeFieldName("lower");
    json.writeArray(lower, 0, count);
    json.writeFieldName("upper");
    json.writeArray(upper, 0, count);
    json.writeFieldName("size");
    json.writeArray(sizes, 0, count);
    json.writeFieldName("offset");
    json.writeArray(report.plan().placement().offsets(), 0, count);
    if (problem.memories().size() > 1) {
      json.writeFieldName("memory");
      json.writeArray(report.plan().placement().memories(), 0, count);
    }
    writeGaps(json);
    if (report.hasTensors()) {
      json.writeArrayFieldStart("tensors");
      for (int i = 0; i < count; i++) {
        String[] names = report.tensors(i).toArray(String[]::new);
        json.writeArray(names, 0, names.length);
      }
      json.writeEndArray();
    }
  }

  private void writeGaps(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("gaps");
    for (int i = 0; i < problem.size(); i++) {
      if (problem.buffer(i).gaps().isEmpty()) {
        continue;
      }
      json.writeArrayFieldStart(Integer.toString(i));
      for (Gap gap : problem.buffer(i).gaps()) {
        LiveRange range = gap.range();
        long[] fields = {range.start(), range.end(), gap.windowStart(), gap.windowEnd()};
        json.writeArray(fields, 0, fields.length);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}

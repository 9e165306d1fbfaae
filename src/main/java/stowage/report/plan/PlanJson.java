package stowage.report.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.CertificateFields;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.PlanText;
import stowage.packing.ProofText;
import stowage.packing.Status;
import stowage.report.AllocationFacts;
import stowage.report.ArenaFacts;
import stowage.report.BaselineFacts;
import stowage.report.EngineFacts;
import stowage.report.NetworkFacts;
import stowage.report.RunReport;
import stowage.report.StabilityFacts;
import stowage.report.TimedBound;
import stowage.report.WeightPlace;
import stowage.report.format.JsonLayout;

/**
 * A run's answer as one JSON object; {@code docs/answer-format.md} documents every field.
 *
 * <p>The {@linkplain #summary summary} is what the command line prints; the {@linkplain #write
 * whole} has the placements, the weights and the run's improvements besides. Both are written as a
 * stream, so a million placements need no memory of their own.
 */
public final class PlanJson {
  /** The version of the fields; raised when one changes its meaning or goes. */
  public static final int SCHEMA_VERSION = 1;

  private PlanJson() {}

  /** The answer without placements, as text that ends with a line's end. */
  public static String summary(RunReport report) {
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          writeFields(json, report);
          json.writeEndObject();
        });
  }

  /**
   * Writes the answer with its placements, weights and improvements; the stream stays open.
   *
   * @throws IOException when the stream fails
   */
  public static void write(RunReport report, OutputStream out) throws IOException {
    write(report, rows -> writePlacements(report, rows), out);
  }

  /**
   * The same with placements that were written before.
   *
   * @param placements what {@link #writePlacements} wrote for the same placement
   * @throws IOException when the stream fails
   */
  public static void write(RunReport report, Placements placements, OutputStream out)
      throws IOException {
    JsonLayout.write(
        out,
        json -> {
          json.writeStartObject();
          writeFields(json, report);
          writeTrace(json, report);
          json.writeFieldName("placements");
          json.writeRawValue("");
          json.flush();
          placements.writeTo(out);
          writeWeights(json, report);
          json.writeEndObject();
        });
  }

  /** The list of placements as it is in the answer. */
  @FunctionalInterface
  public interface Placements {
    /**
     * Writes it; the stream stays open.
     *
     * @throws IOException when the stream fails
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes the list of placements alone, by far the longest part of a large answer. It depends on
   * the problem, the placement and the tensors alone.
   *
   * @throws IOException when the stream fails
   */
  public static void writePlacements(RunReport report, OutputStream out) throws IOException {
    JsonLayout.writeFieldValue(out, json -> writePlacements(json, report));
  }

  /**
   * Bounds alone, with their certificates, as {@code stowage bound} prints them.
   *
   * @param bounds the best of each kind
   */
  public static String bound(RunReport report, List<TimedBound> bounds) {
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          json.writeNumberField("schemaVersion", SCHEMA_VERSION);
          json.writeStringField("problem", report.problem().name());
          json.writeNumberField("buffers", report.problem().size());
          writeBound(json, report);
          writeMemories(json, report);
          json.writeArrayFieldStart("bounds");
          for (TimedBound timed : bounds) {
            writeTimed(json, report.problem(), timed);
          }
          json.writeEndArray();
          json.writeNumberField("seconds", report.plan().seconds());
          json.writeEndObject();
        });
  }

  private static void writeTimed(JsonGenerator json, PackingProblem problem, TimedBound timed)
      throws IOException {
    Bound bound = timed.bound();
    json.writeStartObject();
    json.writeStringField("kind", bound.kind());
    json.writeNumberField("value", bound.value());
    json.writeNumberField("seconds", timed.seconds());
    json.writeFieldName("certificate");
    String reason = ProofText.of(problem, bound.certificate(), bound.value());
    JsonLayout.writeValue(
        json, CertificateFields.of(problem, bound.certificate(), timed.checked(), reason));
    json.writeEndObject();
  }

  private static void writeFields(JsonGenerator json, RunReport report) throws IOException {
    json.writeNumberField("schemaVersion", SCHEMA_VERSION);
    json.writeStringField("problem", report.problem().name());
    json.writeStringField("status", report.status().name());
    JsonLayout.writeBytes(json, "peak", report.peak());
    writeBound(json, report);
    if (report.status() == Status.INFEASIBLE && report.infeasibility() != null) {
      json.writeFieldName("infeasibility");
      JsonLayout.writeValue(
          json,
          CertificateFields.of(
              report.problem(),
              report.infeasibility(),
              report.isInfeasibilityChecked(),
              ProofText.infeasible(report.problem(), report.infeasibility())));
    }
    JsonLayout.writeFigure(json, "gap", report.gap());
    writeGoals(json, report);
    json.writeStringField("planner", report.planner());
    json.writeStringField("foundBy", report.plan().finder());
    json.writeNumberField("seconds", report.plan().seconds());
    json.writeNumberField("seed", report.seed());
    json.writeNumberField("threads", report.threads());
    json.writeBooleanField("deterministic", report.isDeterministic());
    writeCapacity(json, report.problem().memories().get(report.mainMemory()));
    json.writeNumberField("buffers", report.problem().size());
    json.writeNumberField("conflicts", report.problem().conflicts().count());
    json.writeNumberField("parts", report.parts());
    writeMemories(json, report);
    json.writeNumberField("weightBytes", report.weightBytes());
    json.writeNumberField("activationBase", report.weightBytes());
    JsonLayout.writeBytes(json, "totalBytes", report.totalBytes());
    json.writeNumberField("peakRssBytes", report.peakRssBytes());
    writeOptional(json, report);
    json.writeObjectFieldStart("versions");
    for (Map.Entry<String, String> version : report.versions().entrySet()) {
      json.writeStringField(version.getKey(), version.getValue());
    }
    json.writeEndObject();
  }

  /**
   * The price of reuse where there are prices, and the goals where they are not the peaks alone.
   */
  private static void writeGoals(JsonGenerator json, RunReport report) throws IOException {
    for (Map.Entry<String, Object> field : PlanText.goals(report.plan()).entrySet()) {
      json.writeFieldName(field.getKey());
      JsonLayout.writeValue(json, field.getValue());
    }
  }

  private static void writeBound(JsonGenerator json, RunReport report) throws IOException {
    Bound bound = report.bound();
    json.writeNumberField("lowerBound", bound.value());
    json.writeStringField("boundKind", bound.kind());
    json.writeFieldName("certificate");
    JsonLayout.writeValue(
        json,
        CertificateFields.of(
            report.problem(),
            bound.certificate(),
            report.isBoundChecked(),
            ProofText.of(report.problem(), bound.certificate(), bound.value())));
  }

  private static void writeCapacity(JsonGenerator json, Memory memory) throws IOException {
    JsonLayout.writeBytes(json, "capacity", memory.isBounded() ? memory.capacity() : -1);
  }

  private static void writeMemories(JsonGenerator json, RunReport report) throws IOException {
    PackingProblem problem = report.problem();
    json.writeArrayFieldStart("memories");
    for (int m = 0; m < problem.memories().size(); m++) {
      json.writeStartObject();
      json.writeStringField("name", problem.memories().get(m).name());
      writeCapacity(json, report.plan().objective().memories().get(m));
      JsonLayout.writeBytes(json, "peak", report.peak(m));
      json.writeNumberField("lowerBound", report.lowerBound(m));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeOptional(JsonGenerator json, RunReport report) throws IOException {
    if (report.network() != null) {
      NetworkFacts network = report.network();
      json.writeObjectFieldStart("network");
      json.writeStringField("format", network.format());
      json.writeStringField("name", network.name());
      json.writeNumberField("ops", network.ops());
      json.writeNumberField("tensors", network.tensors());
      json.writeNumberField("weightBytes", network.weightBytes());
      json.writeNumberField("activations", network.activations());
      json.writeNumberField("variableBytes", network.variableBytes());
      json.writeObjectFieldStart("plannedAs");
      for (Map.Entry<String, Object> rule : network.plannedAs().entrySet()) {
        json.writeFieldName(rule.getKey());
        JsonLayout.writeValue(json, rule.getValue());
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    if (report.baseline() != null) {
      BaselineFacts baseline = report.baseline();
      json.writeObjectFieldStart("baseline");
      json.writeStringField("source", baseline.source());
      JsonLayout.writeBytes(json, "peak", baseline.peak() == null ? -1 : baseline.peak());
      if (baseline.inputsKept() != null) {
        json.writeStringField("inputs", baseline.inputsKept() ? "keep" : "free");
      }
      if (!baseline.memories().isEmpty()) {
        json.writeArrayFieldStart("memories");
        for (long bytes : baseline.memories()) {
          json.writeNumber(bytes);
        }
        json.writeEndArray();
      }
      json.writeStringField("status", baseline.status());
      json.writeEndObject();
    }
    if (report.arena() != null) {
      json.writeObjectFieldStart("arena");
      json.writeStringField("run", report.arena().run());
      json.writeArrayFieldStart("models");
      for (ArenaFacts.Model model : report.arena().models()) {
        json.writeStartObject();
        json.writeStringField("name", model.name());
        json.writeStringField("file", model.file());
        json.writeNumberField("buffers", model.buffers());
        json.writeNumberField("stateBytes", model.stateBytes());
        json.writeNumberField("start", model.start());
        json.writeNumberField("end", model.end());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    if (report.stability() != null) {
      StabilityFacts stability = report.stability();
      json.writeObjectFieldStart("stability");
      json.writeStringField("from", stability.from());
      json.writeNumberField("byId", stability.byId());
      json.writeNumberField("byShape", stability.byShape());
      json.writeNumberField("known", stability.known());
      json.writeNumberField("knownBytes", stability.knownBytes());
      json.writeNumberField("moved", stability.moved());
      json.writeNumberField("movedBytes", stability.movedBytes());
      JsonLayout.writeBytes(json, "movedAtLeast", stability.movedAtLeast());
      json.writeBooleanField("pinned", stability.pinned());
      JsonLayout.writeBytes(json, "pinnedBound", stability.pinnedBound());
      json.writeEndObject();
    }
    if (report.engine() != null) {
      EngineFacts engine = report.engine();
      json.writeObjectFieldStart("engine");
      json.writeStringField("version", engine.version());
      json.writeNumberField("branches", engine.branches());
      json.writeNumberField("conflicts", engine.conflicts());
      JsonLayout.writeBytes(json, "bound", engine.bound() == null ? -1 : engine.bound());
      json.writeEndObject();
    }
    if (!report.engines().isEmpty()) {
      writeEngines(json, report);
    }
    if (report.allocations() != null) {
      writeAllocations(json, report.allocations());
    }
    if (!report.remarks().isEmpty()) {
      json.writeArrayFieldStart("remarks");
      for (String remark : report.remarks()) {
        json.writeString(remark);
      }
      json.writeEndArray();
    }
  }

  private static void writeEngines(JsonGenerator json, RunReport report) throws IOException {
    json.writeArrayFieldStart("engines");
    for (EngineFacts engine : report.engines()) {
      json.writeStartObject();
      json.writeStringField("name", engine.name());
      json.writeNumberField("seconds", engine.seconds());
      JsonLayout.writeBytes(json, "found", engine.found() == null ? -1 : engine.found());
      JsonLayout.writeBytes(json, "proved", engine.proved() == null ? -1 : engine.proved());
      json.writeNumberField("branches", engine.branches());
      json.writeNumberField("conflicts", engine.conflicts());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeAllocations(JsonGenerator json, AllocationFacts facts)
      throws IOException {
    json.writeObjectFieldStart("allocations");
    json.writeNumberField("streams", facts.streams());
    json.writeNumberField("objects", facts.objects());
    json.writeNumberField("objectBytes", facts.objectBytes());
    json.writeNumberField("constantBytes", facts.constantBytes());
    json.writeArrayFieldStart("types");
    for (AllocationFacts.MemoryType type : facts.types()) {
      json.writeStartObject();
      json.writeStringField("name", type.name());
      json.writeNumberField("current", type.current());
      json.writeNumberField("max", type.max());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeTrace(JsonGenerator json, RunReport report) throws IOException {
    json.writeArrayFieldStart("improvements");
    for (Incumbent.Event event : report.trace()) {
      json.writeStartObject();
      json.writeNumberField("seconds", event.seconds());
      writeFigure(json, event, report.plan().objective().indexOf(Goal.PEAK), "peak", "lowerBound");
      int reuse = report.plan().objective().indexOf(Goal.REUSE);
      if (reuse >= 0) {
        writeFigure(json, event, reuse, "reuseCost", "reuseBound");
      }
      json.writeStringField("who", event.who());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeFigure(
      JsonGenerator json, Incumbent.Event event, int figure, String name, String boundName)
      throws IOException {
    boolean placed = figure >= 0 && event.score() != null;
    Bound bound = figure < 0 ? null : event.bounds()[figure];
    JsonLayout.writeBytes(json, name, placed ? event.score().figure(figure) : -1);
    JsonLayout.writeBytes(json, boundName, bound == null ? -1 : bound.value());
  }

  private static void writePlacements(JsonGenerator json, RunReport report) throws IOException {
    PackingProblem problem = report.problem();
    boolean several = problem.memories().size() > 1;
    json.writeStartArray();
    for (int i = 0; report.hasPlacement() && i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      json.writeStartObject();
      json.writeStringField("id", buffer.id());
      json.writeNumberField("lower", buffer.live().start());
      json.writeNumberField("upper", buffer.live().end());
      json.writeNumberField("size", buffer.size());
      json.writeNumberField("offset", report.plan().placement().offset(i));
      if (several) {
        int memory = report.plan().placement().memory(i);
        json.writeStringField("memory", problem.memories().get(memory).name());
      }
      if (report.hasTensors()) {
        json.writeArrayFieldStart("tensors");
        for (String tensor : report.tensors(i)) {
          json.writeString(tensor);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeWeights(JsonGenerator json, RunReport report) throws IOException {
    json.writeArrayFieldStart("weights");
    for (WeightPlace weight : report.weights()) {
      json.writeStartObject();
      json.writeStringField("tensor", weight.tensor());
      json.writeNumberField("offset", weight.offset());
      json.writeNumberField("bytes", weight.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}

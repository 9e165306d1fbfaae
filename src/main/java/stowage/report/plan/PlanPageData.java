package stowage.report.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.Certificate;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.report.OpFacts;
import stowage.report.RunReport;
import stowage.report.format.JsonLayout;

/**
 * JSON that the page of a plan draws from: one array a column, which is smaller and parsed faster
 * than an object a buffer.
 */
final class PlanPageData {
  private final RunReport report;
  private final PackingProblem problem;

  PlanPageData(RunReport report) {
    this.report = report;
    this.problem = report.problem();
  }

  /** What the page's script draws from; columns rather than objects, which keeps it small. */
  String text() {
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          writeFrame(json);
          ProblemColumns.writeSteps(json, problem);
          ProblemColumns.writeColours(json, problem);
          ProblemColumns.writeBuffers(json, problem);
          writePlacement(json);
          writeOps(json);
          ProblemColumns.writeFigureSize(json, report.figureSize());
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

  private void writePlacement(JsonGenerator json) throws IOException {
    int count = problem.size();
    json.writeFieldName("offset");
    json.writeArray(report.plan().placement().offsets(), 0, count);
    if (problem.memories().size() > 1) {
      json.writeFieldName("memory");
      json.writeArray(report.plan().placement().memories(), 0, count);
    }
    if (report.hasTensors()) {
      json.writeArrayFieldStart("tensors");
      for (int i = 0; i < count; i++) {
        String[] names = report.tensors(i).toArray(String[]::new);
        json.writeArray(names, 0, names.length);
      }
      json.writeEndArray();
    }
  }

  /**
   * Ops by step, and by buffer its producer, readers and shape; each name of a type is written
   * once.
   */
  private void writeOps(JsonGenerator json) throws IOException {
    OpFacts ops = report.ops();
    if (ops == null) {
      return;
    }
    List<String> types = ops.types().stream().distinct().toList();
    Map<String, Integer> numbers = new HashMap<>();
    types.forEach(type -> numbers.put(type, numbers.size()));
    json.writeObjectFieldStart("ops");
    writeTexts(json, "name", ops.names());
    writeTexts(json, "types", types);
    json.writeFieldName("type");
    int[] type = ops.types().stream().mapToInt(numbers::get).toArray();
    json.writeArray(type, 0, type.length);
    json.writeFieldName("producer");
    json.writeArray(ops.producers(), 0, ops.producers().length);
    json.writeArrayFieldStart("readers");
    for (int[] steps : ops.readers()) {
      json.writeArray(steps, 0, steps.length);
    }
    json.writeEndArray();
    writeTexts(json, "shape", ops.shapes());
    json.writeEndObject();
  }

  private static void writeTexts(JsonGenerator json, String field, List<String> texts)
      throws IOException {
    json.writeFieldName(field);
    json.writeArray(texts.toArray(String[]::new), 0, texts.size());
  }
}

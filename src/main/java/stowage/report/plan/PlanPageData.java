package stowage.report.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.report.OpFacts;
import stowage.report.RunReport;
import stowage.report.format.JsonLayout;
import stowage.report.svg.Frame;
import stowage.report.svg.SizeClasses;

/**
 * JSON that the page of a plan draws from: one array a column, which is smaller and parsed faster
 * than an object a buffer.
 */
final class PlanPageData {
  private final RunReport report;
  private final PackingProblem problem;
  private final SizeClasses classes;

  PlanPageData(RunReport report) {
    this.report = report;
    this.problem = report.problem();
    this.classes = SizeClasses.of(problem);
  }

  /** What the page's script draws from; columns rather than objects, which keeps it small. */
  String text() {
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          writeFrame(json);
          writeColours(json);
          writeBuffers(json);
          writeOps(json);
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
      json.writeStringField("label", classes.label(c));
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

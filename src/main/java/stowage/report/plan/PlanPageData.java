package stowage.report.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.Certificate;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.report.OpFacts;
import stowage.report.RunReport;
import stowage.text.JsonWriter;

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

  String text() {
    return JsonWriter.text(
        json -> {
          json.object();
          writeFrame(json);
          ProblemColumns.writeSteps(json, problem);
          ProblemColumns.writeColours(json, problem);
          ProblemColumns.writeBuffers(json, problem);
          writePlacement(json);
          writeOps(json);
          ProblemColumns.writeFigureSize(json, report.settings().figureSize());
          json.end();
        });
  }

  private void writeFrame(JsonWriter json) {
    json.put("mainMemory", report.mainMemory()).array("memories");
    for (int m = 0; m < problem.memories().size(); m++) {
      Memory memory = problem.memories().get(m);
      json.object().put("name", memory.name());
      json.bytes("capacity", memory.isBounded() ? memory.capacity() : -1);
      json.put("peak", report.peak(m)).put("bound", report.lowerBound(m)).end();
    }
    json.end();
    Certificate certificate = report.bound().certificate();
    json.object("bound");
    if (certificate instanceof Certificate.MaxLoad load && load.buffers().length > 0) {
      json.put("step", load.step());
    } else {
      json.putNull("step");
    }
    json.list("buffers", report.named()).end();
    if (report.facts().excess() != null) {
      json.put("excess", true);
    }
  }

  private void writePlacement(JsonWriter json) {
    int count = problem.size();
    json.list("offset", report.plan().placement().offsets());
    if (problem.memories().size() > 1) {
      json.list("memory", report.plan().placement().memories());
    }
    if (report.hasTensors()) {
      json.array("tensors");
      for (int i = 0; i < count; i++) {
        String[] names = report.tensors(i).toArray(String[]::new);
        json.list(names);
      }
      json.end();
    }
  }

  /**
   * Ops by step, and by buffer its producer, readers and shape; each name of a type is written
   * once.
   */
  private void writeOps(JsonWriter json) {
    OpFacts ops = report.ops();
    if (ops == null) {
      return;
    }
    List<String> types = ops.types().stream().distinct().toList();
    Map<String, Integer> numbers = new HashMap<>();
    types.forEach(type -> numbers.put(type, numbers.size()));
    json.object("ops");
    writeTexts(json, "name", ops.names());
    writeTexts(json, "types", types);
    json.name("type");
    int[] type = ops.types().stream().mapToInt(numbers::get).toArray();
    json.list(type).list("producer", ops.producers()).array("readers");
    for (int[] steps : ops.readers()) {
      json.list(steps);
    }
    json.end();
    writeTexts(json, "shape", ops.shapes());
    json.end();
  }

  private static void writeTexts(JsonWriter json, String field, List<String> texts) {
    json.list(field, texts.toArray(String[]::new));
  }
}

package stowage.report.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.Certificate;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.report.OpFacts;
import stowage.report.RunReport;
import stowage.report.svg.Frame;
import stowage.text.JsonWriter;

/**
 * JSON that the page of a plan draws from: one array a column, which is smaller and parsed faster
 * than an object a buffer.
 */
record PlanPageData(RunReport report, PackingProblem problem) {
  static String text(RunReport report) {
    return JsonWriter.text(new PlanPageData(report, report.problem())::write);
  }

  private void write(JsonWriter json) {
    json.object();
    writeFrame(json);
    json.list("steps", Frame.steps(problem));
    ProblemColumns.writeColours(json, problem);
    ProblemColumns.writeBuffers(json, problem);
    writePlacement(json);
    writeOps(json);
    ProblemColumns.writeFigureSize(json, report.settings().figureSize());
    json.end();
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
    boolean atStep = certificate instanceof Certificate.MaxLoad && certificate.buffers().length > 0;
    json.value("step", atStep ? ((Certificate.MaxLoad) certificate).step() : null)
        .list("buffers", report.named())
        .end();
    if (report.facts().excess() != null) {
      json.put("excess", true);
    }
  }

  private void writePlacement(JsonWriter json) {
    json.list("offset", report.plan().placement().offsets());
    if (problem.memories().size() > 1) {
      json.list("memory", report.plan().placement().memories());
    }
    if (report.hasTensors()) {
      json.value("tensors", report.input().planningCase().tensors());
    }
  }

  /** Ops by step, and by buffer its producer, readers and shape; a type's name is written once. */
  private void writeOps(JsonWriter json) {
    OpFacts ops = report.ops();
    if (ops == null) {
      return;
    }
    List<String> types = ops.types().stream().distinct().toList();
    Map<String, Integer> numbers = new HashMap<>();
    types.forEach(type -> numbers.put(type, numbers.size()));
    json.object("ops").list("name", ops.names()).list("types", types);
    json.list("type", ops.types().stream().mapToInt(numbers::get).toArray());
    json.list("producer", ops.producers()).array("readers", ops.readers(), json::list);
    json.list("shape", ops.shapes()).end();
  }
}

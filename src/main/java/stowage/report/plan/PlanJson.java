package stowage.report.plan;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import stowage.compiler.openvino.GpuAllocation;
import stowage.importer.io.AtomicFiles;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.CertificateFields;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.PlanText;
import stowage.packing.ProofText;
import stowage.packing.Status;
import stowage.planning.RulesOfPlan;
import stowage.planning.SharedArena;
import stowage.planning.Stability;
import stowage.report.BaselineFacts;
import stowage.report.EngineWork;
import stowage.report.RunReport;
import stowage.report.TimedBound;
import stowage.text.JsonWriter;

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
    return JsonWriter.text(
        json -> {
          json.object();
          writeFields(json, report);
          json.end();
        });
  }

  /** Writes the answer with its placements, weights and improvements; the stream stays open. */
  public static void write(RunReport report, OutputStream out) throws IOException {
    write(report, rows -> writePlacements(report, rows), out);
  }

  /** The same with what {@link #writePlacements} wrote before for the same placement. */
  public static void write(RunReport report, AtomicFiles.Content placements, OutputStream out)
      throws IOException {
    JsonWriter.write(
        out,
        json -> {
          json.object();
          writeFields(json, report);
          writeTrace(json, report);
          json.name("placements");
          json.rawValue("");
          json.flush();
          placements.writeTo(out);
          writeWeights(json, report);
          json.end();
        });
  }

  /** Writes the placements alone; they depend on problem, placement and tensors only. */
  public static void writePlacements(RunReport report, OutputStream out) throws IOException {
    JsonWriter.writeFieldValue(out, json -> writePlacements(json, report));
  }

  /** The best bound of each kind, with certificates, as {@code stowage bound} prints them. */
  public static String bound(RunReport report, List<TimedBound> bounds) {
    return JsonWriter.text(
        json -> {
          json.object().put("schemaVersion", SCHEMA_VERSION);
          json.put("problem", report.problem().name()).put("buffers", report.problem().size());
          writeBound(json, report);
          writeMemories(json, report);
          json.array("bounds", bounds, timed -> writeTimed(json, report.problem(), timed))
              .put("seconds", report.plan().seconds())
              .end();
        });
  }

  private static void writeTimed(JsonWriter json, PackingProblem problem, TimedBound timed) {
    Bound bound = timed.bound();
    json.object().put("kind", bound.kind()).put("value", bound.value());
    json.put("seconds", timed.seconds()).name("certificate");
    String reason = ProofText.of(problem, bound.certificate(), bound.value());
    json.value(CertificateFields.of(problem, bound.certificate(), timed.checked(), reason)).end();
  }

  private static void writeFields(JsonWriter json, RunReport report) {
    json.put("schemaVersion", SCHEMA_VERSION).put("problem", report.problem().name());
    json.put("status", report.status().name()).bytes("peak", report.peak());
    writeBound(json, report);
    if (report.status() == Status.INFEASIBLE && report.infeasibility() != null) {
      Certificate proof = report.infeasibility();
      String why = ProofText.infeasible(report.problem(), proof);
      json.value(
          "infeasibility",
          CertificateFields.of(report.problem(), proof, report.isInfeasibilityChecked(), why));
    }
    json.figure("gap", report.gap());
    PlanText.goals(report.plan()).forEach(json::value); // except for the peaks alone
    json.put("planner", report.planner()).put("foundBy", report.plan().finder());
    json.put("seconds", report.plan().seconds()).put("seed", report.settings().seed());
    json.put("threads", report.settings().threads())
        .put("deterministic", report.settings().isDeterministic());
    writeCapacity(json, report.problem().memories().get(report.mainMemory()));
    json.put("buffers", report.problem().size());
    json.put("conflicts", report.problem().conflicts().count()).put("parts", report.parts());
    writeMemories(json, report);
    json.put("weightBytes", report.weightBytes()).put("activationBase", report.weightBytes());
    json.bytes("totalBytes", report.totalBytes()).put("peakRssBytes", report.peakRssBytes());
    writeOptional(json, report);
    json.object("versions");
    report.versions().forEach(json::put);
    json.end();
  }

  private static void writeBound(JsonWriter json, RunReport report) {
    Bound bound = report.bound();
    json.put("lowerBound", bound.value()).put("boundKind", bound.kind());
    String why = ProofText.of(report.problem(), bound.certificate(), bound.value());
    json.value(
        "certificate",
        CertificateFields.of(report.problem(), bound.certificate(), report.isBoundChecked(), why));
  }

  private static void writeCapacity(JsonWriter json, Memory memory) {
    json.bytes("capacity", memory.isBounded() ? memory.capacity() : -1);
  }

  private static void writeMemories(JsonWriter json, RunReport report) {
    PackingProblem problem = report.problem();
    json.array("memories");
    for (int m = 0; m < problem.memories().size(); m++) {
      json.object().put("name", problem.memories().get(m).name());
      writeCapacity(json, report.plan().objective().memories().get(m));
      json.bytes("peak", report.peak(m)).put("lowerBound", report.lowerBound(m)).end();
    }
    json.end();
  }

  private static void writeOptional(JsonWriter json, RunReport report) {
    if (report.network() != null) {
      writeNetwork(json, report);
    }
    if (report.baseline() != null) {
      BaselineFacts baseline = report.baseline();
      json.object("baseline").put("source", baseline.source());
      json.value("peak", baseline.peak());
      if (baseline.inputsKept() != null) {
        json.put("inputs", baseline.inputsKept() ? "keep" : "free");
      }
      if (!baseline.memories().isEmpty()) {
        json.value("memories", baseline.memories());
      }
      json.put("status", baseline.status()).end();
    }
    if (report.facts().arena() != null) {
      SharedArena arena = report.facts().arena();
      json.object("arena").put("run", arena.run().label()).array("models");
      for (int m = 0; m < arena.models().size(); m++) {
        SharedArena.Model model = arena.models().get(m);
        long[] extent = arena.extent(m, report.plan().placement());
        json.object().put("name", model.name()).put("file", model.file());
        json.put("buffers", model.planningCase().problem().size());
        json.put("stateBytes", arena.stateBytes(m));
        json.put("start", extent[0]).put("end", extent[1]).end();
      }
      json.end().end();
    }
    if (report.facts().stability() != null) {
      Stability stability = report.facts().stability();
      json.object("stability").put("from", stability.from()).put("byId", stability.byId());
      json.put("byShape", stability.byShape()).put("known", stability.moves().known());
      json.put("knownBytes", stability.moves().knownBytes());
      json.put("moved", stability.moves().moved());
      json.put("movedBytes", stability.moves().movedBytes());
      json.bytes("movedAtLeast", stability.movedAtLeast()).put("pinned", stability.pinned());
      json.bytes("pinnedBound", stability.pinnedBound()).end();
    }
    List<EngineWork> engines = report.engines();
    List<String> planners = report.settings().planners();
    if (engines.size() == 1 && planners != null && planners.size() == 1) {
      EngineWork engine = engines.get(0);
      json.object("engine").put("version", engine.version()).put("branches", engine.branches());
      json.put("conflicts", engine.conflicts()).bytes("bound", engine.bound()).end();
    }
    if (!engines.isEmpty()) {
      writeEngines(json, engines);
    }
    if (report.facts().allocation() != null) {
      writeAllocations(json, report.facts().allocation());
    }
    if (!report.facts().remarks().isEmpty()) {
      json.list("remarks", report.facts().remarks());
    }
  }

  private static void writeNetwork(JsonWriter json, RunReport report) {
    Network network = report.network();
    Collection<Tensor> tensors = network.tensors().values();
    json.object("network").put("format", network.format()).put("name", network.name());
    json.put("ops", network.ops().size()).put("tensors", tensors.size());
    json.put("weightBytes", network.weightBytes());
    json.put("activations", ofKind(tensors, Tensor.Kind.ACTIVATION).count());
    json.put("variableBytes", ofKind(tensors, Tensor.Kind.VARIABLE).mapToLong(Tensor::bytes).sum());
    json.object("plannedAs");
    RulesOfPlan.of(report.input().planningCase()).forEach(json::value);
    if (report.facts().partOf() != null) {
      json.put(RulesOfPlan.RUN, report.facts().partOf().label());
    }
    json.end().end();
  }

  private static Stream<Tensor> ofKind(Collection<Tensor> tensors, Tensor.Kind kind) {
    return tensors.stream().filter(tensor -> tensor.kind() == kind);
  }

  private static void writeEngines(JsonWriter json, List<EngineWork> engines) {
    json.array(
        "engines",
        engines,
        engine -> {
          json.object().put("name", engine.name()).put("seconds", engine.seconds());
          json.value("found", engine.found()).value("proved", engine.proved());
          json.put("branches", engine.branches()).put("conflicts", engine.conflicts()).end();
        });
  }

  private static void writeAllocations(JsonWriter json, GpuAllocation allocation) {
    json.object("allocations").put("streams", allocation.streams());
    json.put("objects", allocation.objects().size()).put("objectBytes", allocation.objectBytes());
    json.put("constantBytes", allocation.constantBytes())
        .array(
            "types",
            allocation.history().types(),
            type -> {
              json.object().put("name", type.label());
              json.put("current", allocation.history().current(type));
              json.put("max", allocation.history().largest(type)).end();
            })
        .end();
  }

  private static void writeTrace(JsonWriter json, RunReport report) {
    json.array(
        "improvements",
        report.facts().trace(),
        event -> {
          json.object().put("seconds", event.seconds());
          writeFigure(
              json, event, report.plan().objective().indexOf(Goal.PEAK), "peak", "lowerBound");
          int reuse = report.plan().objective().indexOf(Goal.REUSE);
          if (reuse >= 0) {
            writeFigure(json, event, reuse, "reuseCost", "reuseBound");
          }
          json.put("who", event.who()).end();
        });
  }

  private static void writeFigure(
      JsonWriter json, Incumbent.Event event, int figure, String name, String boundName) {
    boolean placed = figure >= 0 && event.score() != null;
    Bound bound = figure < 0 ? null : event.bounds()[figure];
    json.bytes(name, placed ? event.score().figure(figure) : -1);
    json.bytes(boundName, bound == null ? -1 : bound.value());
  }

  private static void writePlacements(JsonWriter json, RunReport report) {
    PackingProblem problem = report.problem();
    boolean several = problem.memories().size() > 1;
    json.array();
    for (int i = 0; report.hasPlacement() && i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      json.object().put("id", buffer.id()).put("lower", buffer.live().start());
      json.put("upper", buffer.live().end()).put("size", buffer.size());
      json.put("offset", report.plan().placement().offset(i));
      if (several) {
        int memory = report.plan().placement().memory(i);
        json.put("memory", problem.memories().get(memory).name());
      }
      if (report.hasTensors()) {
        json.list("tensors", report.tensors(i));
      }
      json.end();
    }
    json.end();
  }

  private static void writeWeights(JsonWriter json, RunReport report) {
    json.array(
        "weights",
        report.input().planningCase().weights(),
        weight -> {
          json.object().put("tensor", weight.tensor()).put("offset", weight.offset());
          json.put("bytes", weight.bytes()).end();
        });
  }
}

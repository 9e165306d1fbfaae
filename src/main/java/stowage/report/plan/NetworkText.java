package stowage.report.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.ByteText;
import stowage.packing.PackingProblem;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.PeakBuffers;

/**
 * What a network is, before anything is planned: its ops by type, its weights and activations, its
 * largest tensors, and the step at which most memory is alive, with what is alive there.
 */
public record NetworkText(Network network, int[] order, PackingProblem problem, PeakBuffers peak) {
  private static final int LARGEST = 8;

  /**
   * @param order indices of the network's ops in execution order; step k runs the k-th
   * @param tensors the tensors that each buffer of the problem carries
   */
  public NetworkText(
      Network network, int[] order, PackingProblem problem, IntFunction<List<String>> tensors) {
    this(network, order, problem, new PeakBuffers(problem, tensors));
  }

  /** For people. */
  public String plain() {
    StringBuilder text = new StringBuilder();
    text.append(NameText.plain(network.name())).append(" (").append(network.format()).append("): ");
    text.append(ByteText.count(network.ops().size(), "op")).append(", ");
    text.append(ByteText.count(network.tensors().size(), "tensor")).append("\n\n");
    AlignedText ops = new AlignedText("lr").row("op", "count");
    opsByType().forEach((type, count) -> ops.row(NameText.shortened(type), Long.toString(count)));
    text.append(ops.text("  ")).append('\n');
    List<Tensor> activations = ofKind(false);
    String total = ByteText.both(sum(activations)) + " in total, in ";
    AlignedText facts = new AlignedText("ll");
    facts.row("weights", ofKind(true).size() + ", " + ByteText.both(network.weightBytes()));
    facts.row(
        "activations",
        activations.size() + ", " + total + ByteText.count(problem.size(), "buffer"));
    facts.row(
        "max load", ByteText.both(peak.load()) + ": no plan of this order and sharing needs less");
    network.notes().forEach(note -> facts.row("note", note));
    text.append(facts.text(""));
    AlignedText largest = new AlignedText("lrll").row("largest tensors", "bytes", "type", "shape");
    for (Tensor tensor : largest()) {
      largest.row(
          NameText.shortened(tensor.name()) + (tensor.isWeight() ? " (weight)" : ""),
          ByteText.human(tensor.bytes()),
          tensor.type().label(),
          tensor.shape().toString());
    }
    text.append('\n').append(largest.text("  ")).append('\n');
    if (problem.size() > 0) {
      text.append("alive at the peak, step ").append(peak.step());
      text.append(opAt(peak.step())).append("\n");
      text.append(peak.plain());
    }
    return text.toString();
  }

  /** The same as one JSON object. */
  public String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION).put("name", network.name());
    root.put("format", network.format()).put("ops", network.ops().size());
    root.put("tensors", network.tensors().size());
    opsByType().forEach(root.putObject("opsByType")::put);
    root.put("weights", ofKind(true).size()).put("weightBytes", network.weightBytes());
    root.put("activations", ofKind(false).size()).put("activationBytes", sum(ofKind(false)));
    root.put("buffers", problem.size()).put("maxLoad", peak.load()).put("peakStep", peak.step());
    ArrayNode largest = root.putArray("largestTensors");
    for (Tensor tensor : largest()) {
      ObjectNode entry = largest.addObject();
      entry.put("name", tensor.name()).put("bytes", tensor.bytes());
      entry.put("type", tensor.type().label());
      entry.put("kind", tensor.kind().name().toLowerCase(java.util.Locale.ROOT));
      tensor.shape().forEach(entry.withArray("shape")::add);
    }
    peak.addTo(root.putArray("aliveAtPeak"));
    network.notes().forEach(root.withArray("notes")::add);
    return root.toPrettyString();
  }

  private Map<String, Long> opsByType() {
    Map<String, Long> counts = new TreeMap<>();
    network.ops().forEach(op -> counts.merge(op.type(), 1L, Long::sum));
    Map<String, Long> byCount = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(entry -> byCount.put(entry.getKey(), entry.getValue()));
    return byCount;
  }

  private List<Tensor> ofKind(boolean weight) {
    return network.tensors().values().stream().filter(t -> t.isWeight() == weight).toList();
  }

  private static long sum(List<Tensor> tensors) {
    return tensors.stream().mapToLong(Tensor::bytes).sum();
  }

  private List<Tensor> largest() {
    return network.tensors().values().stream()
        .sorted(Comparator.comparingLong(Tensor::bytes).reversed())
        .limit(LARGEST)
        .toList();
  }

  private String opAt(int step) {
    if (step < 0 || step >= order.length) {
      return "";
    }
    var op = network.ops().get(order[step]);
    return " (" + NameText.shortened(op.type()) + " " + NameText.shortened(op.name()) + "):";
  }
}

package stowage.report.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.PeakBuffers;

/**
 * What a list of buffers is, before anything is planned: how many there are and how large, what
 * constrains them, and the step at which most bytes are alive, with what is alive there.
 */
public final class BuffersText {
  private final PackingProblem problem;
  private final PeakBuffers peak;
  private final long total;
  private final long largest;
  private final long first;
  private final long end;

  /** Looks a problem through. O(n log n). */
  public BuffersText(PackingProblem problem) {
    this.problem = problem;
    this.peak = new PeakBuffers(problem, null);
    this.total = problem.buffers().stream().mapToLong(Buffer::size).sum();
    this.largest = problem.buffers().stream().mapToLong(Buffer::size).max().orElse(0);
    this.first = problem.buffers().stream().mapToLong(b -> b.live().start()).min().orElse(0);
    this.end = problem.buffers().stream().mapToLong(b -> b.live().end()).max().orElse(0);
  }

  /** For people. */
  public String plain() {
    AlignedText facts = new AlignedText("ll");
    facts.row("buffers", problem.size());
    facts.row("steps", "[" + first + ", " + end + ")");
    facts.row("in total", ByteText.both(total) + ", the largest " + ByteText.both(largest));
    constraints().forEach((name, count) -> facts.row(name, count));
    for (Memory memory : problem.memories()) {
      if (problem.memories().size() > 1 || memory.isBounded() || memory.bankSize() > 0) {
        facts.row("memory " + NameText.shortened(memory.name()), text(memory));
      }
    }
    facts.row("max load", ByteText.both(peak.load()) + ": the most that is alive at once");
    String alive = "\nalive at the peak, step " + peak.step() + ":\n" + peak.plain();
    String head = NameText.plain(problem.name()) + ": a list of buffers\n\n";
    return head + facts.text("") + (peak.load() == 0 ? "" : alive);
  }

  private static String text(Memory memory) {
    String capacity = memory.isBounded() ? ByteText.both(memory.capacity()) : "without a limit";
    return memory.bankSize() == 0
        ? capacity
        : capacity + ", in banks of " + ByteText.both(memory.bankSize());
  }

  /** The same as one JSON object. */
  public ObjectNode json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION).put("name", problem.name());
    root.put("format", "buffers").put("buffers", problem.size()).put("start", first);
    root.put("end", end).put("totalBytes", total).put("largestBytes", largest);
    constraints().forEach(root.putObject("constraints")::put);
    root.put("maxLoad", peak.load()).put("peakStep", peak.step());
    peak.addTo(root.putArray("aliveAtPeak"));
    return root;
  }

  /** How many buffers, or pairs of them, each kind of constraint is on; only kinds there are. */
  private Map<String, Long> constraints() {
    Map<String, Long> counts = new LinkedHashMap<>();
    count(counts, "aligned", buffer -> buffer.alignment() > 1);
    count(counts, "of given offset", Buffer::isFixed);
    count(counts, "with gaps", buffer -> !buffer.gaps().isEmpty());
    count(counts, "within one bank", Buffer::withinBank);
    count(counts, "of certain memories", buffer -> !buffer.memories().isEmpty());
    if (!problem.conflicts().isEmpty()) {
      counts.put("pairs kept apart", problem.conflicts().count());
    }
    return counts;
  }

  private void count(Map<String, Long> counts, String name, Predicate<Buffer> has) {
    long count = problem.buffers().stream().filter(has).count();
    if (count > 0) {
      counts.put(name, count);
    }
  }
}

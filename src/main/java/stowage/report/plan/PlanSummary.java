package stowage.report.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Certificate;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.Status;
import stowage.report.AllocationFacts;
import stowage.report.ArenaFacts;
import stowage.report.BaselineFacts;
import stowage.report.RunReport;
import stowage.report.StabilityFacts;
import stowage.report.TimedBound;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;

/** A run's answer as a few lines for people. */
public final class PlanSummary {
  private static final int LARGEST_SHOWN = 5;

  private PlanSummary() {}

  /** The whole summary; every line ends with a line's end. */
  public static String of(RunReport report) {
    StringBuilder text = new StringBuilder();
    text.append(NameText.plain(headline(report))).append('\n');
    AlignedText facts = new AlignedText("ll");
    addFacts(facts, report);
    text.append(facts.text("  "));
    if (report.problem().memories().size() > 1) {
      text.append(memories(report));
    }
    text.append(largest(report));
    return text.toString();
  }

  /**
   * The best bound and why it holds, and what each kind comes to, for people.
   *
   * @param bounds the best of each kind
   */
  public static String bound(RunReport report, List<TimedBound> bounds) {
    AlignedText facts = new AlignedText("ll");
    facts.row("bound", ByteText.both(report.lowerBound()) + ", " + report.bound().kind());
    facts.row("because", because(report));
    AlignedText table = new AlignedText("lrlr").row("kind", "bytes", "certificate", "time");
    for (TimedBound timed : bounds) {
      Memory memory =
          report.problem().memories().get(Math.max(0, timed.bound().certificate().memory()));
      boolean several = report.problem().memories().size() > 1;
      table.row(
          timed.bound().kind() + (several ? " of " + memory.name() : ""),
          ByteText.exact(timed.bound().value()),
          timed.checked() ? "checked" : "not checked",
          ByteText.seconds(timed.seconds()));
    }
    return NameText.plain(report.problem().name())
        + "\n"
        + facts.text("  ")
        + "\n"
        + table.text("  ")
        + largest(report);
  }

  private static String headline(RunReport report) {
    return report.status() + ": " + report.problem().name() + ", " + meaning(report);
  }

  /** What the status says of this run, in a few words. */
  static String meaning(RunReport report) {
    if (report.status() == Status.INFEASIBLE) {
      boolean bounded = report.problem().memories().stream().anyMatch(Memory::isBounded);
      boolean fixed = report.problem().buffers().stream().anyMatch(Buffer::isFixed);
      boolean tied = report.infeasibility() instanceof Certificate.Contradiction;
      return "proven: no placement "
          + (tied || !bounded && !fixed
              ? "keeps all that the problem asks"
              : bounded ? "respects the capacity" : "keeps the offsets that are given");
    }
    if (!report.hasPlacement()) {
      return "no placement was found";
    }
    String figure =
        switch (report.plan().objective().parts().get(0).goal()) {
          case PEAK -> "lower peak";
          case REUSE -> "lower price of reuse";
          case OVERFLOW -> "lower overflow";
          case BANKS -> "plan with fewer banks";
        };
    if (report.problem().buffers().stream().noneMatch(Buffer::needsMemory)) {
      return "nothing to plan: no buffer needs memory here";
    }
    if (fitsElsewhere(report)) {
      Memory used = report.problem().memories().get(fullest(report));
      return "fits in %s: %s%s, nothing in %s%s"
          .formatted(
              used.name(),
              ByteText.human(report.peak(fullest(report))),
              used.isBounded() ? " of " + ByteText.human(used.capacity()) : "",
              report.problem().memories().get(report.mainMemory()).name(),
              report.status() == Status.OPTIMAL ? " (proven)" : "");
    }
    return report.status() == Status.OPTIMAL
        ? (figure.startsWith("plan") ? "there is no " : "no plan has a ") + figure
        : "a verified plan; a " + figure + " is not excluded";
  }

  /** The memory with the highest peak; -1 where all are empty. */
  private static int fullest(RunReport report) {
    int fullest = -1;
    for (int m = 0; m < report.problem().memories().size(); m++) {
      if (report.peak(m) > (fullest < 0 ? 0 : report.peak(fullest))) {
        fullest = m;
      }
    }
    return fullest;
  }

  /** Which memory a figure is of, where there are several. */
  private static String place(RunReport report, int memory) {
    List<Memory> memories = report.problem().memories();
    return memories.size() == 1 ? "" : " of " + memories.get(memory).name();
  }

  /** The bytes of all weights, and what their alignment makes of them where that is more. */
  private static String weights(RunReport report) {
    long own = report.network() == null ? report.weightBytes() : report.network().weightBytes();
    return own == report.weightBytes()
        ? ByteText.both(own)
        : ByteText.both(own) + ", aligned " + ByteText.both(report.weightBytes());
  }

  /** Whether everything is in other memories than the one whose peak counts. */
  private static boolean fitsElsewhere(RunReport report) {
    return report.peak() == 0 && report.plan().objective().isPeaks() && fullest(report) >= 0;
  }

  private static void addFacts(AlignedText facts, RunReport report) {
    boolean fits = fitsElsewhere(report);
    if (report.hasPlacement()) {
      int memory = fits ? fullest(report) : report.mainMemory();
      facts.row("peak", ByteText.both(report.peak(memory)) + place(report, memory));
    }
    if (report.hasReuse() && report.hasPlacement()) {
      facts.row(
          "reuse",
          "costs %s for %s of %s pairs; at least %s"
              .formatted(
                  ByteText.exact(report.reuseCost()),
                  ByteText.exact(report.paid().size()),
                  ByteText.exact(report.problem().relations().reuse().size()),
                  ByteText.exact(report.reuseBound().value())));
    }
    if (!fits) {
      facts.row(
          "bound",
          ByteText.both(report.lowerBound())
              + place(report, report.mainMemory())
              + ", "
              + report.bound().kind()
              + (report.isBoundChecked() ? ", checked" : ", solver claim"));
      facts.row("because", because(report));
    }
    if (report.status() == Status.INFEASIBLE && report.infeasibility() != null) {
      facts.row("infeasible", ProofText.infeasible(report.problem(), report.infeasibility()));
    }
    if (report.hasPlacement() && !fits) {
      facts.row("gap", ByteText.percent(report.gap()));
    }
    if (report.capacity() != Memory.UNBOUNDED) {
      facts.row("capacity", ByteText.both(report.capacity()));
    }
    if (report.weightBytes() > 0) {
      facts.row("weights", weights(report));
      if (report.hasPlacement()) {
        facts.row("weights + peak", ByteText.both(report.totalBytes()));
      }
    }
    if (report.plan().finder() != null) {
      facts.row("found by", report.plan().finder());
    }
    if (report.stability() != null) {
      facts.row("moved", moved(report.stability()));
    }
    if (report.arena() != null) {
      facts.row("models", report.arena().models().size() + ", " + report.arena().words());
      for (ArenaFacts.Model model : report.arena().models()) {
        facts.row("", arena(model));
      }
    }
    if (report.baseline() != null) {
      facts.row("plan in the file", baseline(report.baseline()));
    }
    if (report.allocations() != null) {
      addAllocations(facts, report.allocations());
    }
    report.remarks().forEach(remark -> facts.row("note", remark));
    facts.row("time", ByteText.seconds(report.plan().seconds()));
    facts.row("buffers", size(report));
  }

  private static String moved(StabilityFacts stability) {
    double share = stability.knownBytes() == 0 ? 0 : stability.movedBytes();
    String text =
        "%s of %s buffers that %s has, %s, %s"
            .formatted(
                ByteText.exact(stability.moved()),
                ByteText.exact(stability.known()),
                stability.from(),
                ByteText.both(stability.movedBytes()),
                ByteText.percent(share / Math.max(1, stability.knownBytes())));
    if (stability.movedAtLeast() >= 0) {
      boolean least = stability.movedAtLeast() == stability.movedBytes();
      text +=
          least
              ? "; proven the least below this peak"
              : "; at least " + ByteText.both(stability.movedAtLeast());
    }
    if (stability.pinnedBound() >= 0) {
      text += "; no plan with these pins is below " + ByteText.both(stability.pinnedBound());
    }
    return text;
  }

  private static void addAllocations(AlignedText facts, AllocationFacts allocations) {
    String each =
        allocations.streams() == 1 ? "1 stream: " : allocations.streams() + " streams of ";
    facts.row(
        "allocated",
        each
            + ByteText.exact(allocations.objects())
            + " objects, "
            + ByteText.both(allocations.objectBytes())
            + ", over constants of "
            + ByteText.both(allocations.constantBytes()));
    for (AllocationFacts.MemoryType type : allocations.types()) {
      facts.row(
          type.name(),
          ByteText.both(type.current()) + ", at most " + ByteText.both(type.max()) + " at once");
    }
  }

  private static String because(RunReport report) {
    return ProofText.of(report.problem(), report.bound().certificate(), report.lowerBound());
  }

  private static String arena(ArenaFacts.Model model) {
    String state =
        model.stateBytes() == 0 ? "" : ", with " + ByteText.both(model.stateBytes()) + " of state";
    return NameText.shortened(model.name())
        + ": bytes "
        + ByteText.exact(model.start())
        + " to "
        + ByteText.exact(model.end())
        + state;
  }

  private static String baseline(BaselineFacts baseline) {
    String peak = baseline.peak() == null ? "no peak" : ByteText.both(baseline.peak());
    return peak + ", by " + baseline.source() + ", " + baseline.text();
  }

  private static String size(RunReport report) {
    PackingProblem problem = report.problem();
    String text = ByteText.exact(problem.size());
    text += report.parts() > 1 ? " in " + report.parts() + " independent parts" : "";
    long pairs = problem.conflicts().count();
    return pairs == 0
        ? text
        : text
            + ", "
            + ByteText.exact(pairs)
            + (pairs == 1 ? " extra conflict" : " extra conflicts");
  }

  private static String memories(RunReport report) {
    AlignedText table = new AlignedText("lrrrr");
    List<Long> taken = report.baseline() == null ? List.of() : report.baseline().memories();
    table.row("memory", "peak", "bound", "capacity", taken.isEmpty() ? "" : "plan in the file");
    for (int m = 0; m < report.problem().memories().size(); m++) {
      Memory memory = report.problem().memories().get(m);
      table.row(
          memory.name(),
          report.hasPlacement() ? ByteText.human(report.peak(m)) : "-",
          ByteText.human(report.lowerBound(m)),
          memory.isBounded() ? ByteText.human(memory.capacity()) : "-",
          taken.isEmpty() ? "" : ByteText.human(taken.get(m)));
    }
    return "\n" + table.text("  ");
  }

  /** The largest of the buffers that make the bound. */
  private static String largest(RunReport report) {
    PackingProblem problem = report.problem();
    int[] named = report.bound().certificate().buffers();
    if (named.length == 0) {
      return "";
    }
    List<Integer> order = new ArrayList<>(IntStream.of(named).boxed().toList());
    order.sort(
        Comparator.comparingLong((Integer i) -> -problem.buffer(i).size()).thenComparing(i -> i));
    AlignedText table = new AlignedText("lrrr");
    table.row("largest buffers at the bound's step", "bytes", "alive", "offset");
    for (int i : order.subList(0, Math.min(LARGEST_SHOWN, order.size()))) {
      Buffer buffer = problem.buffer(i);
      table.row(
          shortened(buffer.id(), report.tensors(i)),
          ByteText.human(buffer.size()),
          buffer.live().toString(),
          report.hasPlacement() ? ByteText.exact(report.plan().placement().offset(i)) : "-");
    }
    int more = order.size() - LARGEST_SHOWN;
    return "\n" + table.text("  ") + (more > 0 ? "  and " + ByteText.exact(more) + " more\n" : "");
  }

  private static String shortened(String id, List<String> tensors) {
    boolean same = tensors.isEmpty() || (tensors.size() == 1 && tensors.get(0).equals(id));
    String name = same ? id : id + " (" + String.join(", ", tensors) + ")";
    return NameText.shortened(name);
  }
}

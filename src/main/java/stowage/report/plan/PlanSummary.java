package stowage.report.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Status;
import stowage.report.RunReport;
import stowage.report.TimedBound;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;

/** A run's answer as a few lines for people. */
public final class PlanSummary {
  private static final int LARGEST_SHOWN = 5;

  /** Longer lines of facts are wrapped. */
  private static final int WIDTH = 100;

  private PlanSummary() {}

  /** The whole summary; every line ends with a line's end. */
  public static String of(RunReport report) {
    AlignedText facts = new AlignedText("ll");
    PlanFigures.of(report).forEach(figure -> facts.row(figure.name(), figure.value()));
    String memories = report.problem().memories().size() > 1 ? memories(report) : "";
    String head = NameText.plain(headline(report)) + "\n";
    return head + facts.text("  ", WIDTH) + memories + largest(report);
  }

  /**
   * The best bound and why it holds, and what each kind comes to, for people; the status and the
   * peak first where there is a plan.
   */
  public static String bound(RunReport report, List<TimedBound> bounds) {
    if (report.hasPlacement() && PlanFigures.fitsElsewhere(report)) {
      return of(report);
    }
    AlignedText facts = new AlignedText("ll");
    if (report.hasPlacement()) {
      facts.row("peak", ByteText.both(report.peak()));
    }
    facts.row("bound", ByteText.both(report.lowerBound()) + ", " + report.bound().kind());
    facts.row("because", PlanFigures.because(report));
    AlignedText table = new AlignedText("lrlr").row("kind", "bytes", "certificate", "time");
    for (TimedBound timed : bounds) {
      List<Memory> memories = report.problem().memories();
      Memory memory = memories.get(Math.max(0, timed.bound().certificate().memory()));
      String kind = timed.bound().kind() + (memories.size() > 1 ? " of " + memory.name() : "");
      String trust = timed.checked() ? "checked" : "not checked";
      table.row(kind, timed.bound().value(), trust, ByteText.seconds(timed.seconds()));
    }
    String head = report.hasPlacement() ? headline(report) : report.problem().name();
    String tables = facts.text("  ", WIDTH) + "\n" + table.text("  ");
    return NameText.plain(head) + "\n" + tables + largest(report);
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
      boolean all = tied || !bounded && !fixed;
      String one = bounded ? "respects the capacity" : "keeps the offsets that are given";
      return "proven: no placement " + (all ? "keeps all that the problem asks" : one);
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
    if (PlanFigures.fitsElsewhere(report)) {
      int fullest = PlanFigures.fullest(report);
      Memory used = report.problem().memories().get(fullest);
      String limit = used.isBounded() ? " of " + ByteText.human(used.capacity()) : "";
      String in = used.name() + ": " + ByteText.human(report.peak(fullest)) + limit;
      String other = report.problem().memories().get(report.mainMemory()).name();
      String proven = report.status() == Status.OPTIMAL ? " (proven)" : "";
      return "fits in " + in + ", nothing in " + other + proven;
    }
    return report.status() == Status.OPTIMAL
        ? (figure.startsWith("plan") ? "there is no " : "no plan has a ") + figure
        : "a verified plan; a " + figure + open(report) + " is not excluded";
  }

  /** The memory whose peak is open, where that of a later one, which counts first, is proven. */
  private static String open(RunReport report) {
    boolean ofPeak = report.plan().objective().parts().get(0).goal() == Goal.PEAK;
    int last = report.problem().memories().size() - 1;
    for (int m = last; ofPeak && m >= 0; m--) {
      if (report.peak(m) > report.lowerBound(m)) {
        return m == last ? "" : " of " + report.problem().memories().get(m).name();
      }
    }
    return "";
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
    List<Integer> order = new ArrayList<>(IntStream.of(named).sorted().boxed().toList());
    order.sort(Comparator.comparingLong(i -> -problem.buffer(i).size()));
    AlignedText table = new AlignedText("lrrr");
    int step = report.bound().certificate() instanceof Certificate.MaxLoad load ? load.step() : -1;
    String which = step < 0 ? "of the bound" : "live at step " + ByteText.exact(step);
    table.row("largest buffers " + which, "bytes", "alive", "offset");
    for (int i : order.subList(0, Math.min(LARGEST_SHOWN, order.size()))) {
      Buffer buffer = problem.buffer(i);
      table.row(
          shortened(buffer.id(), report.tensors(i)),
          ByteText.human(buffer.size()),
          buffer.live(),
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

package stowage.report.plan;

import java.util.ArrayList;
import java.util.List;
import stowage.compiler.openvino.AllocationHistory;
import stowage.compiler.openvino.AllocationType;
import stowage.compiler.openvino.GpuAllocation;
import stowage.heuristic.EarlierPlaces;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.Status;
import stowage.planning.SharedArena;
import stowage.planning.Stability;
import stowage.report.BaselineFacts;
import stowage.report.RunReport;
import stowage.report.format.NameText;

/** Figures of a plan with their names, as the terminal and the page list them. */
final class PlanFigures {
  private final RunReport report;
  private final List<Figure> figures = new ArrayList<>();

  /**
   * A figure.
   *
   * @param name empty where it belongs to the one before
   */
  record Figure(String name, String value) {}

  private PlanFigures(RunReport report) {
    this.report = report;
  }

  /** All figures, the most important first. */
  static List<Figure> of(RunReport report) {
    PlanFigures all = new PlanFigures(report);
    all.add();
    return all.figures;
  }

  private void row(String name, String value) {
    figures.add(new Figure(name, value));
  }

  private void add() {
    boolean fits = fitsElsewhere(report);
    if (report.hasPlacement()) {
      int memory = fits ? fullest(report) : report.mainMemory();
      String name = report.status() == Status.INFEASIBLE ? "lowest plan found" : "peak";
      row(name, ByteText.both(report.peak(memory)) + place(report, memory));
    }
    if (report.hasReuse() && report.hasPlacement()) {
      row(
          "reuse",
          "costs %s for %s of %s pairs; at least %s"
              .formatted(
                  ByteText.exact(report.reuseCost()),
                  ByteText.exact(report.paid().size()),
                  ByteText.exact(report.problem().relations().reuse().size()),
                  ByteText.exact(report.reuseBound().value())));
    }
    if (!fits) {
      row(
          "bound",
          ByteText.both(report.lowerBound())
              + place(report, report.mainMemory())
              + ", "
              + report.bound().kind()
              + (report.isBoundChecked() ? ", checked" : ", solver claim"));
      row("because", because(report));
    }
    if (report.status() == Status.INFEASIBLE && report.infeasibility() != null) {
      row("infeasible", ProofText.infeasible(report.problem(), report.infeasibility()));
    }
    if (report.hasPlacement() && !fits && report.status() != Status.INFEASIBLE) {
      row("gap", ByteText.percent(report.gap()));
    }
    if (report.capacity() != Memory.UNBOUNDED) {
      row("capacity", ByteText.both(report.capacity()));
    }
    if (report.weightBytes() > 0) {
      row("weights", weights(report));
      if (report.hasPlacement()) {
        row("weights + peak", ByteText.both(report.totalBytes()));
      }
    }
    if (report.plan().finder() != null) {
      row("found by", report.plan().finder());
    }
    if (report.facts().stability() != null) {
      row("moved", moved(report.facts().stability()));
    }
    SharedArena arena = report.facts().arena();
    if (arena != null) {
      row("models", arena.models().size() + ", " + arena.run().words());
      for (int m = 0; m < arena.models().size(); m++) {
        row("", model(arena, m));
      }
    }
    if (report.baseline() != null) {
      row("plan in the file", baseline(report.baseline()));
    }
    if (report.facts().allocation() != null) {
      addAllocation(report.facts().allocation());
    }
    report.facts().remarks().forEach(remark -> row("note", remark));
    row("time", ByteText.seconds(report.plan().seconds()));
    row("buffers", size(report));
  }

  private static String moved(Stability stability) {
    EarlierPlaces.Moves moves = stability.moves();
    double share = (double) moves.movedBytes() / Math.max(1, moves.knownBytes());
    String text =
        "%s of %s buffers that %s has, %s, %s"
            .formatted(
                ByteText.exact(moves.moved()),
                ByteText.exact(moves.known()),
                stability.from(),
                ByteText.both(moves.movedBytes()),
                ByteText.percent(share));
    if (stability.movedAtLeast() >= 0) {
      text +=
          stability.movedAtLeast() == moves.movedBytes()
              ? "; proven the least below this peak"
              : "; at least " + ByteText.both(stability.movedAtLeast());
    }
    if (stability.pinnedBound() >= 0) {
      text += "; no plan with these pins is below " + ByteText.both(stability.pinnedBound());
    }
    return text;
  }

  private void addAllocation(GpuAllocation allocation) {
    row(
        "allocated",
        "%s%s objects, %s, over constants of %s"
            .formatted(
                allocation.streams() == 1 ? "1 stream: " : allocation.streams() + " streams of ",
                ByteText.exact(allocation.objects().size()),
                ByteText.both(allocation.objectBytes()),
                ByteText.both(allocation.constantBytes())));
    AllocationHistory history = allocation.history();
    for (AllocationType type : history.types()) {
      row(
          type.label(),
          "%s, at most %s at once"
              .formatted(
                  ByteText.both(history.current(type)), ByteText.both(history.largest(type))));
    }
  }

  static String because(RunReport report) {
    return ProofText.of(report.problem(), report.bound().certificate(), report.lowerBound());
  }

  private String model(SharedArena arena, int m) {
    long[] extent = arena.extent(m, report.plan().placement());
    long state = arena.stateBytes(m);
    return "%s: bytes %s to %s%s"
        .formatted(
            NameText.shortened(arena.models().get(m).name()),
            ByteText.exact(extent[0]),
            ByteText.exact(extent[1]),
            state == 0 ? "" : ", with " + ByteText.both(state) + " of state");
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

  /** The bytes of all weights, and what their alignment makes of them where that is more. */
  private static String weights(RunReport report) {
    long own = report.network() == null ? report.weightBytes() : report.network().weightBytes();
    return own == report.weightBytes()
        ? ByteText.both(own)
        : ByteText.both(own) + ", aligned " + ByteText.both(report.weightBytes());
  }

  /** Which memory a figure is of, where there are several. */
  private static String place(RunReport report, int memory) {
    List<Memory> memories = report.problem().memories();
    return memories.size() == 1 ? "" : " of " + memories.get(memory).name();
  }

  /** Whether everything is in other memories than the one whose peak counts. */
  static boolean fitsElsewhere(RunReport report) {
    return report.peak() == 0 && report.plan().objective().isPeaks() && fullest(report) >= 0;
  }

  /** The memory with the highest peak; -1 where all are empty. */
  static int fullest(RunReport report) {
    int fullest = -1;
    for (int m = 0; m < report.problem().memories().size(); m++) {
      if (report.peak(m) > (fullest < 0 ? 0 : report.peak(fullest))) {
        fullest = m;
      }
    }
    return fullest;
  }
}

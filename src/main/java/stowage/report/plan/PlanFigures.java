package stowage.report.plan;

import java.util.ArrayList;
import java.util.List;
import stowage.compiler.openvino.AllocationHistory;
import stowage.compiler.openvino.AllocationType;
import stowage.compiler.openvino.GpuAllocation;
import stowage.heuristic.EarlierPlaces;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.Rounding;
import stowage.packing.Status;
import stowage.planning.SharedArena;
import stowage.planning.Stability;
import stowage.report.BaselineFacts;
import stowage.report.RunReport;
import stowage.report.format.NameText;

/** Figures of a plan with their names, as the terminal and the page list them. */
record PlanFigures(RunReport report, List<Figure> figures) {
  /** A figure, whose name is empty where it belongs to the one before. */
  record Figure(String name, String value) {}

  /** All figures, the most important first. */
  static List<Figure> of(RunReport report) {
    PlanFigures all = new PlanFigures(report, new ArrayList<>());
    all.add();
    return all.figures;
  }

  private void row(String name, String value) {
    figures.add(new Figure(name, value));
  }

  private void add() {
    boolean fits = fitsElsewhere(report);
    PackingProblem problem = report.problem();
    if (report.hasPlacement()) {
      int memory = fits ? fullest(report) : report.mainMemory();
      String name = report.status() == Status.INFEASIBLE ? "lowest plan found" : "peak";
      row(name, ByteText.both(report.peak(memory)) + place(report, memory));
    }
    Objective objective = report.plan().objective();
    for (int k = 0; report.plan().score() != null && k < objective.parts().size(); k++) {
      long value = report.plan().score().figure(k);
      switch (objective.parts().get(k).goal()) {
        case OVERFLOW -> row("overflow", ByteText.both(value) + " beyond the capacity");
        case BANKS -> row("banks", ByteText.exact(value));
        default -> {}
      }
    }
    if (report.hasReuse() && report.hasPlacement()) {
      String paid =
          ByteText.exact(report.reuseCost()) + " for " + ByteText.exact(report.paid().size());
      String pairs = ByteText.count(problem.relations().reuse().size(), "pair");
      String least = ByteText.exact(report.reuseBound().value());
      row("reuse", "costs " + paid + " of " + pairs + "; at least " + least);
    }
    if (!fits) {
      String bound = ByteText.both(report.lowerBound()) + place(report, report.mainMemory());
      String trust = report.isBoundChecked() ? "checked" : "solver claim";
      row("bound", bound + ", " + report.bound().kind() + ", " + trust);
      row("because", because(report));
    }
    if (report.status() == Status.INFEASIBLE && report.infeasibility() != null) {
      row("infeasible", ProofText.infeasible(problem, report.infeasibility()));
    }
    if (report.hasPlacement() && !fits && report.status() != Status.INFEASIBLE) {
      Objective.Figure first = objective.parts().get(0);
      Bound known = report.plan().bounds()[0];
      boolean ofPeak = first.goal() == Goal.PEAK;
      long least = known == null ? 0 : known.value();
      double gap = ofPeak ? report.gap() : RunReport.gap(report.plan().score().figure(0), least);
      if (Double.isFinite(gap)) {
        row("gap", ByteText.percent(gap) + (ofPeak ? "" : ", of " + first.name()));
      }
    }
    if (report.capacity() != Memory.UNBOUNDED) {
      row("capacity", ByteText.both(report.capacity()) + place(report, report.mainMemory()));
    }
    if (report.weightBytes() > 0) {
      row("weights", weights(report));
      if (report.hasPlacement()) {
        row(
            "weights + peak",
            ByteText.both(report.totalBytes()) + place(report, report.mainMemory()));
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
      boolean least = stability.movedAtLeast() == moves.movedBytes();
      String atLeast = "; at least " + ByteText.both(stability.movedAtLeast());
      text += least ? "; proven the least below this peak" : atLeast;
    }
    if (stability.pinnedBound() >= 0) {
      text += "; no plan with these pins is below " + ByteText.both(stability.pinnedBound());
    }
    return text;
  }

  private void addAllocation(GpuAllocation allocation) {
    int streams = allocation.streams();
    String objects = ByteText.exact(allocation.objects().size()) + " objects, ";
    String each = (streams == 1 ? "1 stream: " : streams + " streams of ") + objects;
    String constants = ", over constants of " + ByteText.both(allocation.constantBytes());
    row("allocated", each + ByteText.both(allocation.objectBytes()) + constants);
    AllocationHistory history = allocation.history();
    for (AllocationType type : history.types()) {
      String most = ByteText.both(history.largest(type));
      row(type.label(), ByteText.both(history.current(type)) + ", at most " + most + " at once");
    }
  }

  static String because(RunReport report) {
    return ProofText.of(report.problem(), report.bound().certificate(), report.lowerBound());
  }

  private String model(SharedArena arena, int m) {
    long[] extent = arena.extent(m, report.plan().placement());
    long state = arena.stateBytes(m);
    String used = "bytes " + ByteText.exact(extent[0]) + " to " + ByteText.exact(extent[1]);
    String bytes = extent[1] == 0 ? "no bytes" : used;
    String kept = state == 0 ? "" : ", with " + ByteText.both(state) + " of state";
    return NameText.shortened(arena.models().get(m).name()) + ": " + bytes + kept;
  }

  private static String baseline(BaselineFacts baseline) {
    String peak = baseline.peak() == null ? "no peak" : ByteText.both(baseline.peak());
    return peak + ", by " + baseline.source() + ", " + baseline.text();
  }

  private static String size(RunReport report) {
    PackingProblem problem = report.problem();
    int parts = report.parts();
    long pairs = problem.conflicts().count();
    long unit = problem.buffers().stream().mapToLong(Buffer::alignment).reduce(0, Rounding::gcd);
    return ByteText.exact(problem.size())
        + (unit > 1 ? ", at multiples of " + ByteText.human(unit) + " (--alignment)" : "")
        + (parts > 1 ? " in " + parts + " independent parts" : "")
        + (pairs == 0 ? "" : ", " + ByteText.count(pairs, "extra conflict"));
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

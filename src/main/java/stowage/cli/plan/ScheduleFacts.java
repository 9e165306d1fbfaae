package stowage.cli.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.liveness.BufferUses;
import stowage.liveness.LivenessOptions;
import stowage.packing.Incumbent;
import stowage.packing.Plan;
import stowage.packing.Status;
import stowage.planning.schedule.ScheduleRun;
import stowage.report.schedule.CutSvg;
import stowage.report.schedule.ScheduleReport;
import stowage.schedule.bound.OpCut;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/** Puts what a run found of the order of ops into words and names. */
final class ScheduleFacts {
  private ScheduleFacts() {}

  /**
   * The report of a run that has ended.
   *
   * @param head what TFLite Micro needs; null where no model of it was written
   * @param more remarks besides its own
   */
  static ScheduleReport of(
      ScheduleRun run, double seconds, ScheduleReport.Head head, List<String> more) {
    Incumbent placement = run.placement();
    Plan plan = placement == null ? null : Plan.of(placement);
    Long peak = plan == null || plan.placement() == null ? null : plan.peak();
    Status status = Status.UNKNOWN;
    if (run.infeasible()) {
      status = Status.INFEASIBLE;
    } else if (peak != null) {
      status = peak == run.loadBound() ? Status.OPTIMAL : Status.FEASIBLE;
    }
    List<String> remarks = new ArrayList<>(more);
    if (run.sharing() == LivenessOptions.InPlace.OPTIMAL) {
      remarks.add(
          "Buffers of several tensors hold at each step only what those alive need: see the gaps in"
              + " plan.csv.");
    }
    if (peak != null && peak > run.load() && run.load() == run.loadBound()) {
      remarks.add(
          "The order is optimal: none has a lower load. The placement is above the load; "
              + (plan.lowerBound() == peak
                  ? "at this order none is lower."
                  : "a lower one at this or another order is not ruled out."));
    }
    return new ScheduleReport(
        run.network().name(),
        run.network().ops().size(),
        status,
        peak,
        run.load(),
        run.loadBound(),
        run.loadBound(),
        run.boundKind(),
        run.checked(),
        cut(run),
        run.proof() == null ? null : new ScheduleReport.Proof(run.proof(), run.walked()),
        names(run),
        run.finder(),
        run.systems().stream()
            .map(one -> new ScheduleReport.SystemOrder(one.name(), one.load(), one.adapted()))
            .toList(),
        plan == null ? 0 : plan.problem().size(),
        run.capacity() < 0 ? null : run.capacity(),
        seconds,
        run.orderSeconds(),
        head,
        remarks);
  }

  private static ScheduleReport.Cut cut(ScheduleRun run) {
    OpCut cut = run.certificate();
    if (cut == null) {
      return null;
    }
    OrderProblem problem = run.orders().problem();
    List<String> downset = new ArrayList<>();
    Downset done = new Downset(problem);
    for (int op : cut.downset()) {
      downset.add(opName(run, op));
      done.run(op);
    }
    List<ScheduleReport.Live> live = new ArrayList<>();
    for (int b = 0; b < problem.buffers() && cut.op() >= 0; b++) {
      boolean own = contains(problem.uses(cut.op()), b);
      boolean begun = problem.given(b) || done.left(b) < problem.touches(b).length;
      boolean finished = done.left(b) == 0 && !problem.kept(b);
      if (own || (begun && !finished)) {
        live.add(new ScheduleReport.Live(bufferName(run, b), problem.bytes(b)));
      }
    }
    live.sort(Comparator.comparingLong(ScheduleReport.Live::bytes).reversed());
    List<OpCut.Chain> chains = new ArrayList<>();
    for (OpCut.Case one : cut.cases()) {
      if (one.from() < 0) {
        chains.addAll(one.chains());
      }
    }
    return new ScheduleReport.Cut(
        cut.op() < 0 ? null : opName(run, cut.op()), downset, live, chains);
  }

  /** The picture of the op whose cut bounds the load; null where no op's does. */
  static String cutPicture(ScheduleRun run, double width) {
    OpCut cut = run.closestCut();
    if (cut == null || cut.op() < 0) {
      return null;
    }
    OrderProblem problem = run.orders().problem();
    Downset done = new Downset(problem);
    for (int op : cut.downset()) {
      done.run(op);
    }
    List<CutSvg.Place> places = new ArrayList<>();
    for (int v = 0; v < problem.ops(); v++) {
      places.add(
          v == cut.op()
              ? CutSvg.Place.RUNNING
              : done.holds(v) ? CutSvg.Place.RUN : CutSvg.Place.OPEN);
    }
    List<CutSvg.Band> bands = new ArrayList<>();
    for (int b = 0; b < problem.buffers(); b++) {
      boolean own = contains(problem.uses(cut.op()), b);
      boolean begun = problem.given(b) || done.left(b) < problem.touches(b).length;
      if (own || (begun && (problem.kept(b) || done.left(b) > 0))) {
        bands.add(band(run, cut.op(), done, b, own, begun));
      }
    }
    bands.sort(
        Comparator.comparing((CutSvg.Band band) -> !band.read())
            .thenComparing(band -> !band.made())
            .thenComparing(Comparator.comparingLong(CutSvg.Band::bytes).reversed()));
    return CutSvg.of(
        run.network().name(),
        opName(run, cut.op()),
        places,
        bands,
        problem.constant(),
        cut.bound(),
        run.loadBound(),
        width);
  }

  private static CutSvg.Band band(
      ScheduleRun run, int op, Downset done, int buffer, boolean own, boolean begun) {
    OrderProblem problem = run.orders().problem();
    List<String> readers = new ArrayList<>();
    String maker = problem.given(buffer) ? "given" : "";
    for (int v : problem.touches(buffer)) {
      if (v != op && !done.holds(v)) {
        readers.add(opName(run, v));
      } else if (maker.isEmpty() && v != op) {
        maker = opName(run, v);
      }
    }
    String to = readers.isEmpty() ? "" : readers.get(0);
    if (readers.size() > 1) {
      to += " and " + (readers.size() - 1) + " more";
    }
    if (problem.kept(buffer)) {
      to += to.isEmpty() ? "kept to the end" : ", kept";
    }
    return new CutSvg.Band(
        bufferName(run, buffer), problem.bytes(buffer), maker, to, own && begun, own && !begun);
  }

  private static ScheduleReport.Names names(ScheduleRun run) {
    return new ScheduleReport.Names() {
      @Override
      public String op(int op) {
        return opName(run, op);
      }

      @Override
      public String buffer(int buffer) {
        return bufferName(run, buffer);
      }
    };
  }

  private static boolean contains(int[] list, int wanted) {
    for (int one : list) {
      if (one == wanted) {
        return true;
      }
    }
    return false;
  }

  private static String opName(ScheduleRun run, int op) {
    return run.network().ops().get(run.orders().given()[op]).name();
  }

  private static String bufferName(ScheduleRun run, int buffer) {
    BufferUses uses = run.orders().uses();
    return uses.buffers().get(run.orders().problem().item(buffer)).id();
  }
}

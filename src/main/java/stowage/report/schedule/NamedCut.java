package stowage.report.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.planning.schedule.ScheduleRun;
import stowage.schedule.bound.OpCut;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/** Cut of an op by its names: what has run when the op's load is lowest, and what is live then. */
public final class NamedCut {
  private final ScheduleRun run;
  private final OpCut cut;
  private final OrderProblem problem;
  private final Downset done;

  NamedCut(ScheduleRun run, OpCut cut) {
    this.run = run;
    this.cut = cut;
    this.problem = run.orders().problem();
    this.done = new Downset(problem);
    for (int op : cut.downset()) {
      done.run(op);
    }
  }

  static String opName(ScheduleRun run, int op) {
    return run.network().ops().get(run.orders().given()[op]).name();
  }

  static String bufferName(ScheduleRun run, int buffer) {
    return run.orders().uses().buffers().get(run.orders().problem().item(buffer)).id();
  }

  /** The op that has to run; null where it is what is given at first, or kept at last. */
  String op() {
    return cut.op() < 0 ? null : opName(run, cut.op());
  }

  List<String> downset() {
    return IntStream.of(cut.downset()).mapToObj(op -> opName(run, op)).toList();
  }

  /** The buffers that are live then, the largest first; none where there is no op. */
  List<Integer> live() {
    return IntStream.range(0, cut.op() < 0 ? 0 : problem.buffers())
        .filter(this::isLive)
        .boxed()
        .sorted(Comparator.comparingLong(problem::bytes).reversed())
        .toList();
  }

  private boolean isLive(int buffer) {
    return own(buffer) || (begun(buffer) && (done.left(buffer) > 0 || problem.kept(buffer)));
  }

  /** What is live whatever has run: one of each of these groups of buffers. */
  List<OpCut.Chain> chains() {
    return cut.cases().stream()
        .filter(one -> one.from() < 0)
        .flatMap(one -> one.chains().stream())
        .toList();
  }

  private boolean own(int buffer) {
    return IntStream.of(problem.uses(cut.op())).anyMatch(used -> used == buffer);
  }

  private boolean begun(int buffer) {
    return problem.given(buffer) || done.left(buffer) < problem.touches(buffer).length;
  }

  /** The picture of the op whose cut bounds the load of a run; null where no op's does. */
  public static String picture(ScheduleRun run, double width) {
    OpCut cut = run.closestCut();
    return cut == null || cut.op() < 0 ? null : new NamedCut(run, cut).picture(width);
  }

  private String picture(double width) {
    List<CutSvg.Place> places = new ArrayList<>();
    for (int v = 0; v < problem.ops(); v++) {
      CutSvg.Place place = done.holds(v) ? CutSvg.Place.RUN : CutSvg.Place.OPEN;
      places.add(v == cut.op() ? CutSvg.Place.RUNNING : place);
    }
    List<CutSvg.Band> bands =
        IntStream.range(0, problem.buffers())
            .filter(this::isLive)
            .mapToObj(b -> band(b, own(b), begun(b)))
            .sorted(
                Comparator.comparing((CutSvg.Band band) -> !band.read())
                    .thenComparing(band -> !band.made())
                    .thenComparing(Comparator.comparingLong(CutSvg.Band::bytes).reversed()))
            .toList();
    String network = run.network().name();
    String op = opName(run, cut.op());
    long bound = run.loadBound();
    return CutSvg.of(network, op, places, bands, problem.constant(), cut.bound(), bound, width);
  }

  private CutSvg.Band band(int buffer, boolean own, boolean begun) {
    int op = cut.op();
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
}

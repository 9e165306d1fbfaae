package stowage.report.schedule;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.planning.schedule.ScheduleRun;
import stowage.report.format.NameText;
import stowage.schedule.NetworkOrders;
import stowage.schedule.bound.OpCut;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/** Cut of an op by its names: what has run when the op's load is lowest, and what is live then. */
public final class NamedCut {
  private final Network network;
  private final NetworkOrders orders;
  private final OpCut cut;
  private final OrderProblem problem;
  private final Downset done;

  NamedCut(NetworkOrders orders, OpCut cut) {
    this.network = orders.uses().network();
    this.orders = orders;
    this.cut = cut;
    this.problem = orders.problem();
    this.done = new Downset(problem);
    for (int op : cut.downset()) {
      done.run(op);
    }
  }

  static String opName(NetworkOrders orders, int op) {
    return orders.uses().network().ops().get(orders.given()[op]).name();
  }

  static String bufferName(NetworkOrders orders, int buffer) {
    return orders.uses().buffers().get(orders.problem().item(buffer)).id();
  }

  void put(ObjectNode certificate) {
    certificate.put("op", op());
    downset().forEach(certificate.putArray("downset")::add);
    ArrayNode live = certificate.putArray("buffers");
    for (int b : live()) {
      live.addObject().put("id", bufferName(orders, b)).put("bytes", problem.bytes(b));
    }
    putChains(orders, certificate, chains());
  }

  static void putChains(NetworkOrders orders, ObjectNode to, List<OpCut.Chain> chains) {
    ArrayNode listed = to.putArray("chains");
    for (OpCut.Chain chain : chains) {
      ArrayNode buffers = listed.addObject().put("bytes", chain.bytes()).putArray("buffers");
      for (int buffer : chain.buffers()) {
        buffers.add(bufferName(orders, buffer));
      }
    }
  }

  /** The op that has to run; null where it is what is given at first, or kept at last. */
  String op() {
    return cut.op() < 0 ? null : opName(orders, cut.op());
  }

  List<String> downset() {
    return IntStream.of(cut.downset()).mapToObj(op -> opName(orders, op)).toList();
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
    return cut == null || cut.op() < 0
        ? null
        : new NamedCut(run.orders(), cut).picture(run.loadBound(), width);
  }

  private String picture(long bound, double width) {
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
    String name = network.name();
    String op = shown(cut.op());
    return CutSvg.of(name, op, places, bands, problem.constant(), cut.bound(), bound, width);
  }

  private CutSvg.Band band(int buffer, boolean own, boolean begun) {
    int op = cut.op();
    List<String> readers = new ArrayList<>();
    String maker = problem.given(buffer) ? "given" : "";
    for (int v : problem.touches(buffer)) {
      if (v != op && !done.holds(v)) {
        readers.add(shown(v));
      } else if (maker.isEmpty() && v != op) {
        maker = shown(v);
      }
    }
    String to = readers.isEmpty() ? "" : readers.get(0);
    if (readers.size() > 1) {
      to += " and " + (readers.size() - 1) + " more";
    }
    if (problem.kept(buffer)) {
      to += to.isEmpty() ? "kept to the end" : ", kept";
    }
    String name = NameText.last(bufferName(orders, buffer));
    return new CutSvg.Band(name, problem.bytes(buffer), maker, to, own && begun, own && !begun);
  }

  private String shown(int op) {
    return NameText.last(opName(orders, op));
  }
}

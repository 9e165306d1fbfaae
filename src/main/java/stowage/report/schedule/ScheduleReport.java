package stowage.report.schedule;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import stowage.liveness.LivenessOptions;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.packing.Plan;
import stowage.packing.Status;
import stowage.planning.schedule.ScheduleRun;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OrderProof;

/**
 * Answer of a run of {@code stowage schedule}: the order's load, the placement's peak, the bound
 * over all orders and why it holds, and the orders of real systems.
 *
 * @param seconds of the whole run, without start-up, reading and writing
 * @param head what TFLite Micro's own planner needs; null where no model of it was written
 * @param said what else there is to know of the run, a sentence each
 */
public record ScheduleReport(ScheduleRun run, double seconds, Head head, List<String> said) {
  private static final int LIVE_SHOWN = 12;

  private static final String GIVEN = "given";

  public ScheduleReport {
    said = List.copyOf(said);
  }

  /**
   * The head of TFLite Micro's arena, in bytes, as its own planner places it, in the model's
   * original order and in the new one.
   */
  public record Head(long given, long written) {}

  /** What people read as the name of an order. */
  public static String words(ScheduleRun.SystemLoad order) {
    String name = order.name() + (order.adapted() ? " (adapted)" : "");
    return order.name().equals(GIVEN) ? "as in the file" : name;
  }

  /** The peak of the placement, in bytes; null without one. */
  public Long peak() {
    Incumbent placement = run.placement();
    return placement == null || placement.placement() == null ? null : Plan.of(placement).peak();
  }

  /** OPTIMAL where the peak is the bound. */
  public Status status() {
    if (run.infeasible()) {
      return Status.INFEASIBLE;
    }
    Long peak = peak();
    return peak == null
        ? Status.UNKNOWN
        : peak == run.loadBound() ? Status.OPTIMAL : Status.FEASIBLE;
  }

  private boolean isOrderOptimal() {
    return run.load() == run.loadBound();
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>(said);
    if (run.sharing() == LivenessOptions.InPlace.OPTIMAL) {
      remarks.add(
          "Shared buffers need only part of their bytes at some steps; see `gaps` in plan.csv.");
    }
    Long peak = peak();
    if (peak != null && peak > run.load() && isOrderOptimal()) {
      remarks.add(
          "The order is optimal: none has a lower load. The placement is above the load; "
              + (Plan.of(run.placement()).lowerBound() == peak
                  ? "in this order no placement is lower."
                  : "a lower one, in this or another order, is not excluded."));
    }
    return remarks;
  }

  private NamedCut cut() {
    return run.certificate() == null ? null : new NamedCut(run.orders(), run.certificate());
  }

  /** How far a load is above what is proven, as a share. */
  public double distance(long ofLoad) {
    return run.loadBound() == 0 ? 0 : (double) (ofLoad - run.loadBound()) / run.loadBound();
  }

  /** The answer as one JSON object, ended with a line's end. */
  public String json() {
    Incumbent placement = run.placement();
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1).put("problem", run.network().name());
    answer.put("status", status().name()).put("peak", peak()).put("load", run.load());
    answer.put("loadBound", run.loadBound()).put("lowerBound", run.loadBound());
    answer.put("boundKind", run.boundKind());
    answer.set("certificate", certificate());
    answer.put("finder", run.finder()).put("ops", run.network().ops().size());
    answer.put("buffers", placement == null ? 0 : placement.problem().size());
    if (run.capacity() >= 0) {
      answer.put("capacity", run.capacity());
    }
    if (run.precedences() > 0) {
      answer.put("precedences", run.precedences());
    }
    ArrayNode listed = answer.putArray("orders");
    for (ScheduleRun.SystemLoad order : run.systems()) {
      ObjectNode row = listed.addObject().put("name", order.name()).put("load", order.load());
      if (order.adapted()) {
        row.put("adapted", true);
      }
    }
    if (head != null) {
      answer.putObject("tfliteMicro").put("givenHead", head.given()).put("head", head.written());
    }
    remarks().forEach(answer.putArray("remarks")::add);
    answer.put("seconds", seconds).put("orderSeconds", run.orderSeconds());
    return answer.toPrettyString() + "\n";
  }

  private ObjectNode certificate() {
    ObjectNode certificate = new ObjectMapper().createObjectNode();
    certificate.put("kind", run.boundKind()).put("checked", run.checked()).put("reason", reason());
    OrderProof of = run.proof();
    if (of != null) {
      certificate.put("target", of.target()).put("precedences", of.precedences().size());
      certificate.put("stretches", of.stretches() == null ? 0 : of.stretches().size());
      certificate.put("reversed", of.reversed()).put("walked", run.walked());
    }
    if (run.certificate() != null) {
      cut().put(certificate);
    }
    return certificate;
  }

  private String op(int op) {
    return NamedCut.opName(run.orders(), op);
  }

  private void putChains(ObjectNode to, List<OpCut.Chain> chains) {
    NamedCut.putChains(run.orders(), to, chains);
  }

  /** The whole proof as one JSON object, ended with a line's end; null where there is none. */
  public String proofJson() {
    OrderProof of = run.proof();
    if (of == null) {
      return null;
    }
    ObjectNode whole = certificate();
    ArrayNode precedences = whole.putArray("precedences");
    for (OrderProof.Forced forced : of.precedences()) {
      ObjectNode row = precedences.addObject();
      row.put("first", op(forced.first())).put("second", op(forced.second()));
      row.put("op", op(forced.op()));
      putChains(row, forced.chains());
    }
    if (of.impossible() != null) {
      ObjectNode row = whole.putObject("impossible").put("op", op(of.impossible().op()));
      putChains(row, of.impossible().chains());
    }
    ArrayNode stretches = whole.putArray("stretches");
    for (OrderProof.Stretch stretch :
        of.stretches() == null ? List.<OrderProof.Stretch>of() : of.stretches()) {
      ObjectNode row = stretches.addObject();
      ArrayNode listed = row.putArray("ops");
      for (int op : stretch.ops()) {
        listed.add(op(of.reversed() ? run.network().ops().size() - 1 - op : op));
      }
      if (stretch.chains() != null) {
        putChains(row, stretch.chains());
      }
    }
    return whole.toPrettyString() + "\n";
  }

  /** Why the bound holds, in a sentence. */
  public String reason() {
    String bytes = ByteText.both(run.loadBound());
    NamedCut cut = cut();
    if (cut == null) {
      return proofReason(bytes);
    }
    if (cut.op() == null) {
      return "What is given at the start, or kept at the end, takes " + bytes + ".";
    }
    long alone = cut.chains().stream().filter(chain -> chain.buffers().length == 1).count();
    String groups = ByteText.count(cut.chains().size() - alone, "group");
    String others = " and one of each of " + groups + " of buffers that follow each other";
    return "Whenever op \"%s\" runs, at least these are live: %d %s%s, %s together."
        .formatted(
            cut.op(),
            alone,
            alone == 1 ? "buffer" : "buffers",
            alone == cut.chains().size() ? "" : others,
            bytes);
  }

  private String proofReason(String bytes) {
    OrderProof of = run.proof();
    if (of == null) {
      return (run.boundKind().equals("two-op-cut")
              ? "Precedences that all orders below it would keep contradict each other: none is"
                  + " below "
              : "A search over all sets of ops that can have run found no order below ")
          + bytes
          + ".";
    }
    int count = of.precedences().size();
    String precedences = ByteText.count(count, "precedence");
    if (of.impossible() != null) {
      String without = precedences + " with which op \"" + op(of.impossible().op());
      return "Orders below " + bytes + " would keep " + without + "\" cannot run.";
    }
    if (of.stretches() == null) {
      String all = ByteText.exact(count) + " precedences that contradict each other.";
      return "Orders below " + bytes + " would keep " + all;
    }
    String given = count == 0 ? "" : ", given " + precedences + " that such an order keeps,";
    String sets = ByteText.exact(run.walked()) + " sets of ops that matter" + given;
    return "A walk over the " + sets + " found no order below " + bytes + ".";
  }

  /** The answer for a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    Status status = status();
    Long peak = peak();
    text.append(status).append(": ").append(NameText.plain(run.network().name()));
    text.append(", ").append(headline()).append('\n');
    if (peak != null) {
      text.append("  peak      ").append(ByteText.both(peak)).append('\n');
    }
    text.append("  load      ").append(ByteText.both(run.load()));
    boolean given = run.finder().equals(GIVEN);
    text.append(given ? ", order as in the file\n" : ", order by " + run.finder() + "\n");
    text.append("  bound     ").append(ByteText.both(run.loadBound()));
    text.append(", ").append(run.boundKind()).append(run.checked() ? ", checked\n" : "\n");
    text.append("  because   ").append(NameText.plain(reason())).append('\n');
    if (run.capacity() >= 0) {
      text.append("  capacity  ").append(ByteText.both(run.capacity())).append('\n');
    }
    NamedCut cut = cut();
    if (cut != null && cut.op() != null && status == Status.INFEASIBLE) {
      text.append("  to split, spill or compute again: one of these, live together at \"");
      text.append(NameText.plain(cut.op())).append("\" in every order\n");
      AlignedText live = new AlignedText("lr");
      for (int b : cut.live().subList(0, Math.min(LIVE_SHOWN, cut.live().size()))) {
        live.row(
            NameText.shortened(NamedCut.bufferName(run.orders(), b)),
            ByteText.human(run.orders().problem().bytes(b)));
      }
      text.append(live.text("    "));
    }
    text.append("  time      ").append(ByteText.seconds(run.orderSeconds()));
    text.append(" for the order, ").append(ByteText.seconds(seconds)).append(" in all\n");
    AlignedText table = new AlignedText("lrr");
    table.row("order", "load", "above the bound");
    for (ScheduleRun.SystemLoad order : run.systems()) {
      table.row(words(order), order.load(), ByteText.percent(distance(order.load())));
    }
    table.row("best found", run.load(), ByteText.percent(distance(run.load())));
    text.append(table.text("  "));
    remarks().forEach(remark -> text.append("  ").append(remark).append('\n'));
    return text.toString();
  }

  /** What the status says of the order, in a few words. */
  public String headline() {
    int ops = run.network().ops().size();
    Status status = status();
    if (status == Status.INFEASIBLE) {
      return "no order of its " + ByteText.count(ops, "op") + " fits into the memory";
    }
    if (status == Status.OPTIMAL) {
      return "no order of its " + ByteText.count(ops, "op") + " and no placement needs less";
    }
    if (run.capacity() >= 0 && peak() != null && peak() <= run.capacity()) {
      return "an order that fits; its load is "
          + ByteText.percent(distance(run.load()))
          + " above the bound";
    }
    return isOrderOptimal()
        ? "the order is optimal; the placement is above its load"
        : "the best order found is " + ByteText.percent(distance(run.load())) + " above the bound";
  }
}

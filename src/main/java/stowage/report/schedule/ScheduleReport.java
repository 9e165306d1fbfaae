package stowage.report.schedule;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OrderProof;

/**
 * What a run of {@code stowage schedule} found: the order's load, the placement's peak, the bound
 * over all orders and why it holds, and the orders of real systems.
 *
 * @param network what the network is called
 * @param ops the number of its ops
 * @param status OPTIMAL where the peak is the bound
 * @param peak of the placement, in bytes; null without one
 * @param load the largest load of the order, in bytes
 * @param loadBound no order has a lower load
 * @param lowerBound no plan under any order has a lower peak
 * @param boundKind {@code op-cut}, {@code two-op-cut} or {@code search}
 * @param checked whether the bound's certificate was checked
 * @param cut the certificate of an {@code op-cut}; null of another kind
 * @param proof the checked proof of another kind; null where there is none
 * @param names of what the cut and the proof number
 * @param finder what found the order
 * @param orders the orders of real systems
 * @param buffers the number of buffers placed
 * @param capacity bytes of the memory; null for none
 * @param seconds of the whole run, without start-up, reading and writing
 * @param orderSeconds the part of it spent on the order
 * @param head what TFLite Micro's own planner needs; null where no model of it was written
 * @param remarks what else there is to know, a sentence each
 */
public record ScheduleReport(
    String network,
    int ops,
    Status status,
    Long peak,
    long load,
    long loadBound,
    long lowerBound,
    String boundKind,
    boolean checked,
    Cut cut,
    Proof proof,
    Names names,
    String finder,
    List<SystemOrder> orders,
    int buffers,
    Long capacity,
    double seconds,
    double orderSeconds,
    Head head,
    List<String> remarks) {

  /** Copies the lists. */
  public ScheduleReport {
    orders = List.copyOf(orders);
    remarks = List.copyOf(remarks);
  }

  /**
   * The head of TFLite Micro's arena, in bytes, as its own planner places it.
   *
   * @param given at the model's own order
   * @param written at the order written
   */
  public record Head(long given, long written) {}

  /**
   * The order of a system.
   *
   * @param name the system's
   * @param load its largest load, in bytes
   * @param adapted whether it was changed to keep the order of side effects
   */
  public record SystemOrder(String name, long load, boolean adapted) {}

  /**
   * A buffer of a certificate.
   *
   * @param id its name
   * @param bytes its size
   */
  public record Live(String id, long bytes) {}

  /**
   * What runs at the least load, and what must then be live.
   *
   * @param op the op that has to run; null where it is what is given at first, or kept at last
   * @param downset the ops that have run, when the load is as low as the bound
   * @param live the buffers that are live then, the largest first
   * @param chains what is live whatever has run
   */
  public record Cut(String op, List<String> downset, List<Live> live, List<OpCut.Chain> chains) {}

  /**
   * Why no order keeps to a target.
   *
   * @param of the proof, over numbers of ops and buffers
   * @param walked how many sets of ops the check walked over
   */
  public record Proof(OrderProof of, int walked) {}

  /** Names of the ops and buffers that certificates number. */
  public interface Names {
    /** The name of an op. */
    String op(int op);

    /** The name of a buffer. */
    String buffer(int buffer);
  }

  /** How far a load is above what is proven, as a share. */
  public double distance(long ofLoad) {
    return loadBound == 0 ? 0 : (double) (ofLoad - loadBound) / loadBound;
  }

  /** The answer as one JSON object, ended with a line's end. */
  public String json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1).put("problem", network).put("status", status.name());
    answer.put("peak", peak).put("load", load).put("loadBound", loadBound);
    answer.put("lowerBound", lowerBound).put("boundKind", boundKind);
    answer.set("certificate", certificate());
    answer.put("finder", finder).put("ops", ops).put("buffers", buffers);
    if (capacity != null) {
      answer.put("capacity", capacity);
    }
    ArrayNode listed = answer.putArray("orders");
    for (SystemOrder order : orders) {
      ObjectNode row = listed.addObject().put("name", order.name()).put("load", order.load());
      if (order.adapted()) {
        row.put("adapted", true);
      }
    }
    if (head != null) {
      answer.putObject("tfliteMicro").put("givenHead", head.given()).put("head", head.written());
    }
    ArrayNode said = answer.putArray("remarks");
    remarks.forEach(said::add);
    answer.put("seconds", seconds).put("orderSeconds", orderSeconds);
    return answer.toPrettyString() + "\n";
  }

  private ObjectNode certificate() {
    ObjectNode certificate = new ObjectMapper().createObjectNode();
    certificate.put("kind", boundKind).put("checked", checked).put("reason", reason());
    if (proof != null) {
      OrderProof of = proof.of();
      certificate.put("target", of.target());
      certificate.put("precedences", of.precedences().size());
      certificate.put("stretches", of.stretches() == null ? 0 : of.stretches().size());
      certificate.put("reversed", of.reversed());
      certificate.put("walked", proof.walked());
    }
    if (cut == null) {
      return certificate;
    }
    certificate.put("op", cut.op());
    ArrayNode downset = certificate.putArray("downset");
    cut.downset().forEach(downset::add);
    ArrayNode live = certificate.putArray("buffers");
    cut.live().forEach(b -> live.addObject().put("id", b.id()).put("bytes", b.bytes()));
    putChains(certificate, cut.chains());
    return certificate;
  }

  private void putChains(ObjectNode to, List<OpCut.Chain> chains) {
    ArrayNode listed = to.putArray("chains");
    for (OpCut.Chain chain : chains) {
      ObjectNode row = listed.addObject().put("bytes", chain.bytes());
      ArrayNode buffers = row.putArray("buffers");
      for (int buffer : chain.buffers()) {
        buffers.add(names.buffer(buffer));
      }
    }
  }

  /** The whole proof as one JSON object, ended with a line's end; null where there is none. */
  public String proofJson() {
    if (proof == null) {
      return null;
    }
    OrderProof of = proof.of();
    ObjectNode whole = certificate();
    ArrayNode precedences = whole.putArray("precedences");
    for (OrderProof.Forced forced : of.precedences()) {
      ObjectNode row = precedences.addObject();
      row.put("first", names.op(forced.first())).put("second", names.op(forced.second()));
      row.put("op", names.op(forced.op()));
      putChains(row, forced.chains());
    }
    if (of.impossible() != null) {
      ObjectNode row = whole.putObject("impossible").put("op", names.op(of.impossible().op()));
      putChains(row, of.impossible().chains());
    }
    ArrayNode stretches = whole.putArray("stretches");
    for (OrderProof.Stretch stretch :
        of.stretches() == null ? List.<OrderProof.Stretch>of() : of.stretches()) {
      ObjectNode row = stretches.addObject();
      ArrayNode listed = row.putArray("ops");
      for (int op : stretch.ops()) {
        listed.add(names.op(of.reversed() ? ops - 1 - op : op));
      }
      if (stretch.chains() != null) {
        putChains(row, stretch.chains());
      }
    }
    return whole.toPrettyString() + "\n";
  }

  /** Why the bound holds, in a sentence. */
  public String reason() {
    String bytes = ByteText.both(loadBound);
    if (cut == null) {
      return proofReason(bytes);
    }
    if (cut.op() == null) {
      return "What is given at the start, or kept at the end, takes " + bytes + ".";
    }
    long alone = cut.chains().stream().filter(chain -> chain.buffers().length == 1).count();
    return String.format(
        Locale.ROOT,
        "Op \"%s\" has to run, and whatever has run before it, %d buffers%s are live then, %s"
            + " together.",
        cut.op(),
        alone,
        alone == cut.chains().size()
            ? ""
            : " and one of each of "
                + (cut.chains().size() - alone)
                + " groups of buffers that follow each other",
        bytes);
  }

  private String proofReason(String bytes) {
    if (proof == null) {
      return (boundKind.equals("two-op-cut")
              ? "Precedences that all orders below it would keep contradict each other: none is"
                  + " below "
              : "A search over all sets of ops that can have run found no order below ")
          + bytes
          + ".";
    }
    OrderProof of = proof.of();
    if (of.impossible() != null) {
      return String.format(
          Locale.ROOT,
          "Orders below %s would keep %d precedences with which op \"%s\" cannot run.",
          bytes,
          of.precedences().size(),
          names.op(of.impossible().op()));
    }
    if (of.stretches() == null) {
      return String.format(
          Locale.ROOT,
          "Orders below %s would keep %d precedences that contradict each other.",
          bytes,
          of.precedences().size());
    }
    return String.format(
        Locale.ROOT,
        "A walk over the %d sets of ops that matter%s found no order below %s.",
        proof.walked(),
        of.precedences().isEmpty()
            ? ""
            : ", given " + of.precedences().size() + " precedences that such an order keeps,",
        bytes);
  }

  /** The answer for a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(status)
        .append(": ")
        .append(NameText.plain(network))
        .append(", ")
        .append(headline())
        .append('\n');
    if (peak != null) {
      text.append("  peak      ").append(ByteText.both(peak)).append('\n');
    }
    text.append("  load      ").append(ByteText.both(load));
    text.append(", order found by ").append(finder).append('\n');
    text.append("  bound     ").append(ByteText.both(lowerBound)).append(", ").append(boundKind);
    text.append(checked ? ", checked\n" : "\n");
    text.append("  because   ").append(NameText.plain(reason())).append('\n');
    if (capacity != null) {
      text.append("  capacity  ").append(ByteText.both(capacity)).append('\n');
    }
    if (cut != null && status == Status.INFEASIBLE) {
      text.append("  to split, spill or compute again: one of these, live together at \"");
      text.append(NameText.plain(cut.op())).append("\" in every order\n");
      AlignedText live = new AlignedText("lr");
      cut.live().stream()
          .limit(12)
          .forEach(buffer -> live.row(buffer.id(), ByteText.human(buffer.bytes())));
      text.append(live.text("    "));
    }
    text.append("  time      ").append(ByteText.seconds(orderSeconds)).append(" for the order, ");
    text.append(ByteText.seconds(seconds)).append(" in all\n");
    AlignedText table = new AlignedText("lrr");
    table.row("order", "load", "above the bound");
    for (SystemOrder order : orders) {
      table.row(
          order.name() + (order.adapted() ? " (adapted)" : ""),
          ByteText.exact(order.load()),
          ByteText.percent(distance(order.load())));
    }
    table.row("best found", ByteText.exact(load), ByteText.percent(distance(load)));
    text.append(table.text("  "));
    remarks.forEach(remark -> text.append("  ").append(remark).append('\n'));
    return text.toString();
  }

  /** What the status says of the order, in a few words. */
  public String headline() {
    if (status == Status.INFEASIBLE) {
      return "no order of its " + ops + " ops fits into the memory";
    }
    if (status == Status.OPTIMAL) {
      return "no order of its " + ops + " ops and no placement needs less";
    }
    return load == loadBound
        ? "the order is optimal; the placement is above its load"
        : "the best order found is " + ByteText.percent(distance(load)) + " above the bound";
  }
}

package stowage.report.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.exact.explain.CriticalChain;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.LoadBound;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.planning.BlockingSet;
import stowage.report.RunReport;
import stowage.report.TimedBound;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;

/** Why a capacity cannot be met, or what sets a plan's peak, for people and for scripts. */
public final class ExplanationText {
  /** Rows of a table; more would not fit a screen. */
  private static final int LARGEST_SHOWN = 12;

  /**
   * A change of buffers after which all fit.
   *
   * @param shrinks whether sizes become smaller; else buffers move to another memory
   * @param bytes by which sizes shrink, or that move, in all
   * @param lowerBound no change of this kind with fewer bytes is enough, by CP-SAT
   * @param sizes the bytes that each buffer of the problem keeps, by index
   */
  public record Change(boolean shrinks, long bytes, long lowerBound, long[] sizes) {}

  private ExplanationText() {}

  /** The set of buffers that cannot be placed together; the problem has the capacity. */
  public static String infeasible(PackingProblem problem, BlockingSet set, List<Change> changes) {
    long capacity = capacity(problem);
    LoadBound.Heaviest load = load(problem, set);
    boolean anywhere = set.needed() != BlockingSet.NOWHERE;
    StringBuilder text = new StringBuilder();
    boolean one = set.buffers().size() == 1;
    text.append(one ? "This buffer" : "These " + set.buffers().size() + " buffers");
    text.append(" cannot be placed ");
    text.append(anywhere ? "within " + ByteText.both(capacity) : "at any capacity");
    String proven = one ? "" : "; removing any one makes the rest fit";
    String open = "; time ran out before each was shown to be needed";
    text.append(set.irreducible() ? proven : open).append(".\n");
    String over = ByteText.both(set.needed() - capacity);
    String needed = ByteText.both(set.needed());
    String loaded = ByteText.both(load.bytes());
    if (!anywhere) {
      text.append(set.reason()).append('\n');
    } else if (one) {
      boolean whole = set.needed() == problem.buffer(set.buffers().get(0)).size();
      text.append(whole ? "It takes " : "Wherever it may be placed, it ends at ").append(needed);
      text.append(whole ? ", " : " or above, ").append(over).append(" too much");
      text.append(whole ? ": shrink it by that, or remove it.\n" : ".\n");
    } else if (load.bytes() - room(problem) == set.needed() - capacity) {
      boolean some = load.buffers().length < set.buffers().size();
      text.append("At step ")
          .append(load.step())
          .append(some ? " some of them take " : " they take ");
      text.append(loaded).append(", ").append(over).append(" too much: shrink them by");
      text.append(" that together, make one of them not live then, or remove one.\n");
    } else {
      text.append("At no step do they take more than ").append(loaded);
      text.append(", but no order of stacking them stays below ").append(needed);
      text.append(", ").append(over).append(" too much: shrink, shorten or remove one of them.\n");
    }
    text.append(one ? "" : "Largest first. ").append("Other sets may also be too large.\n");
    AlignedText table = new AlignedText("lrr").row("buffer", "bytes", "alive");
    List<Integer> order = new ArrayList<>(set.buffers());
    order.sort(Comparator.comparingLong((Integer i) -> -problem.buffer(i).size()));
    for (int i : order.subList(0, Math.min(LARGEST_SHOWN, order.size()))) {
      Buffer buffer = problem.buffer(i);
      table.row(name(problem, i), buffer.size(), buffer.live());
    }
    text.append(table.text("  ")).append(more(order.size()));
    changes.forEach(change -> append(text, problem, change));
    return text.toString();
  }

  private static void append(StringBuilder text, PackingProblem problem, Change change) {
    boolean least = change.bytes == change.lowerBound;
    text.append(change.shrinks ? "All fit with " : "Or all fit with ");
    text.append(ByteText.both(change.bytes));
    text.append(change.shrinks ? " less in all" : " of buffers in another memory");
    text.append(least ? "; no less is enough" : "; at least ");
    text.append(least ? "" : ByteText.both(change.lowerBound) + " are needed");
    text.append(" (CP-SAT's claim):\n");
    boolean shrinks = change.shrinks;
    AlignedText table = new AlignedText(shrinks ? "lrr" : "lr");
    table.row(Arrays.copyOf(new Object[] {"buffer", "bytes", "enough"}, shrinks ? 3 : 2));
    List<Integer> changed = changed(problem, change);
    changed.sort(
        Comparator.comparingLong((Integer i) -> change.sizes[i] - problem.buffer(i).size()));
    for (int i : changed.subList(0, Math.min(LARGEST_SHOWN, changed.size()))) {
      Object[] cells = {name(problem, i), problem.buffer(i).size(), change.sizes[i]};
      table.row(Arrays.copyOf(cells, shrinks ? 3 : 2));
    }
    text.append(table.text("  ")).append(more(changed.size()));
  }

  private static String more(int buffers) {
    return buffers <= LARGEST_SHOWN
        ? ""
        : "  and " + ByteText.exact(buffers - LARGEST_SHOWN) + " more: add --json\n";
  }

  private static List<Integer> changed(PackingProblem problem, Change change) {
    return IntStream.range(0, problem.size())
        .filter(i -> problem.buffer(i).needsMemory() && change.sizes[i] < problem.buffer(i).size())
        .boxed()
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static String name(PackingProblem problem, int buffer) {
    return NameText.shortened(problem.buffer(buffer).id());
  }

  /** The same as one JSON object. */
  public static String infeasibleJson(
      PackingProblem problem, BlockingSet set, List<Change> changes) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION).put("status", "INFEASIBLE");
    root.put("capacity", capacity(problem)).put("irreducible", set.irreducible());
    root.put("maxLoad", load(problem, set).bytes());
    root.put("needed", set.needed() == BlockingSet.NOWHERE ? null : Long.valueOf(set.needed()));
    root.put("reason", set.reason());
    ArrayNode list = root.putArray("buffers");
    set.buffers().forEach(i -> describe(list.addObject(), problem.buffer(i)));
    for (Change change : changes) {
      ObjectNode entry = root.putObject(change.shrinks ? "leastShrunk" : "leastMoved");
      entry.put("bytes", change.bytes).put("lowerBound", change.lowerBound);
      entry.put("boundKind", "cp-sat");
      ArrayNode buffers = entry.putArray("buffers");
      for (int i : changed(problem, change)) {
        ObjectNode one = buffers.addObject().put("id", problem.buffer(i).id());
        one.put("size", problem.buffer(i).size()).put("enough", change.sizes[i]);
      }
    }
    return root.toPrettyString();
  }

  /** The most that those of the set take at one step which may not share bytes. */
  private static LoadBound.Heaviest load(PackingProblem problem, BlockingSet set) {
    boolean[] chosen = new boolean[problem.size()];
    set.buffers().forEach(i -> chosen[i] = true);
    return LoadBound.heaviest(problem, i -> chosen[i]);
  }

  private static long room(PackingProblem problem) {
    long room = 0;
    for (Memory memory : problem.memories()) {
      room = memory.capacity() > Long.MAX_VALUE - room ? Long.MAX_VALUE : room + memory.capacity();
    }
    return room;
  }

  /** The chain of buffers, from the highest down, that sets a plan's peak, and what each costs. */
  public static String chain(PackingProblem problem, Placement placement, CriticalChain set) {
    List<CriticalChain.Link> chain = set.links();
    long settled = set.settledPeak();
    StringBuilder text = new StringBuilder();
    long peak = peak(problem, placement, chain);
    text.append("The peak of ").append(ByteText.both(peak)).append(" is set by ");
    String stack =
        "a stack of " + chain.size() + " buffers; a lower peak needs a change to at least one.\n";
    text.append(chain.size() == 1 ? "one buffer; a lower peak needs a change to it.\n" : stack);
    if (settled < peak) {
      text.append("With every buffer lowered in the same order, the plan would end at ");
      text.append(ByteText.both(settled)).append("; gains count from there.\n");
    }
    text.append(advice(problem, chain));
    AlignedText table =
        new AlignedText("lrrrrrl")
            .row("buffer", "bytes", "alive", "offset", "if removed", "if moved", "stacked on");
    for (int k = 0; k < chain.size(); k++) {
      CriticalChain.Link link = chain.get(k);
      Buffer buffer = problem.buffer(link.buffer());
      String gone = gain(link.evicted());
      String name = name(problem, link.buffer());
      long offset = placement.offset(link.buffer());
      String below = restsOn(problem, chain, k);
      table.row(name, buffer.size(), buffer.live(), offset, gone, gain(link.moved()), below);
    }
    return text.append(table.text("  ")).toString();
  }

  private static String gain(long bytes) {
    return bytes < 0 ? "?" : bytes == 0 ? "-" : ByteText.exact(bytes);
  }

  private static String advice(PackingProblem problem, List<CriticalChain.Link> chain) {
    CriticalChain.Link gone = null;
    CriticalChain.Link moved = null;
    for (CriticalChain.Link link : chain) {
      gone = gone == null || link.evicted() > gone.evicted() ? link : gone;
      moved = moved == null || link.moved() > moved.moved() ? link : moved;
    }
    if (gone == null || gone.evicted() < 0) {
      return "";
    }
    if (gone.evicted() == 0) {
      return "No single change lowers the peak: another stack is as high.\n";
    }
    String move =
        "Best single change: move \"%s\" and lower what is above it; lowers the peak by %s.\nOr"
            .formatted(name(problem, moved.buffer()), ByteText.both(moved.moved()));
    return "%s: remove \"%s\"; lowers the peak by %s. Shrinking it gains that at most.\n"
        .formatted(
            moved.moved() > 0 ? move : "Best single change",
            name(problem, gone.buffer()),
            ByteText.both(gone.evicted()));
  }

  private static long peak(
      PackingProblem problem, Placement placement, List<CriticalChain.Link> chain) {
    return chain.stream()
        .mapToLong(one -> placement.offset(one.buffer()) + problem.buffer(one.buffer()).size())
        .max()
        .orElse(0);
  }

  private static String restsOn(PackingProblem problem, List<CriticalChain.Link> chain, int k) {
    CriticalChain.Link link = chain.get(k);
    if (link.fixed()) {
      return "nothing: its offset is given";
    }
    boolean last = k + 1 == chain.size();
    String below = last ? "offset 0" : name(problem, chain.get(k + 1).buffer());
    return link.slack() == 0 ? below : below + ", " + ByteText.human(link.slack()) + " below";
  }

  /** A plan's peak with its bounds and, of a plan, its stack as one JSON object. */
  public static String peakJson(RunReport report, List<TimedBound> bounds, CriticalChain chain) {
    try {
      ObjectMapper mapper = new ObjectMapper();
      ObjectNode root = (ObjectNode) mapper.readTree(PlanJson.bound(report, bounds));
      root.put("status", report.status().name());
      if (chain != null) {
        String links = chainJson(report.problem(), report.plan().placement(), chain);
        root.setAll((ObjectNode) mapper.readTree(links));
      }
      return root.toPrettyString();
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static String chainJson(PackingProblem problem, Placement placement, CriticalChain chain) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION);
    ArrayNode list = root.putArray("chain");
    for (CriticalChain.Link link : chain.links()) {
      ObjectNode entry = list.addObject();
      describe(entry, problem.buffer(link.buffer()));
      entry.put("offset", placement.offset(link.buffer())).put("slack", link.slack());
      entry.put("fixed", link.fixed());
      entry.put("gainEvicted", link.evicted() < 0 ? null : (Long) link.evicted());
      entry.put("gainMoved", link.moved() < 0 ? null : (Long) link.moved());
    }
    root.put("peak", peak(problem, placement, chain.links()));
    return root.put("settledPeak", chain.settledPeak()).toPrettyString();
  }

  private static void describe(ObjectNode entry, Buffer buffer) {
    entry.put("id", buffer.id()).put("size", buffer.size()).put("start", buffer.live().start());
    entry.put("end", buffer.live().end());
  }

  private static long capacity(PackingProblem problem) {
    return problem.memories().get(problem.memories().size() - 1).capacity();
  }
}

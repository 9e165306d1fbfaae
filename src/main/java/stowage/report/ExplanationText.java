package stowage.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/** Why a capacity cannot be met, or what holds a plan's peak up, for people and for scripts. */
public final class ExplanationText {

  /**
   * A buffer of the chain that holds the peak up.
   *
   * @param buffer its index
   * @param slack bytes between it and what it rests on
   * @param fixed whether its offset is given
   */
  public record Link(int buffer, long slack, boolean fixed) {}

  private ExplanationText() {}

  /**
   * The set of buffers that cannot be placed together.
   *
   * @param problem with the capacity
   * @param set indices of the buffers
   * @param irreducible whether each of them was shown to be needed
   */
  public static String infeasible(PackingProblem problem, List<Integer> set, boolean irreducible) {
    StringBuilder text = new StringBuilder();
    text.append("These ").append(set.size()).append(" buffers cannot be placed within ");
    text.append(ByteText.both(capacity(problem)));
    text.append(
        irreducible
            ? "; without any one of them the others can.\n"
            : "; time ran out before each was shown to be needed.\n");
    long load = load(problem, set);
    text.append("At one step they take up to ").append(ByteText.both(load));
    text.append(
        load > capacity(problem)
            ? ": shrink, shorten or evict one of them.\n"
            : ": they would fit by their load, but not by their shapes.\n");
    TextTable table = new TextTable("lrr").row("buffer", "bytes", "alive");
    for (int i : set) {
      Buffer buffer = problem.buffer(i);
      table.row(buffer.id(), ByteText.exact(buffer.size()), buffer.live().toString());
    }
    return text.append(table.text("  ")).toString();
  }

  /** The same as one JSON object. */
  public static String infeasibleJson(
      PackingProblem problem, List<Integer> set, boolean irreducible) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION);
    root.put("status", "INFEASIBLE");
    root.put("capacity", capacity(problem));
    root.put("irreducible", irreducible);
    root.put("maxLoad", load(problem, set));
    ArrayNode list = root.putArray("buffers");
    set.forEach(i -> describe(list.addObject(), problem.buffer(i)));
    return root.toPrettyString();
  }

  /** The chain of buffers, from the highest down, that holds a plan's peak up. */
  public static String chain(PackingProblem problem, Placement placement, List<Link> chain) {
    StringBuilder text = new StringBuilder();
    text.append("The peak is held up by ").append(chain.size());
    text.append(" buffers, each resting on the next; to lower it, one of them has to shrink, move");
    text.append(" or go.\n");
    TextTable table = new TextTable("lrrrl").row("buffer", "bytes", "alive", "offset", "rests on");
    for (int k = 0; k < chain.size(); k++) {
      Link link = chain.get(k);
      Buffer buffer = problem.buffer(link.buffer());
      table.row(
          buffer.id(),
          ByteText.exact(buffer.size()),
          buffer.live().toString(),
          ByteText.exact(placement.offset(link.buffer())),
          restsOn(problem, chain, k));
    }
    return text.append(table.text("  ")).toString();
  }

  private static String restsOn(PackingProblem problem, List<Link> chain, int k) {
    Link link = chain.get(k);
    if (link.fixed()) {
      return "nothing: its offset is given";
    }
    String below =
        k + 1 < chain.size() ? problem.buffer(chain.get(k + 1).buffer()).id() : "the floor";
    return link.slack() == 0 ? below : below + ", " + ByteText.human(link.slack()) + " below";
  }

  /** The chain as one JSON object. */
  public static String chainJson(PackingProblem problem, Placement placement, List<Link> chain) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION);
    long peak = 0;
    ArrayNode list = root.putArray("chain");
    for (Link link : chain) {
      ObjectNode entry = list.addObject();
      describe(entry, problem.buffer(link.buffer()));
      entry.put("offset", placement.offset(link.buffer()));
      entry.put("slack", link.slack());
      entry.put("fixed", link.fixed());
      peak = Math.max(peak, placement.offset(link.buffer()) + problem.buffer(link.buffer()).size());
    }
    root.put("peak", peak);
    return root.toPrettyString();
  }

  private static void describe(ObjectNode entry, Buffer buffer) {
    entry.put("id", buffer.id());
    entry.put("size", buffer.size());
    entry.put("start", buffer.live().start());
    entry.put("end", buffer.live().end());
  }

  private static long capacity(PackingProblem problem) {
    return problem.memories().get(problem.memories().size() - 1).capacity();
  }

  private static long load(PackingProblem problem, List<Integer> set) {
    boolean[] chosen = new boolean[problem.size()];
    set.forEach(i -> chosen[i] = true);
    return LoadProfile.of(problem, i -> chosen[i]).maxLoad();
  }
}

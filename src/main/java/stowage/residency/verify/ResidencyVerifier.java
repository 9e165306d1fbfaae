package stowage.residency.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import java.util.stream.Collectors;
import stowage.network.memory.MemoryMap;
import stowage.packing.ByteText;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;

/**
 * Verifier of residency plans: replays a plan by the clock with nothing but its segments,
 * transfers, accesses and offsets in homes. It checks
 *
 * <ul>
 *   <li>that each value is present where an op reads it and where a transfer takes it from, with a
 *       place where they write it, and that no transfer runs while an op writes the buffer,
 *   <li>that a transfer runs alongside no step at which one of its places is not held,
 *   <li>that no two buffers share an address at a time at which both use it, that capacities and
 *       alignments are kept, and that ops use the memories that they have to,
 *   <li>that steps take as long as computing and accesses do, that transfers take as long as the
 *       map says and run one after another, between linked memories, and alongside no step where
 *       there is no DMA channel.
 * </ul>
 *
 * O(moves * segments of a buffer + segments^2).
 */
public final class ResidencyVerifier {
  /**
   * What a verification gives.
   *
   * @param movedBytes bytes that transfers move and that ops read and write outside of the memories
   *     that they compute from
   * @param nanoseconds when the last step or transfer ends
   * @param violation the first violation found; null where every rule holds
   */
  public record Result(long movedBytes, long nanoseconds, String violation) {
    public boolean holds() {
      return violation == null;
    }
  }

  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(String what) {
      super(what);
    }
  }

  /** A place at an address, and the time in which it is used. */
  private static final class Place {
    final int item;
    final int memory;
    final long offset;
    final int from;
    final int to;
    long begin;
    long end;
    boolean valid;

    Place(int item, int memory, long offset, int from, int to) {
      this.item = item;
      this.memory = memory;
      this.offset = offset;
      this.from = from;
      this.to = to;
    }

    boolean isHeld(int step) {
      return from <= step && step < to;
    }

    void use(long since, long until) {
      begin = Math.min(begin, since);
      end = Math.max(end, until);
    }
  }

  /**
   * Something that happens to a buffer: a transfer, or the step of an event, which may read only.
   */
  private record Act(long start, long end, ResidencyPlan.Move move, int event, boolean reads) {
    /** When it counts: a step that reads needs the value at its begin, others end with a value. */
    long time() {
      return reads ? start : end;
    }
  }

  private final ResidencyProblem problem;
  private final ResidencyPlan plan;
  private final List<List<Place>> places = new ArrayList<>();
  private final Map<Integer, List<ResidencyPlan.Move>> moves;
  private long moved;

  private ResidencyVerifier(ResidencyProblem problem, ResidencyPlan plan) {
    this.problem = problem;
    this.plan = plan;
    moves = plan.moves().stream().collect(Collectors.groupingBy(ResidencyPlan.Move::item));
  }

  public static Result verify(ResidencyProblem problem, ResidencyPlan plan) {
    ResidencyVerifier verifier = new ResidencyVerifier(problem, plan);
    long end = Arrays.stream(plan.ends()).max().orElse(0);
    for (ResidencyPlan.Move move : plan.moves()) {
      end = Math.max(end, move.endNanos());
    }
    try {
      verifier.shape();
      verifier.steps();
      verifier.channel();
      verifier.collect(end);
      for (int i = 0; i < problem.items().size(); i++) {
        verifier.replay(i);
      }
      verifier.addresses();
    } catch (Broken broken) {
      return new Result(verifier.moved, end, broken.getMessage());
    }
    return new Result(verifier.moved, end, null);
  }

  private String name(int item) {
    return "buffer \"" + problem.items().get(item).id() + "\"";
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new Broken(otherwise);
    }
  }

  /** Lists have a value for each step, buffer and event. */
  private void shape() {
    requireSize("starts", plan.starts().length, problem.steps());
    requireSize("ends", plan.ends().length, problem.steps());
    requireSize("homeOffsets", plan.homeOffsets().length, problem.items().size());
    requireSize("access", plan.access().length, problem.items().size());
    for (int i = 0; i < plan.access().length; i++) {
      int events = problem.items().get(i).events().size();
      requireSize("access[" + i + "]", plan.access()[i].length, events);
    }
  }

  private static void requireSize(String list, int is, int right) {
    require(
        is == right, list + " has " + ByteText.count(is, "value") + "; it should have " + right);
  }

  /** Steps follow each other and last long enough; ops use memories that they may use. */
  private void steps() {
    int steps = problem.steps();
    long[] least = new long[steps];
    for (int i = 0; i < problem.items().size(); i++) {
      HeldBuffer item = problem.items().get(i);
      for (int e = 0; e < item.events().size(); e++) {
        HeldBuffer.Event use = item.events().get(e);
        int memory = plan.access()[i][e];
        ResidencyProblem.Step op = problem.ops().get(use.step());
        boolean bound = op.only() || problem.map().mustBeFast().contains(item.kind());
        require(
            !bound || !use.isUse() || memory == op.memory(),
            "%s has to be in %s at step %s"
                .formatted(name(i), problem.map().space(op.memory()).name(), use.step()));
        MemoryMap.Space space = problem.map().space(memory);
        for (long bytes : new long[] {use.readBytes(), use.writtenBytes()}) {
          least[use.step()] += space.nanoseconds(bytes);
          moved += memory == op.memory() ? 0 : bytes;
        }
      }
    }
    for (int t = 0; t < steps; t++) {
      long length = plan.ends()[t] - plan.starts()[t];
      require(
          length >= least[t]
              && length >= problem.ops().get(t).computeNanos()
              && plan.starts()[t] >= (t == 0 ? 0 : plan.ends()[t - 1]),
          "step " + t + " is too short or begins before the step before it has ended");
    }
  }

  /** Transfers run one after another, as fast as links allow. */
  private void channel() {
    List<ResidencyPlan.Move> sorted = new ArrayList<>(plan.moves());
    sorted.sort(Comparator.comparingLong(ResidencyPlan.Move::startNanos));
    long free = 0;
    int step = 0;
    for (ResidencyPlan.Move move : sorted) {
      String what = "a transfer of " + name(move.item());
      MemoryMap.Link link = problem.map().link(move.from(), move.to());
      require(link != null, what + " runs between memories without a link");
      require(
          problem.map().space(move.to()).writable(),
          what + " writes " + problem.map().space(move.to()).name() + ", which is read only");
      long bytes = problem.items().get(move.item()).bytes();
      require(
          move.startNanos() >= free
              && move.endNanos() - move.startNanos() >= link.nanoseconds(bytes),
          what + " is too fast or begins before the one before has ended");
      free = move.endNanos();
      moved += link.moved(bytes);
      if (!problem.map().overlap()) {
        while (step < problem.steps() && plan.ends()[step] <= move.startNanos()) {
          step++;
        }
        require(
            step == problem.steps()
                || plan.starts()[step] >= move.endNanos()
                || plan.starts()[step] == plan.ends()[step],
            what + " runs during step " + step);
      }
    }
  }

  /** All places, each with the time of its steps. */
  private void collect(long end) {
    for (int i = 0; i < problem.items().size(); i++) {
      places.add(new ArrayList<>());
      HeldBuffer item = problem.items().get(i);
      if (plan.homeOffsets()[i] >= 0) {
        require(item.home() >= problem.map().fastCount(), name(i) + " has no place in its home");
        int to = item.homeTo(problem.steps());
        places.get(i).add(new Place(i, item.home(), plan.homeOffsets()[i], item.homeFrom(), to));
      }
    }
    for (ResidencyPlan.Segment segment : plan.segments()) {
      require(
          segment.memory() < problem.map().fastCount(),
          name(segment.item()) + " has a segment outside of the fast memories");
      HeldBuffer item = problem.items().get(segment.item());
      require(
          segment.memory() != item.home()
              || segment.from() == item.homeFrom() && segment.to() == item.homeTo(problem.steps()),
          name(segment.item()) + " is not in its home from its first step to its last");
      places
          .get(segment.item())
          .add(
              new Place(
                  segment.item(),
                  segment.memory(),
                  segment.offset(),
                  segment.from(),
                  segment.to()));
    }
    for (List<Place> own : places) {
      for (Place place : own) {
        require(
            place.from >= 0 && place.from < place.to && place.to <= problem.steps(),
            name(place.item) + " has a place outside of the steps");
        place.begin = plan.starts()[place.from];
        place.end = place.to == problem.steps() && end > 0 ? end : plan.ends()[place.to - 1];
      }
    }
  }

  private Place at(int item, int memory, int step) {
    return places.get(item).stream()
        .filter(place -> place.memory == memory && place.isHeld(step))
        .findFirst()
        .orElse(null);
  }

  /** The place that a transfer before a step reads: one of the step, or that ends before it. */
  private Place source(ResidencyPlan.Move move) {
    Place place = at(move.item(), move.from(), move.step());
    return place != null || !move.in() ? place : at(move.item(), move.from(), move.step() - 1);
  }

  /** Follows the value of one buffer by the clock. */
  private void replay(int i) {
    HeldBuffer item = problem.items().get(i);
    List<Act> acts = new ArrayList<>();
    for (int e = 0; e < item.events().size(); e++) {
      int step = item.events().get(e).step();
      acts.add(new Act(plan.starts()[step], plan.ends()[step], null, e, !item.writes(e)));
    }
    for (ResidencyPlan.Move move : moves.getOrDefault(i, List.of())) {
      boolean known = item.events().stream().anyMatch(event -> event.step() == move.step());
      require(known, "a transfer of " + name(i) + " belongs to no use of it");
      require(
          move.in()
              ? move.endNanos() <= plan.starts()[move.step()]
              : move.startNanos() >= plan.ends()[move.step()],
          "a transfer of " + name(i) + " is on the wrong side of step " + move.step());
      acts.add(new Act(move.startNanos(), move.endNanos(), move, -1, false));
    }
    acts.sort(
        Comparator.comparingLong(Act::time)
            .thenComparingLong(Act::start)
            .thenComparingInt(
                act -> act.move() == null ? 4 * item.events().get(act.event()).step() : side(act)));
    for (Place place : places.get(i)) {
      place.valid = item.given() && place.memory == item.home();
    }
    boolean made = item.given();
    long busy = 0;
    for (Act act : acts) {
      require(
          act.reads() || act.start() >= busy,
          "a transfer of " + name(i) + " runs while an op writes it");
      if (act.move() != null) {
        transfer(act);
      } else {
        access(i, act, made);
        made = true;
      }
      busy = act.reads() ? busy : act.end();
    }
    boolean home = places.get(i).stream().anyMatch(p -> p.memory == item.home() && p.valid);
    require(!item.wanted() || home, name(i) + " is wanted and not in its home at the end");
  }

  /** Sorts acts that take no time: before or after the step they belong to. */
  private static int side(Act act) {
    return 4 * act.move().step() + (act.move().in() ? -1 : 1);
  }

  private void transfer(Act act) {
    ResidencyPlan.Move move = act.move();
    String what = "a transfer of " + name(move.item());
    Place from = source(move);
    Place to = at(move.item(), move.to(), move.step());
    require(from != null && from.valid, what + " reads a place without its value");
    require(to != null && to != from, what + " has no place to go to");
    int way = move.in() ? -1 : 1; // it is known to run on this side of its step
    for (int t = move.step() + way;
        t >= 0
            && t < problem.steps()
            && (move.in() ? plan.ends()[t] > act.start() : plan.starts()[t] < act.end());
        t += way) {
      boolean beside = plan.starts()[t] < act.end() && act.start() < plan.ends()[t];
      require(
          !beside || from.isHeld(t) && to.isHeld(t),
          what + " runs alongside step " + t + ", at which it has not both its places");
    }
    from.use(act.start(), act.end());
    to.use(act.start(), act.end());
    to.valid = true;
  }

  private void access(int i, Act act, boolean made) {
    HeldBuffer.Event use = problem.items().get(i).events().get(act.event());
    int memory = plan.access()[i][act.event()];
    Place place = at(i, memory, use.step());
    String where = problem.map().space(memory).name() + " at step " + use.step();
    require(place != null, name(i) + " has no place in " + where);
    require(!made || place.valid, name(i) + " is stale or absent in " + where);
    if (use.writtenBytes() > 0 || !made) {
      require(
          use.writtenBytes() == 0 || problem.map().space(memory).writable(),
          name(i) + " is written in " + where + ", which is read only");
      places.get(i).forEach(other -> other.valid = false);
      place.valid = true;
    }
  }

  /** No two buffers use an address at once; capacities and alignments are kept. O(n log n). */
  private void addresses() {
    long[] sizes = problem.items().stream().mapToLong(HeldBuffer::bytes).toArray();
    for (int m = 0; m < problem.map().count(); m++) {
      MemoryMap.Space space = problem.map().space(m);
      TreeMap<Long, Place> running = new TreeMap<>(); // by offset; no two share an address
      Queue<Place> byEnd = new PriorityQueue<>(Comparator.comparingLong((Place one) -> one.end));
      List<Place> ending = new ArrayList<>(); // when the next one begins
      int memory = m;
      Iterable<Place> inTurn =
          places.stream()
                  .flatMap(List::stream)
                  .filter(place -> place.memory == memory)
                  .sorted(Comparator.comparingLong(place -> place.begin))
              ::iterator;
      for (Place one : inTurn) {
        long high = one.offset + sizes[one.item];
        require(
            one.offset >= 0 && high <= space.capacity(),
            name(one.item) + " leaves " + space.name() + " of " + space.capacity() + " bytes");
        if (sizes[one.item] == 0) {
          continue;
        }
        require(
            one.offset % space.alignment() == 0,
            name(one.item) + " is not aligned to " + space.alignment() + " in " + space.name());
        ending.removeIf(before -> before.end < one.begin);
        while (!byEnd.isEmpty() && byEnd.peek().end <= one.begin) {
          Place ended = byEnd.remove();
          running.remove(ended.offset);
          ending.add(ended);
        }
        var below = running.lowerEntry(high);
        List<Place> near = new ArrayList<>(below == null ? List.of() : List.of(below.getValue()));
        ending.stream()
            .filter(before -> before.end == one.begin)
            .filter(before -> before.from < one.to && one.from < before.to)
            .forEach(near::add);
        for (Place other : near) {
          require(
              high <= other.offset || other.offset + sizes[other.item] <= one.offset,
              name(other.item) + " and " + name(one.item) + " share an address of " + space.name());
        }
        if (one.end > one.begin) {
          running.put(one.offset, one);
          byEnd.add(one);
        } else {
          ending.add(one);
        }
      }
    }
  }
}

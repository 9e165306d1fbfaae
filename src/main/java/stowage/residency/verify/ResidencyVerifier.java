package stowage.residency.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.network.memory.MemoryMap;
import stowage.residency.memory.Item;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;

/**
 * Verifier of residency plans: replays the steps with nothing but the segments, the transfers and
 * the offsets in homes, and checks that each value is present where it is read, that no two buffers
 * share an address, that capacities are kept, and that transfers take as long as the map says, one
 * after another, within the time in which their places are theirs. O(steps * items + pairs).
 */
public final class ResidencyVerifier {
  /**
   * What a verification gives.
   *
   * @param movedBytes bytes that transfers move and that ops read and write in homes
   * @param nanoseconds when the last step or transfer ends
   * @param violation the first violation found; null where every rule holds
   */
  public record Result(long movedBytes, long nanoseconds, String violation) {
    /** Whether every rule holds. */
    public boolean holds() {
      return violation == null;
    }
  }

  private final ResidencyProblem problem;
  private final ResidencyPlan plan;

  private ResidencyVerifier(ResidencyProblem problem, ResidencyPlan plan) {
    this.problem = problem;
    this.plan = plan;
  }

  /** Verifies a plan. */
  public static Result verify(ResidencyProblem problem, ResidencyPlan plan) {
    ResidencyVerifier verifier = new ResidencyVerifier(problem, plan);
    String fault = verifier.addresses();
    fault = fault == null ? verifier.homes() : fault;
    fault = fault == null ? verifier.times() : fault;
    long moved = 0;
    for (int i = 0; fault == null && i < problem.items().size(); i++) {
      long[] bytes = new long[1];
      fault = verifier.replay(i, bytes);
      moved += bytes[0];
    }
    long end = 0;
    for (long at : plan.ends()) {
      end = Math.max(end, at);
    }
    for (ResidencyPlan.Move move : plan.moves()) {
      end = Math.max(end, move.endNanos());
    }
    return new Result(moved, end, fault);
  }

  private String name(int item) {
    return "buffer \"" + problem.items().get(item).id() + "\"";
  }

  private String addresses() {
    MemoryMap.Space fast = problem.map().fast();
    List<ResidencyPlan.Segment> sorted = new ArrayList<>(plan.segments());
    sorted.sort(Comparator.comparingInt(ResidencyPlan.Segment::from));
    for (int k = 0; k < sorted.size(); k++) {
      ResidencyPlan.Segment one = sorted.get(k);
      long bytes = problem.items().get(one.item()).bytes();
      if (one.offset() < 0 || one.offset() + bytes > fast.capacity()) {
        return name(one.item()) + " leaves " + fast.name() + " of " + fast.capacity() + " bytes";
      }
      if (bytes > 0 && one.offset() % fast.alignment() != 0) {
        return name(one.item()) + " is not aligned to " + fast.alignment();
      }
      if (one.from() < 0 || one.to() > problem.steps() || one.from() >= one.to()) {
        return name(one.item()) + " has a segment outside of the steps";
      }
      for (int j = k + 1; j < sorted.size() && sorted.get(j).from() < one.to(); j++) {
        ResidencyPlan.Segment other = sorted.get(j);
        long size = problem.items().get(other.item()).bytes();
        if (other.item() == one.item()
            || bytes > 0
                && size > 0
                && other.offset() < one.offset() + bytes
                && one.offset() < other.offset() + size) {
          return name(one.item()) + " and " + name(other.item()) + " share an address";
        }
      }
    }
    return null;
  }

  private int[] life(int i) {
    Item item = problem.items().get(i);
    boolean weight = item.kind() == MemoryMap.Kind.WEIGHTS;
    int from = item.given() ? 0 : item.events().get(0).step();
    int to = item.events().get(item.events().size() - 1).step() + 1;
    return new int[] {from, item.wanted() || weight ? problem.steps() : to};
  }

  private String homes() {
    int count = problem.items().size();
    for (int i = 0; i < count; i++) {
      Item item = problem.items().get(i);
      long at = plan.homeOffsets()[i];
      if (at < 0 || item.home() < 0) {
        continue;
      }
      MemoryMap.Space home = problem.map().homes().get(item.home());
      if (at + item.bytes() > home.capacity() || at % home.alignment() != 0) {
        return name(i) + " leaves " + home.name() + " or is not aligned there";
      }
      for (int j = 0; j < i; j++) {
        Item other = problem.items().get(j);
        long there = plan.homeOffsets()[j];
        if (there >= 0
            && other.home() == item.home()
            && life(i)[0] < life(j)[1]
            && life(j)[0] < life(i)[1]
            && at < there + other.bytes()
            && there < at + item.bytes()) {
          return name(i) + " and " + name(j) + " share an address of " + home.name();
        }
      }
    }
    return null;
  }

  private ResidencyPlan.Segment segmentAt(int item, int step) {
    for (ResidencyPlan.Segment segment : plan.segments()) {
      if (segment.item() == item && segment.from() <= step && step < segment.to()) {
        return segment;
      }
    }
    return null;
  }

  private String times() {
    int steps = problem.steps();
    long[] least = new long[steps];
    for (int i = 0; i < problem.items().size(); i++) {
      Item item = problem.items().get(i);
      for (Item.Event use : item.events()) {
        boolean fast = segmentAt(i, use.step()) != null;
        MemoryMap.Space space =
            fast ? problem.map().fast() : problem.map().homes().get(Math.max(0, item.home()));
        least[use.step()] +=
            space.nanoseconds(use.readBytes()) + space.nanoseconds(use.writtenBytes());
      }
    }
    for (int t = 0; t < steps; t++) {
      if (plan.ends()[t] - plan.starts()[t] < least[t]
          || t > 0 && plan.starts()[t] < plan.ends()[t - 1]) {
        return "step " + t + " is too short or begins before the step before it has ended";
      }
    }
    long free = 0;
    for (ResidencyPlan.Move move : plan.moves()) {
      Item item = problem.items().get(move.item());
      if (item.home() < 0) {
        return name(move.item()) + " may not leave the fast memory";
      }
      MemoryMap.Space home = problem.map().homes().get(item.home());
      if (!move.in() && !home.writable()) {
        return name(move.item()) + " is written to " + home.name() + ", which is read only";
      }
      if (move.startNanos() < free
          || move.endNanos() - move.startNanos() < home.nanoseconds(item.bytes())) {
        return "a transfer of " + name(move.item()) + " is faster than " + home.name();
      }
      free = move.endNanos();
      ResidencyPlan.Segment segment = segmentAt(move.item(), move.step());
      if (segment == null) {
        return "a transfer of " + name(move.item()) + " has no place in the fast memory";
      }
      String late = window(move, segment);
      if (late != null) {
        return late;
      }
    }
    return null;
  }

  private String window(ResidencyPlan.Move move, ResidencyPlan.Segment segment) {
    long taken =
        segment.from() < move.step()
            ? plan.starts()[segment.from()]
            : move.step() == 0 ? 0 : plan.ends()[move.step() - 1];
    boolean within =
        move.in()
            ? move.startNanos() >= taken && move.endNanos() <= plan.starts()[move.step()]
            : move.startNanos() >= plan.ends()[move.step()]
                && (segment.to() >= problem.steps()
                    || move.endNanos() <= plan.starts()[segment.to()]);
    if (!within) {
      return "a transfer of " + name(move.item()) + " is outside of the time of its place";
    }
    for (int t = 0; !problem.map().overlap() && t < problem.steps(); t++) {
      if (move.startNanos() < plan.ends()[t] && plan.starts()[t] < move.endNanos()) {
        return "a transfer of " + name(move.item()) + " runs during step " + t;
      }
    }
    return null;
  }

  /** Follows the value of one buffer through the steps. */
  private String replay(int i, long[] moved) {
    Item item = problem.items().get(i);
    boolean inHome = item.given();
    boolean inFast = item.given() && item.home() < 0;
    boolean made = item.given();
    ResidencyPlan.Segment last = null;
    for (int e = 0; e < item.events().size(); e++) {
      Item.Event use = item.events().get(e);
      ResidencyPlan.Segment here = segmentAt(i, use.step());
      inFast &= here == last || e == 0;
      last = here;
      for (ResidencyPlan.Move move : plan.moves()) {
        if (move.item() == i && move.in() && move.step() == use.step()) {
          if (!inHome) {
            return name(i) + " is fetched at step " + use.step() + " though its home is stale";
          }
          inFast = true;
          moved[0] += problem.map().homes().get(item.home()).moved(item.bytes());
        }
      }
      if (here == null) {
        if (problem.mustBeFast(item)) {
          return name(i) + " has to be in the fast memory at step " + use.step();
        }
        if (made && !inHome) {
          return name(i) + " is used in its home at step " + use.step() + ", which is stale";
        }
        if (plan.homeOffsets()[i] < 0) {
          return name(i) + " is used in its home without an address there";
        }
        inHome = true;
        moved[0] += use.readBytes() + use.writtenBytes();
      } else {
        if (made && !inFast) {
          return name(i) + " is not in the fast memory at step " + use.step();
        }
        inFast = true;
        inHome &= use.writtenBytes() == 0;
      }
      made = true;
      for (ResidencyPlan.Move move : plan.moves()) {
        if (move.item() == i && !move.in() && move.step() == use.step()) {
          if (plan.homeOffsets()[i] < 0) {
            return name(i) + " is written back without an address in its home";
          }
          inHome = true;
          moved[0] += problem.map().homes().get(item.home()).moved(item.bytes());
        }
      }
    }
    return item.wanted() && item.home() >= 0 && !inHome
        ? name(i) + " is an output and not in its home at the end"
        : null;
  }
}

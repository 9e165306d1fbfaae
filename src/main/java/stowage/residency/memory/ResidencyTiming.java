package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import stowage.network.memory.MemoryMap;

/**
 * Times of a choice's transfers and steps. A step takes as long as its op computes, or as its
 * accesses, one after another, each at the speed of the memory it goes to, where these take longer.
 * Transfers run one after another on one channel.
 *
 * <p>A transfer is released when the places it needs are its own: one before a step when the step
 * before has ended, or at the begin of the step from which its place is held; one after a step when
 * that has ended. It is due at the begin of the step that needs its value, or that may take its
 * place. Between two steps everything that is due runs, outward before inward, and what comes from
 * memories further in first, because the places of the one are freed by the other. With a DMA
 * channel, what is released and not yet due runs alongside the steps, the earliest due first.
 *
 * @param moves the transfers, in the order in which they run
 * @param starts when each step begins, in nanoseconds
 */
public record ResidencyTiming(List<ResidencyPlan.Move> moves, long[] starts, long[] ends) {
  /** The transfers of one event on one side of its step. */
  private record Job(int item, Access use, int step, boolean in, int due) {
    List<Access.Hop> hops() {
      return in ? use.inward() : use.outward();
    }

    int source() {
      return hops().get(0).from();
    }
  }

  private static final Comparator<Job> FIRST_DUE =
      Comparator.comparingInt(Job::due)
          .thenComparing(Job::in)
          .thenComparingInt(Job::source)
          .thenComparingInt(Job::step)
          .thenComparingInt(Job::item);

  /** Computes the times of a choice. O(events log events). */
  public static ResidencyTiming of(ResidencyProblem problem, ResidencyChoice choice) {
    return new Clock(problem, choice).run();
  }

  static long[] lengths(ResidencyProblem problem, Access[][] uses) {
    long[] length = new long[problem.steps()];
    for (int i = 0; i < uses.length; i++) {
      for (int e = 0; e < uses[i].length; e++) {
        length[problem.items().get(i).events().get(e).step()] += uses[i][e].accessNanos();
      }
    }
    Arrays.setAll(length, t -> Math.max(length[t], problem.ops().get(t).computeNanos()));
    return length;
  }

  private static final class Clock {
    private final ResidencyProblem problem;
    private final List<List<Job>> atStart = new ArrayList<>();
    private final List<List<Job>> atEnd = new ArrayList<>();
    private final long[] length;
    private final List<ResidencyPlan.Move> moves = new ArrayList<>();
    private final PriorityQueue<Job> released = new PriorityQueue<>(FIRST_DUE);
    private long channel;
    private int lastDue;

    Clock(ResidencyProblem problem, ResidencyChoice choice) {
      this.problem = problem;
      int steps = problem.steps();
      for (int t = 0; t <= steps; t++) {
        atStart.add(new ArrayList<>());
        atEnd.add(new ArrayList<>());
      }
      length = lengths(problem, choice.uses());
      for (int i = 0; i < choice.uses().length; i++) {
        for (int e = 0; e < choice.uses()[i].length; e++) {
          Access use = choice.uses()[i][e];
          int step = problem.items().get(i).events().get(e).step();
          int early = choice.early()[i][e];
          if (!use.inward().isEmpty()) { // the list of step t - 1's end is that before step t
            Job job = new Job(i, use, step, true, step);
            (early > 0 ? atStart.get(step - early) : atEnd.get(step)).add(job);
          }
          if (!use.outward().isEmpty()) {
            int due = step + 1 + choice.late()[i][e];
            atEnd.get(step + 1).add(new Job(i, use, step, false, due));
          }
        }
      }
    }

    ResidencyTiming run() {
      int steps = length.length;
      long[] starts = new long[steps];
      long[] ends = new long[steps];
      boolean overlap = problem.map().overlap();
      long now = 0;
      for (int t = 0; t <= steps; t++) {
        released.addAll(atEnd.get(t));
        while (!released.isEmpty() && (t == steps || !overlap || released.peek().due() <= t)) {
          move(released.poll(), now);
        }
        now = lastDue <= t ? Math.max(now, channel) : now;
        if (t < steps) {
          starts[t] = overlap ? now : Math.max(now, channel);
          ends[t] = starts[t] + length[t];
          released.addAll(atStart.get(t));
          while (overlap && !released.isEmpty() && Math.max(channel, starts[t]) < ends[t]) {
            move(released.poll(), starts[t]);
          }
          now = ends[t];
        }
      }
      return new ResidencyTiming(moves, starts, ends);
    }

    private void move(Job job, long from) {
      lastDue = job.due();
      channel = Math.max(channel, from);
      long bytes = problem.items().get(job.item()).bytes();
      for (Access.Hop hop : job.hops()) {
        MemoryMap.Link link = problem.map().link(hop.from(), hop.to());
        long begin = channel;
        channel += link.nanoseconds(bytes);
        moves.add(
            new ResidencyPlan.Move(job.item(), hop.from(), hop.to(), job.step(), begin, channel));
      }
    }
  }

  /** When the last step and the last transfer have ended. */
  public long nanoseconds() {
    long end = ends.length == 0 ? 0 : ends[ends.length - 1];
    return Math.max(end, moves.stream().mapToLong(ResidencyPlan.Move::endNanos).max().orElse(0));
  }

  /** How long the network takes with everything in the memories that ops compute from. */
  public static long leastNanoseconds(ResidencyProblem problem) {
    long[] length = new long[problem.steps()];
    for (HeldBuffer item : problem.items()) {
      for (HeldBuffer.Event event : item.events()) {
        MemoryMap.Space space = problem.map().space(problem.ops().get(event.step()).memory());
        length[event.step()] +=
            space.nanoseconds(event.readBytes()) + space.nanoseconds(event.writtenBytes());
      }
    }
    return IntStream.range(0, length.length)
        .mapToLong(t -> Math.max(length[t], problem.ops().get(t).computeNanos()))
        .sum();
  }
}

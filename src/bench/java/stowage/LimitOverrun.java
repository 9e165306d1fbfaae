package stowage;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import stowage.packing.PackingProblem;
import stowage.packing.ProblemBuilder;

/**
 * Prints how long runs go on after their limit of time, and what a quick plan takes. Processor time
 * is that of the whole process, the virtual machine's compiler included; it says what a run still
 * does, where the clock also says how busy the machine is.
 *
 * <p>{@code java -cp 'target/stowage.jar:target/lib/*' src/bench/java/stowage/LimitOverrun.java}
 */
final class LimitOverrun {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final int ROUNDS = 7;

  private LimitOverrun() {}

  private static PackingProblem random(int buffers, long seed, int longest) {
    Random random = new Random(seed);
    ProblemBuilder builder = PackingProblem.builder("random");
    for (int i = 0; i < buffers; i++) {
      int start = random.nextInt(buffers);
      builder.buffer(1 + random.nextInt(100_000), start, start + 1 + random.nextInt(longest));
    }
    return builder.build();
  }

  public static void main(String[] arguments) throws InterruptedException {
    overrun(1_000, 400, 1, false); // until the code is compiled
    for (int buffers : new int[] {1_000, 5_000, 20_000}) {
      for (int longest : new int[] {60, 400}) {
        overrun(buffers, longest, 1, true);
      }
    }
    quick(1_000);
  }

  private static void overrun(int buffers, int longest, double seconds, boolean printed)
      throws InterruptedException {
    double processor = 0;
    double clock = 0;
    for (int round = 0; round < ROUNDS; round++) {
      PackingProblem problem = random(buffers, 100 + round, longest);
      long[] atLimit = {-1};
      long begin = System.nanoTime();
      PlanTask task =
          Stowage.submit(problem, PlanOptions.within(Duration.ofNanos((long) (seconds * 1e9))));
      Thread watch = new Thread(() -> atLimit[0] = processorTimeAt(begin, seconds, task));
      watch.setDaemon(true);
      watch.start();
      task.await();
      long ended = SYSTEM.getProcessCpuTime();
      clock = Math.max(clock, (System.nanoTime() - begin) / 1e9 - seconds);
      watch.join(Duration.ofSeconds(3).toMillis());
      processor = Math.max(processor, atLimit[0] < 0 ? 0 : (ended - atLimit[0]) / 1e9);
    }
    if (printed) {
      System.out.printf(
          Locale.ROOT,
          "%,d buffers of up to %d steps, limit %.1f s: after it at most %.0f ms of processor time,"
              + " %.0f ms by the clock%n",
          buffers,
          longest,
          seconds,
          1e3 * processor,
          1e3 * Math.max(0, clock));
    }
  }

  /** The process's time when the limit is over; -1 where the run has ended by then. */
  private static long processorTimeAt(long begin, double seconds, PlanTask task) {
    try {
      long left = (long) (seconds * 1e3) - (System.nanoTime() - begin) / 1_000_000;
      Thread.sleep(Math.max(0, left));
    } catch (InterruptedException ended) {
      return -1;
    }
    return task.isDone() ? -1 : SYSTEM.getProcessCpuTime();
  }

  private static void quick(int buffers) {
    PlanOptions options = PlanOptions.defaults().effort(Effort.FAST).threads(1);
    long bounds = 0;
    for (int round = 0; round < 300; round++) {
      bounds += Stowage.plan(random(buffers, round, 125), options).lowerBound();
    }
    int rounds = 100;
    long begin = SYSTEM.getProcessCpuTime();
    for (int round = 0; round < rounds; round++) {
      bounds += Stowage.plan(random(buffers, 1_000 + round, 125), options).lowerBound();
    }
    System.out.printf(
        Locale.ROOT,
        "%,d buffers, effort fast, warm: %.1f ms of processor time a plan (mean bound %,d)%n",
        buffers,
        (SYSTEM.getProcessCpuTime() - begin) / 1e6 / rounds,
        bounds / (300 + rounds));
  }
}

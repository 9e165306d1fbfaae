package stowage.cli.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import stowage.PlanTask;
import stowage.Stowage;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.MemoryShortage;
import stowage.cli.terminal.UsageException;
import stowage.heuristic.NotPlannableException;
import stowage.importer.io.InputException;
import stowage.network.InvalidNetworkException;
import stowage.packing.InvalidProblemException;
import stowage.packing.Plan;
import stowage.packing.Threads;

/**
 * Requests in, answers out: {@code {"id", "problem" or "path", "options"}} is answered by exactly
 * one {@code {"id", "result"}} or {@code {"id", "error": {"code", "message"}}}, and {@code
 * {"cancel": id}} ends a run with its best plan so far. Runs take turns on a few workers; requests
 * that find too many waiting are refused, so that memory stays bounded.
 *
 * <p>Thread-safe. Lines are handed out one at a time.
 */
final class PlanServer {
  private static final int INTERNAL = 1;
  private static final int CANCELLED = 130;

  /** After so long without a run the heap is collected, so that it shrinks. */
  private static final long IDLE_SECONDS = 2;

  /** Bounds of what requests may take; {@code bytes} of all lines that wait or are being read. */
  record Limits(int jobs, int waiting, long bytes, int threads, Duration most) {}

  private final Limits limits;
  private final Consumer<String> out;
  private final ThreadPoolExecutor workers;
  private final ScheduledThreadPoolExecutor clock;
  private final Map<JsonNode, Job> open = new HashMap<>();
  private ScheduledFuture<?> collection;

  /** Answers that are being written, of requests that are not open any more. */
  private int answering;

  /** A server that gives answers to {@code out}, one line each without its end. */
  PlanServer(Limits limits, Consumer<String> out) {
    this.limits = limits;
    this.out = out;
    this.workers =
        new ThreadPoolExecutor(
            limits.jobs(),
            limits.jobs(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> Threads.of("stowage-serve", work));
    this.clock =
        new ScheduledThreadPoolExecutor(
            1,
            work -> Threads.of("stowage-idle", work),
            new ThreadPoolExecutor.DiscardPolicy()); // of the last answer, after finish()
    this.clock.setRemoveOnCancelPolicy(true);
  }

  /** Takes one line; returns before it is answered. */
  void accept(byte[] line) {
    Request.Head head;
    try {
      head = Request.Head.of(line);
    } catch (InputException wrong) {
      refuse(NullNode.instance, ExitCode.USAGE, wrong.getMessage());
      return;
    }
    if (head.cancel() != null && head.id() != null) {
      String why = "has the fields \"id\" and \"cancel\"; it should have one of them";
      refuse(head.id(), ExitCode.USAGE, "request: " + why);
    } else if (head.cancel() != null) {
      cancel(head.cancel());
    } else if (head.id() == null) {
      refuse(NullNode.instance, ExitCode.USAGE, "request: field \"id\" is missing");
    } else {
      begin(new Job(head.id(), line));
    }
  }

  private synchronized void begin(Job job) {
    if (open.containsKey(job.id)) {
      String why = "id " + job.id + " belongs to a request that is not answered yet";
      refuse(NullNode.instance, ExitCode.USAGE, why);
    } else if (isFull()) {
      refuse(job.id, ExitCode.NO_PLAN, limits.waiting() + " requests are waiting already");
    } else if (waitingBytes() + job.bytes > limits.bytes() && waitingBytes() > 0) {
      String why = "requests of " + waitingBytes() + " bytes are waiting already";
      refuse(job.id, ExitCode.NO_PLAN, why + "; this one has " + job.bytes + " more");
    } else {
      if (collection != null) {
        collection.cancel(false);
      }
      open.put(job.id, job);
      try {
        workers.execute(job);
      } catch (OutOfMemoryError noThread) {
        job.broken(noThread);
      }
    }
  }

  private long waitingBytes() {
    return open.values().stream().mapToLong(job -> job.bytes).sum();
  }

  boolean isFull() {
    return workers.getQueue().size() >= limits.waiting();
  }

  /** One that was answered already is passed over. */
  private void cancel(JsonNode id) {
    Job job;
    synchronized (this) {
      job = open.get(id);
    }
    if (job == null) {
      return;
    }
    if (workers.remove(job)) {
      job.fail(CANCELLED, "cancelled before the run began");
    } else {
      job.cancel();
    }
  }

  /** Answers a line that is not read as a request. */
  void refuse(JsonNode id, int code, String message) {
    say(id, "\"error\":{\"code\":" + code + ",\"message\":" + TextNode.valueOf(message) + "}");
  }

  private void refuse(JsonNode id, Throwable broken) {
    VirtualMachineError shortage = MemoryShortage.in(broken);
    if (shortage == null) {
      refuse(id, INTERNAL, "unexpected failure, please report it: " + broken);
    } else {
      refuse(id, ExitCode.BAD_INPUT, MemoryShortage.text(shortage));
    }
  }

  private void say(JsonNode id, String answer) {
    synchronized (out) {
      out.accept("{\"id\":" + withEscapes(id) + "," + answer + "}");
    }
  }

  /** An id as JSON; half a surrogate pair, which has no bytes of its own, is escaped. */
  private static String withEscapes(JsonNode id) {
    StringBuilder text = new StringBuilder();
    String json = id.toString();
    for (int k = 0; k < json.length(); k++) {
      char letter = json.charAt(k);
      boolean paired =
          Character.isHighSurrogate(letter)
              ? k + 1 < json.length() && Character.isLowSurrogate(json.charAt(k + 1))
              : k > 0 && Character.isHighSurrogate(json.charAt(k - 1));
      text.append(
          Character.isSurrogate(letter) && !paired
              ? String.format("\\u%04x", (int) letter)
              : letter);
    }
    return text.toString();
  }

  /** Waits until every request is answered; none may come afterwards. */
  void finish() {
    workers.shutdown();
    clock.shutdownNow();
    try {
      workers.awaitTermination(Long.MAX_VALUE, TimeUnit.SECONDS);
    } catch (InterruptedException asked) {
      stop();
      Thread.currentThread().interrupt();
    }
  }

  /** Cancels everything that is under way or waits. */
  void stop() {
    jobs().forEach(job -> cancel(job.id));
  }

  private synchronized List<Job> jobs() {
    return List.copyOf(open.values());
  }

  /** Whether a request's answer is not written yet. */
  synchronized boolean isBusy() {
    return !open.isEmpty() || answering > 0;
  }

  /** Answers what is still under way with its best plan so far. */
  void answerNow() {
    jobs().forEach(Job::answerNow);
  }

  /** Closes a request and writes its answer, unless another call does. */
  private void close(Job job, Runnable answer) {
    synchronized (this) {
      if (!open.remove(job.id, job)) {
        return;
      }
      answering++;
    }
    try {
      answer.run();
    } finally {
      synchronized (this) {
        answering--;
        if (!isBusy()) {
          collection = clock.schedule(System::gc, IDLE_SECONDS, TimeUnit.SECONDS);
        }
      }
    }
  }

  /** A request from its line to its answer. */
  private final class Job implements Runnable {
    private final JsonNode id;
    private byte[] line;
    private volatile long bytes;
    private boolean cancelled;
    private PlanTask task;

    Job(JsonNode id, byte[] line) {
      this.id = id;
      this.line = line;
      this.bytes = line.length;
    }

    @Override
    public void run() {
      try {
        Request request = Request.read(line, limits.threads(), limits.most());
        line = null;
        bytes = 0;
        PlanTask started = start(request);
        Plan plan = started.await(limits.most());
        if (!started.isDone()) {
          started.cancel();
          plan = started.await();
        }
        answer(plan);
      } catch (InputException | InvalidProblemException | InvalidNetworkException bad) {
        fail(ExitCode.BAD_INPUT, bad.getMessage());
      } catch (UsageException | IllegalArgumentException wrong) {
        fail(ExitCode.USAGE, wrong.getMessage());
      } catch (NotPlannableException refused) {
        fail(ExitCode.NO_PLAN, refused.getMessage());
      } catch (RuntimeException | Error broken) {
        broken(broken);
      }
    }

    private synchronized PlanTask start(Request request) {
      task = Stowage.submit(request.problem(), request.options());
      if (cancelled) {
        task.cancel();
      }
      return task;
    }

    synchronized void cancel() {
      cancelled = true;
      if (task != null) {
        task.cancel();
      }
    }

    private synchronized void answerNow() {
      if (task == null) {
        fail(CANCELLED, "cancelled before the run began");
      } else {
        answer(task.await(Duration.ZERO));
      }
    }

    private void answer(Plan plan) {
      String json = plan.toJson();
      close(this, () -> sayOrRefuse(json));
    }

    private void sayOrRefuse(String json) {
      try {
        say(id, "\"result\":" + json);
      } catch (Error broken) {
        refuse(id, broken);
      }
    }

    private void broken(Throwable failure) {
      close(this, () -> refuse(id, failure));
    }

    private void fail(int code, String message) {
      close(this, () -> refuse(id, code, message));
    }
  }
}

package stowage.report.plan;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.report.OpFacts;
import stowage.text.JsonWriter;

/**
 * A plan as a trace in Chrome's JSON format, which Perfetto's viewer and {@code chrome://tracing}
 * open: a step is a microsecond, a memory is a process, and a buffer a slice on one of its threads.
 *
 * <p>Slices of one thread must nest, which live ranges do not. So each buffer takes the lowest
 * thread that is free during its live range, those that start first before others: as many threads
 * as buffers are alive at once. Two counters a memory show the load and the highest end in use, and
 * ops of a network are slices of a process of their own. Steps before 0 are shifted; the first step
 * is written in {@code otherData}.
 *
 * <p>Source: the Trace Event Format's complete ({@code X}), counter ({@code C}) and metadata
 * ({@code M}) events, as the viewers of Chromium's catapult and Perfetto read them.
 */
public record PlanTrace(
    PackingProblem problem,
    Placement placement,
    List<List<String>> tensors,
    OpFacts ops,
    int firstStep,
    int lastStep) {

  private int start(int buffer) {
    return problem.buffer(buffer).holdsPlace() ? firstStep : problem.buffer(buffer).live().start();
  }

  private int end(int buffer) {
    return problem.buffer(buffer).holdsPlace() ? lastStep : problem.buffer(buffer).live().end();
  }

  /**
   * Writes a trace, with names of each buffer's tensors, empty where they are not known, and ops by
   * step, null for a list of buffers; the stream stays open. O(n log n) for n spans.
   */
  public static void write(
      PackingProblem problem,
      Placement placement,
      List<List<String>> tensors,
      OpFacts ops,
      OutputStream out)
      throws IOException {
    IntStream starts = problem.buffers().stream().mapToInt(buffer -> buffer.live().start());
    IntStream ends = problem.buffers().stream().mapToInt(buffer -> buffer.live().end());
    int first = Math.min(0, starts.min().orElse(0));
    int last = Math.max(1, ends.max().orElse(1));
    new PlanTrace(problem, placement, tensors, ops, first, last).write(out);
  }

  private void write(OutputStream out) throws IOException {
    JsonWriter.write(
        out,
        json -> {
          json.object().put("displayTimeUnit", "ns").object("otherData");
          json.put("problem", problem.name()).put("firstStep", String.valueOf(firstStep));
          json.put("unit", "one step is one microsecond; sizes are bytes").end();
          json.array("traceEvents");
          for (int m = 0; m < problem.memories().size(); m++) {
            writeMemory(json, m);
          }
          if (ops != null) {
            writeOps(json);
          }
          json.end().end();
        });
  }

  private void writeMemory(JsonWriter json, int memory) {
    int process = memory + 1;
    name(json, "process_name", process, 0, "memory " + problem.memories().get(memory).name());
    int[] buffers =
        IntStream.range(0, problem.size())
            .filter(i -> placement.memory(i) == memory && problem.buffer(i).needsMemory())
            .boxed()
            .sorted(
                Comparator.comparingInt((Integer i) -> start(i))
                    .thenComparingLong(i -> placement.offset(i)))
            .mapToInt(i -> i)
            .toArray();
    int[] threads = threads(buffers);
    for (int t = 1; t <= Arrays.stream(threads).max().orElse(0); t++) {
      name(json, "thread_name", process, t, "buffers " + t);
    }
    for (int k = 0; k < buffers.length; k++) {
      writeBuffer(json, process, threads[k], buffers[k]);
    }
    writeCounters(json, process, buffers);
  }

  /** The thread of each of some buffers that are sorted by start: the lowest free one. */
  private int[] threads(int[] buffers) {
    PriorityQueue<long[]> busy = new PriorityQueue<>(Comparator.comparingLong(entry -> entry[0]));
    PriorityQueue<Integer> free = new PriorityQueue<>();
    int[] threads = new int[buffers.length];
    int most = 0;
    for (int k = 0; k < buffers.length; k++) {
      while (!busy.isEmpty() && busy.peek()[0] <= start(buffers[k])) {
        free.add((int) busy.poll()[1]);
      }
      threads[k] = free.isEmpty() ? ++most : free.poll();
      busy.add(new long[] {end(buffers[k]), threads[k]});
    }
    return threads;
  }

  private void writeBuffer(JsonWriter json, int process, int thread, int index) {
    Buffer buffer = problem.buffer(index);
    json.object().put("name", buffer.id()).put("cat", "buffer").put("ph", "X");
    at(json, start(index), process, thread);
    json.put("dur", (long) end(index) - start(index)).object("args").put("size", buffer.size());
    json.put("offset", placement.offset(index)).put("end", placement.offset(index) + buffer.size());
    if (index < tensors.size() && !tensors.get(index).isEmpty()) {
      json.put("tensors", String.join(" ", tensors.get(index)));
    }
    json.end().end();
  }

  /** Load and highest end in use, at every step at which either changes. */
  private void writeCounters(JsonWriter json, int process, int[] buffers) {
    TreeMap<Integer, List<long[]>> changes = new TreeMap<>(); // bytes, and where they end
    for (int i : buffers) {
      for (Buffer.Span span : problem.buffer(i).spans()) {
        long bytes = span.high() - span.low();
        long end = placement.offset(i) + span.high();
        change(changes, Math.max(firstStep, span.start()), bytes, end);
        change(changes, Math.min(lastStep, span.end()), -bytes, end);
      }
    }
    TreeMap<Long, Integer> ends = new TreeMap<>();
    long load = 0;
    for (int step : changes.keySet()) {
      for (long[] change : changes.get(step)) {
        load += change[0];
        ends.merge(
            change[1], change[0] > 0 ? 1 : -1, (a, b) -> a + b == 0 ? null : (Integer) (a + b));
      }
      counter(json, process, step, "load", load);
      counter(json, process, step, "highest end", ends.isEmpty() ? 0 : ends.lastKey());
    }
  }

  private static void change(
      TreeMap<Integer, List<long[]>> changes, int step, long bytes, long end) {
    changes.computeIfAbsent(step, at -> new ArrayList<>()).add(new long[] {bytes, end});
  }

  private void counter(JsonWriter json, int process, int step, String name, long value) {
    json.object().put("name", name).put("ph", "C");
    at(json, step, process, 0);
    json.object("args").put("bytes", value).end().end();
  }

  private void writeOps(JsonWriter json) {
    int process = problem.memories().size() + 1;
    name(json, "process_name", process, 0, "ops");
    for (int step = 0; step < ops.names().size(); step++) {
      json.object().put("name", ops.names().get(step)).put("cat", ops.types().get(step));
      json.put("ph", "X");
      at(json, step, process, 1);
      json.put("dur", 1).object("args").put("type", ops.types().get(step)).end().end();
    }
  }

  private void at(JsonWriter json, long step, int process, int thread) {
    json.put("ts", step - firstStep).put("pid", process).put("tid", thread);
  }

  private static void name(JsonWriter json, String kind, int process, int thread, String name) {
    json.object().put("name", kind).put("ph", "M").put("pid", process).put("tid", thread);
    json.object("args").put("name", name).end().end();
  }
}

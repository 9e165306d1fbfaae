package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.liveness.LivenessOptions.Order;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * One run of a network on a real array of memory, laid out at random as a planning case allows.
 *
 * <p>An op runs from a start to an end. At its start it reads its operands and spoils the places of
 * its results and its scratch; at its end it must find its operands still whole, and writes its
 * results. Ops whose results are views do neither: what they would write must be there. In between
 * others run, as far as the order in question lets them.
 */
final class SimulatedRun {
  private static final long SPOILT = Long.MIN_VALUE;

  private final PlanningCase planning;
  private final Network network;
  private final Random random;
  private final Map<String, Long> address = new HashMap<>();
  private final Map<String, Integer> buffer = new HashMap<>();
  private final Map<String, long[]> truth = new HashMap<>();
  private final long[] offsets;
  private final long[] memory;

  SimulatedRun(PlanningCase planning, Random random) {
    this.planning = planning;
    this.network = planning.network();
    this.random = random;
    this.offsets = place(planning.problem(), random);
    long top = 0;
    for (int i = 0; i < offsets.length; i++) {
      top = Math.max(top, offsets[i] + planning.problem().buffer(i).size());
      for (PlanningCase.Part part : planning.contents().get(i).parts()) {
        address.put(part.tensor(), offsets[i] + part.offset());
        buffer.put(part.tensor(), i);
      }
    }
    this.memory = new long[(int) top];
    for (Tensor tensor : network.tensors().values()) {
      if (network.producer(tensor.name()) < 0) {
        long[] values = new long[(int) tensor.bytes()];
        Arrays.setAll(values, i -> mix(tensor.name().hashCode(), i));
        truth.put(tensor.name(), values);
      }
    }
    for (int index : network.executionOrder()) {
      compute(network.ops().get(index));
    }
  }

  /** First fit in a random order: dense, so that what may be shared is shared. */
  private static long[] place(PackingProblem problem, Random random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, problem.size()).boxed().toList());
    Collections.shuffle(order, random);
    long[] offsets = new long[problem.size()];
    List<Integer> placed = new ArrayList<>();
    for (int i : order) {
      Buffer buffer = problem.buffer(i);
      long at = 0;
      boolean moved = buffer.needsMemory();
      while (moved) {
        moved = false;
        for (int j : placed) {
          Buffer other = problem.buffer(j);
          boolean apart =
              !buffer.live().overlaps(other.live()) && !problem.conflicts().contains(i, j);
          long end = offsets[j] + other.size();
          if (!apart && at < end && offsets[j] < at + buffer.size()) {
            at = (end + buffer.alignment() - 1) / buffer.alignment() * buffer.alignment();
            moved = true;
          }
        }
      }
      offsets[i] = at;
      if (buffer.needsMemory()) {
        placed.add(i);
      }
    }
    return offsets;
  }

  private static long mix(long a, long b) {
    long mixed = (a * 0x9E3779B97F4A7C15L + b + 1) * 0xBF58476D1CE4E5B9L;
    return (mixed ^ mixed >>> 29) | 1;
  }

  /** What an op makes: of views the bytes viewed, of others numbers that no other tensor has. */
  private void compute(Op op) {
    Tensor first = network.tensor(op.inputs().get(0));
    long before = 0;
    for (String result : op.outputs()) {
      Tensor out = network.tensor(result);
      long[] values = new long[(int) out.bytes()];
      switch (op.type()) {
        case "Reshape" -> System.arraycopy(truth.get(first.name()), 0, values, 0, values.length);
        case "Slice" -> {
          int axis = op.integers("axes").get(0).intValue();
          cut(first, truth.get(first.name()), out, values, axis, op.integers("starts").get(0));
        }
        case "Split" -> {
          int axis = (int) op.integer("axis", 0);
          cut(first, truth.get(first.name()), out, values, axis, before);
          before += out.extent(axis);
        }
        case "Concat" -> {
          int axis = (int) op.integer("axis", 0);
          for (String operand : op.inputs()) {
            Tensor part = network.tensor(operand);
            paste(part, truth.get(operand), out, values, axis, before);
            before += part.extent(axis);
          }
        }
        default -> Arrays.setAll(values, i -> mix(result.hashCode(), i));
      }
      truth.put(result, values);
    }
  }

  private static void cut(Tensor from, long[] all, Tensor to, long[] part, int axis, long start) {
    forEach(to, (i, index) -> part[i] = all[position(from, index, axis, start)]);
  }

  private static void paste(Tensor from, long[] part, Tensor to, long[] all, int axis, long at) {
    forEach(from, (i, index) -> all[position(to, index, axis, at)] = part[i]);
  }

  private interface Element {
    void at(int position, long[] index);
  }

  private static void forEach(Tensor tensor, Element element) {
    for (int i = 0; i < tensor.elements(); i++) {
      long[] index = new long[tensor.rank()];
      long rest = i;
      for (int d = tensor.rank() - 1; d >= 0; d--) {
        index[d] = rest % tensor.extent(d);
        rest /= tensor.extent(d);
      }
      element.at(i, index);
    }
  }

  private static int position(Tensor tensor, long[] index, int axis, long shift) {
    long position = 0;
    for (int d = 0; d < tensor.rank(); d++) {
      position = position * tensor.extent(d) + index[d] + (d == axis ? shift : 0);
    }
    return (int) position;
  }

  /** Runs all ops; an {@link AssertionError} names what was not whole where it was read. */
  void go() {
    Arrays.fill(memory, SPOILT);
    for (Tensor tensor : network.tensors().values()) {
      boolean given =
          tensor.kind() == Tensor.Kind.VARIABLE || network.inputs().contains(tensor.name());
      if (given) {
        store(tensor.name());
      }
    }
    int[] order = planning.order();
    boolean[][] before = before(order);
    int[] state = new int[order.length];
    List<Integer> running = new ArrayList<>();
    int ended = 0;
    while (ended < order.length) {
      List<Integer> ready =
          IntStream.range(0, order.length)
              .filter(step -> state[step] == 0 && allEnded(before[step], state))
              .boxed()
              .toList();
      if (!ready.isEmpty() && (running.isEmpty() || random.nextBoolean())) {
        int step = ready.get(random.nextInt(ready.size()));
        start(network.ops().get(order[step]), step);
        state[step] = 1;
        running.add(step);
      } else {
        int step = running.remove(random.nextInt(running.size()));
        end(network.ops().get(order[step]));
        state[step] = 2;
        ended++;
      }
    }
    network.outputs().forEach(output -> check(output, "is an output after the run"));
    for (Tensor tensor : network.tensors().values()) {
      boolean kept =
          planning.options().inputs() == Inputs.KEEP && network.inputs().contains(tensor.name());
      if (kept || tensor.kind() == Tensor.Kind.VARIABLE) {
        check(tensor.name(), "is kept after the run");
      }
    }
  }

  /** Which steps must have ended before each starts: the test's own reading of the orders. */
  private boolean[][] before(int[] order) {
    int steps = order.length;
    boolean[][] before = new boolean[steps][steps];
    Precedence branches =
        planning.options().order() == Order.BRANCHES
            ? Precedence.of(network, order, planning.options())
            : null;
    for (int later = 0; later < steps; later++) {
      Op op = network.ops().get(order[later]);
      for (int earlier = 0; earlier < later; earlier++) {
        Op other = network.ops().get(order[earlier]);
        boolean flows = other.outputs().stream().anyMatch(op.inputs()::contains);
        before[later][earlier] =
            switch (planning.options().order()) {
              case IN_ORDER -> true;
              case OUT_OF_ORDER -> flows || sharesState(op, other);
              case BRANCHES -> flows || branches.precedes(earlier, later);
              case STREAMS -> flows || sharesState(op, other) || stream(op).equals(stream(other));
            };
      }
    }
    return before;
  }

  private String stream(Op op) {
    return planning.options().streams().get(op.name());
  }

  private static boolean sharesState(Op op, Op other) {
    return op.inputs().contains("state") && other.inputs().contains("state");
  }

  private static boolean allEnded(boolean[] before, int[] state) {
    return IntStream.range(0, before.length).allMatch(step -> !before[step] || state[step] == 2);
  }

  /** Whether two tensors have bytes in common. */
  private boolean sharesBytes(String one, String other) {
    return buffer.containsKey(one)
        && buffer.containsKey(other)
        && buffer.get(one).equals(buffer.get(other))
        && address.get(one) < address.get(other) + network.tensor(other).bytes()
        && address.get(other) < address.get(one) + network.tensor(one).bytes();
  }

  /** Whether a result is where operands are and is no new value. */
  private boolean isView(Op op, String result) {
    return !List.of("Relu", "Add", "Mul", "Conv").contains(op.type())
        && (isConstant(result)
            || op.presentInputs().stream().anyMatch(operand -> sharesBytes(operand, result)));
  }

  private boolean isConstant(String tensor) {
    return !buffer.containsKey(tensor) || planning.problem().buffer(buffer.get(tensor)).size() == 0;
  }

  private void start(Op op, int step) {
    op.presentInputs().forEach(operand -> check(operand, "is read by " + op.name()));
    for (String result : op.outputs()) {
      if (!isView(op, result)) {
        spoil(address.get(result), network.tensor(result).bytes());
      }
    }
    for (int i = 0; i < offsets.length; i++) {
      Buffer scratch = planning.problem().buffer(i);
      if (scratch.id().equals(op.name() + "#scratch")) {
        assertEquals(step, scratch.live().start());
        spoil(offsets[i], op.scratchBytes());
      }
    }
  }

  private void end(Op op) {
    for (String operand : op.presentInputs()) {
      boolean overwritten =
          op.outputs().stream()
              .anyMatch(result -> !isView(op, result) && sharesBytes(operand, result));
      if (!overwritten) {
        check(operand, "is still read by " + op.name());
      }
    }
    for (String result : op.outputs()) {
      if (isView(op, result)) {
        check(result, "is a view made by " + op.name());
      } else {
        store(result);
      }
    }
  }

  private void spoil(long from, long bytes) {
    Arrays.fill(memory, (int) from, (int) (from + bytes), SPOILT);
  }

  private void store(String tensor) {
    long[] values = truth.get(tensor);
    System.arraycopy(values, 0, memory, address.get(tensor).intValue(), values.length);
  }

  private void check(String tensor, String what) {
    if (isConstant(tensor)) {
      return;
    }
    long[] values = truth.get(tensor);
    int at = address.get(tensor).intValue();
    for (int i = 0; i < values.length; i++) {
      if (memory[at + i] != values[i]) {
        throw new AssertionError(tensor + " " + what + ", but byte " + i + " is not its own");
      }
    }
  }
}

package stowage.compiler.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.liveness.OpTraits;
import stowage.liveness.PlanningCase;
import stowage.network.Op;
import stowage.packing.Buffer;

/**
 * The ops of a case in execution order with the values they read and write, each value in a buffer.
 *
 * <p>From a network: every graph input is made by an op of its own before all others; scratch
 * memory is made by an op just before the op that uses it; graph outputs are read by a last op, the
 * return, and so is whatever the case keeps to the end although nothing reads it last. Weights and
 * values without bytes are left out. A tensor and its reshapes are values of their own in one
 * buffer; any other sharing, such as a concat's, makes one value of all tensors of the buffer. From
 * a list of buffers: an op at every step at which a buffer starts; it makes those that start there,
 * in file order, and a buffer is read by the last op before its end. One that ends before the next
 * op is a result that no op reads.
 */
public final class OpWalk {
  /** One op: values read, as often as they are read, and values written, in order. */
  public record Visit(String name, List<Integer> operands, List<Integer> results) {}

  private final List<String> names = new ArrayList<>();
  private final List<Integer> buffers = new ArrayList<>();
  private final List<Visit> visits = new ArrayList<>();
  private final Map<String, Integer> values = new HashMap<>();

  private OpWalk() {}

  public static OpWalk of(PlanningCase planningCase) {
    OpWalk walk = new OpWalk();
    if (planningCase.hasNetwork()) {
      walk.followNetwork(planningCase);
    } else {
      walk.followBuffers(planningCase);
    }
    return walk;
  }

  /** The ops in order. */
  public List<Visit> visits() {
    return visits;
  }

  public int values() {
    return names.size();
  }

  public String name(int value) {
    return names.get(value);
  }

  /** The buffer, by index in the problem, that a value is in. */
  public int buffer(int value) {
    return buffers.get(value);
  }

  private int value(String name, int buffer) {
    names.add(name);
    buffers.add(buffer);
    return names.size() - 1;
  }

  private void followNetwork(PlanningCase given) {
    for (int b = 0; b < given.contents().size(); b++) {
      List<PlanningCase.Part> parts = given.parts(b);
      boolean reshapes = reshapesAlone(given, parts);
      for (int k = 0; k < parts.size() && given.problem().buffer(b).needsMemory(); k++) {
        String tensor = parts.get(k).tensor();
        boolean own = k == 0 || reshapes;
        values.put(tensor, own ? value(tensor, b) : values.get(parts.get(0).tensor()));
      }
    }
    Set<String> made = new HashSet<>();
    for (String input : given.network().inputs()) {
      if (made.add(input)) {
        visits.add(new Visit(input, List.of(), known(List.of(input))));
      }
    }
    Map<Integer, List<Integer>> scratch = new HashMap<>();
    for (int b = 0; b < given.contents().size(); b++) {
      if (given.isScratch(b)) {
        Buffer buffer = given.problem().buffer(b);
        scratch
            .computeIfAbsent(buffer.live().start(), step -> new ArrayList<>())
            .add(value(buffer.id(), b));
      }
    }
    for (int step = 0; step < given.order().length; step++) {
      Op op = given.network().ops().get(given.order()[step]);
      List<Integer> operands = new ArrayList<>(known(op.presentInputs()));
      for (int own : scratch.getOrDefault(step, List.of())) {
        visits.add(new Visit(name(own), List.of(), List.of(own)));
        operands.add(own);
      }
      visits.add(new Visit(op.name(), operands, known(op.presentOutputs())));
    }
    visits.add(new Visit("return", returned(given), List.of()));
  }

  /** Whether what shares a buffer is its first tensor and reshapes of it. */
  private static boolean reshapesAlone(PlanningCase given, List<PlanningCase.Part> parts) {
    for (int k = 1; k < parts.size(); k++) {
      int producer = given.network().producer(parts.get(k).tensor());
      if (producer < 0
          || parts.get(k).offset() != 0
          || OpTraits.of(given.network().ops().get(producer)) != OpTraits.RESHAPE_LIKE) {
        return false;
      }
    }
    return true;
  }

  private List<Integer> known(List<String> tensors) {
    return tensors.stream().map(values::get).filter(Objects::nonNull).toList();
  }

  private List<Integer> returned(PlanningCase given) {
    List<Integer> operands = new ArrayList<>(known(given.network().outputs()));
    Set<Integer> held = new HashSet<>();
    operands.forEach(value -> held.add(buffers.get(value)));
    int last = given.problem().buffers().stream().mapToInt(b -> b.live().end()).max().orElse(0);
    for (int b = 0; b < given.contents().size(); b++) {
      List<PlanningCase.Part> parts = given.parts(b);
      if (!parts.isEmpty()
          && !held.contains(b)
          && given.problem().buffer(b).live().end() == last
          && !readLast(given, parts, last)) {
        operands.addAll(known(List.of(parts.get(0).tensor())));
      }
    }
    return operands;
  }

  /**
   * Whether the last op reads or makes any of the tensors, which explains a live range to the end.
   */
  private static boolean readLast(PlanningCase given, List<PlanningCase.Part> parts, int last) {
    if (last < 1 || last > given.order().length) {
      return false;
    }
    Op op = given.network().ops().get(given.order()[last - 1]);
    return parts.stream()
        .anyMatch(
            part -> op.inputs().contains(part.tensor()) || op.outputs().contains(part.tensor()));
  }

  private void followBuffers(PlanningCase given) {
    int count = given.problem().size();
    List<Integer> used =
        IntStream.range(0, count)
            .filter(b -> given.problem().buffer(b).needsMemory())
            .mapToObj(b -> value(given.problem().buffer(b).id(), b))
            .toList();
    int[] steps = used.stream().mapToInt(v -> start(given, v)).sorted().distinct().toArray();
    List<List<Integer>> operands =
        Stream.<List<Integer>>generate(ArrayList::new).limit(steps.length).toList();
    List<List<Integer>> results =
        Stream.<List<Integer>>generate(ArrayList::new).limit(steps.length).toList();
    for (int value : used) {
      int made = Arrays.binarySearch(steps, start(given, value));
      int over = Arrays.binarySearch(steps, end(given, value));
      int read = (over >= 0 ? over : -over - 1) - 1;
      results.get(made).add(value);
      if (read > made) {
        operands.get(read).add(value);
      }
    }
    for (int k = 0; k < steps.length; k++) {
      visits.add(new Visit("step " + steps[k], operands.get(k), results.get(k)));
    }
  }

  private int start(PlanningCase given, int value) {
    return given.problem().buffer(buffers.get(value)).live().start();
  }

  private int end(PlanningCase given, int value) {
    return given.problem().buffer(buffers.get(value)).live().end();
  }
}

package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.liveness.PlanningCase;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.network.memory.MemoryMap;
import stowage.packing.Buffer;
import stowage.rewrite.MacCount;

/**
 * Residency of a network's buffers in the fast memories of a map, at a fixed order.
 *
 * <p>At each event a buffer is in a fast memory or the op reads and writes it in its home, for the
 * price of that access. Between two events that follow each other it is kept where it is, or
 * leaves: then it is written to a memory further out where that does not hold its value, and
 * fetched for the next event. Prices are bytes moved, or nanoseconds.
 *
 * @param ops in order
 * @param byTime whether prices are nanoseconds instead of bytes
 */
public record ResidencyProblem(
    MemoryMap map, List<Step> ops, List<HeldBuffer> items, boolean byTime) {

  /**
   * An op at its place in the order.
   *
   * @param memory number of the memory that it computes from
   * @param only whether it can use buffers there alone
   * @param computeNanos how long it computes; its accesses run meanwhile
   */
  public record Step(String name, int memory, boolean only, long computeNanos) {}

  public ResidencyProblem {
    ops = List.copyOf(ops);
    items = List.copyOf(items);
  }

  public int steps() {
    return ops.size();
  }

  /** The same with another capacity of the innermost memory. */
  public ResidencyProblem withFastCapacity(long bytes) {
    return new ResidencyProblem(map.withFastCapacity(bytes), ops, items, byTime);
  }

  /** From a network in a fixed order, where all rules of the map can be kept. */
  public static ResidencyProblem of(PlanningCase planned, MemoryMap map, boolean byTime) {
    Network network = planned.network();
    List<Step> ops = new ArrayList<>();
    for (int index : planned.order()) {
      Op op = network.ops().get(index);
      MemoryMap.Compute rule = map.computeOf(op.name(), op.type());
      long nanos = rule.nanoseconds(MacCount.of(network, op), bytes(network, op));
      ops.add(new Step(op.name(), rule.memory(), rule.only(), nanos));
    }
    List<HeldBuffer> items = new ArrayList<>();
    Map<String, Integer> carrier = new HashMap<>();
    for (int b = 0; b < planned.contents().size(); b++) {
      for (PlanningCase.Part part : planned.contents().get(b).parts()) {
        carrier.put(part.tensor(), b);
      }
    }
    Map<String, String> parts = partsOfWeights(planned, carrier);
    List<TreeMap<Integer, long[]>> uses = uses(planned, carrier, parts);
    Set<String> atStart = new HashSet<>(network.inputs());
    Set<String> atEnd = new HashSet<>(network.outputs());
    if (planned.options().inputs() == LivenessOptions.Inputs.KEEP) {
      atEnd.addAll(network.inputs());
    }
    for (Tensor tensor : network.tensors().values()) {
      if (tensor.kind() == Tensor.Kind.VARIABLE) {
        atStart.add(tensor.name());
        atEnd.add(tensor.name());
      }
    }
    for (int b = 0; b < planned.contents().size(); b++) {
      Buffer buffer = planned.problem().buffer(b);
      List<PlanningCase.Part> carried = planned.contents().get(b).parts();
      if (buffer.size() == 0) {
        continue;
      }
      MemoryMap.Kind kind = carried.isEmpty() ? MemoryMap.Kind.SCRATCH : MemoryMap.Kind.ACTIVATIONS;
      TreeMap<Integer, long[]> at = uses.get(b);
      if (carried.isEmpty()) {
        at.put(buffer.live().start(), new long[] {buffer.size(), buffer.size()});
      }
      boolean given = carried.stream().anyMatch(part -> atStart.contains(part.tensor()));
      boolean wanted = carried.stream().anyMatch(part -> atEnd.contains(part.tensor()));
      String op = at.isEmpty() || given ? null : ops.get(at.firstKey()).name();
      items.add(item(buffer.id(), buffer.size(), kind, op, given, wanted, at, ops.size(), map));
    }
    addWeights(planned, map, parts, items);
    items.removeIf(item -> item.events().isEmpty());
    ResidencyProblem problem = new ResidencyProblem(map, ops, items, byTime);
    problem.checkReach();
    problem.checkTime();
    return problem;
  }

  /** Bytes of all operands and results, each once. */
  private static long bytes(Network network, Op op) {
    return Stream.concat(op.presentInputs().stream(), op.presentOutputs().stream())
        .distinct()
        .mapToLong(name -> network.tensor(name).bytes())
        .sum();
  }

  /** The weight that each tensor is a part of which takes no bytes of its own. */
  private static Map<String, String> partsOfWeights(
      PlanningCase planned, Map<String, Integer> carrier) {
    Map<String, String> parts = new HashMap<>();
    for (int index : planned.order()) {
      Op op = planned.network().ops().get(index);
      for (String made : op.presentOutputs()) {
        Integer b = carrier.get(made);
        if (b != null
            && planned.problem().buffer(b).size() == 0
            && planned.network().tensor(made).bytes() > 0) {
          for (String read : op.presentInputs()) {
            String weight = parts.getOrDefault(read, read);
            if (planned.network().tensor(weight).isWeight()) {
              parts.putIfAbsent(made, weight);
            }
          }
        }
      }
    }
    return parts;
  }

  /** What each op reads and writes of each buffer; ops that only rename bytes move none. */
  private static List<TreeMap<Integer, long[]>> uses(
      PlanningCase planned, Map<String, Integer> carrier, Map<String, String> parts) {
    List<TreeMap<Integer, long[]>> uses = new ArrayList<>();
    for (int b = 0; b < planned.contents().size(); b++) {
      uses.add(new TreeMap<>());
    }
    for (int t = 0; t < planned.order().length; t++) {
      Op op = planned.network().ops().get(planned.order()[t]);
      Set<Integer> made = new HashSet<>();
      op.presentOutputs().forEach(name -> made.add(carrier.getOrDefault(name, -1)));
      boolean renames =
          op.presentOutputs().stream().anyMatch(parts::containsKey)
              || OpTraits.of(op) == OpTraits.RESHAPE_LIKE
                  && op.presentInputs().stream()
                      .anyMatch(name -> made.contains(carrier.getOrDefault(name, -2)));
      if (renames) {
        continue;
      }
      for (int way = 0; way < 2; way++) { // bytes read, bytes written
        for (String name : way == 0 ? Set.copyOf(op.presentInputs()) : op.presentOutputs()) {
          Integer b = carrier.get(name);
          if (b != null) {
            uses.get(b).computeIfAbsent(t, key -> new long[2])[way] +=
                planned.network().tensor(name).bytes();
          }
        }
      }
    }
    return uses;
  }

  private static void addWeights(
      PlanningCase planned, MemoryMap map, Map<String, String> parts, List<HeldBuffer> items) {
    Map<String, TreeMap<Integer, long[]>> uses = new LinkedHashMap<>();
    for (int t = 0; t < planned.order().length; t++) {
      Op op = planned.network().ops().get(planned.order()[t]);
      if (op.presentOutputs().stream().anyMatch(parts::containsKey)) {
        continue;
      }
      for (String name : new LinkedHashSet<>(op.presentInputs())) {
        String weight = parts.getOrDefault(name, name);
        Tensor tensor = planned.network().tensor(weight);
        if (tensor.isWeight() && tensor.bytes() > 0) {
          uses.computeIfAbsent(weight, key -> new TreeMap<>())
                  .computeIfAbsent(t, key -> new long[2])[0] +=
              planned.network().tensor(name).bytes();
        }
      }
    }
    uses.forEach(
        (name, at) ->
            items.add(
                item(
                    name,
                    planned.network().tensor(name).bytes(),
                    MemoryMap.Kind.WEIGHTS,
                    null,
                    true,
                    false,
                    at,
                    planned.order().length,
                    map)));
  }

  private static HeldBuffer item(
      String id,
      long size,
      MemoryMap.Kind kind,
      String op,
      boolean given,
      boolean wanted,
      TreeMap<Integer, long[]> at,
      int steps,
      MemoryMap map) {
    int home = home(map, kind, op);
    if (at.isEmpty() && (given || wanted) && steps > 0) { // no op uses it
      at.put(0, new long[2]);
    }
    if (home < map.fastCount() && given) { // it is in the fast memory from the start to the end
      at.putIfAbsent(0, new long[2]);
      at.putIfAbsent(steps - 1, new long[2]);
    }
    List<HeldBuffer.Event> events = new ArrayList<>();
    at.forEach((step, bytes) -> events.add(new HeldBuffer.Event(step, bytes[0], bytes[1])));
    if (!map.space(home).writable()
        && (wanted || events.stream().anyMatch(e -> e.writtenBytes() > 0))) {
      throw new InvalidNetworkException(
          "a rule gives buffer \"%s\" the home \"%s\", which is read only, but an op writes it",
          id, map.space(home).name());
    }
    long unit = map.fastSpaces().stream().mapToLong(MemoryMap.Space::alignment).max().orElse(1);
    return new HeldBuffer(id, (size + unit - 1) / unit * unit, kind, home, given, wanted, events);
  }

  private static int home(MemoryMap map, MemoryMap.Kind kind, String op) {
    for (MemoryMap.Rule rule : map.rules()) {
      if ((rule.kind() == null || rule.kind() == kind)
          && (rule.op() == null || rule.op().equals(op) && kind != MemoryMap.Kind.WEIGHTS)) {
        return map.indexOf(rule.memory());
      }
    }
    for (int m = map.fastCount(); m < map.count(); m++) {
      if (map.space(m).writable()) {
        return m;
      }
    }
    throw new InvalidNetworkException("no memory is writable");
  }

  /** Checks that each op can use its buffers in the memory that it computes from alone. */
  private void checkReach() {
    for (HeldBuffer item : items) {
      for (HeldBuffer.Event event : item.events()) {
        int from = onlyAccess(item, event);
        if (from >= 0 && from != item.home() && from >= levels(item)) {
          String op = ops.get(event.step()).name();
          throw new InvalidNetworkException(
              "op \"%s\" computes from \"%s\" alone, but its buffer \"%s\" has its home in \"%s\""
                  + " and cannot come there",
              op, map.space(from).name(), item.id(), map.space(item.home()).name());
        }
      }
    }
  }

  /** Checks that no plan takes so long that times are beyond a long. */
  private void checkTime() {
    double sum = ops.stream().mapToDouble(Step::computeNanos).sum();
    for (HeldBuffer item : items) {
      long slowest = 0;
      for (int m = 0; m < map.count(); m++) {
        slowest = Math.max(slowest, map.space(m).nanoseconds(item.bytes()));
      }
      for (MemoryMap.Link link : map.links()) {
        slowest = Math.max(slowest, link.nanoseconds(item.bytes()));
      }
      sum += 2.0 * map.count() * slowest * item.events().size();
    }
    if (sum >= MemoryMap.MOST_NANOSECONDS) {
      throw new InvalidNetworkException(
          "the network may take %s nanoseconds or more with the memory map \"%s\", the most that"
              + " is planned; its figures should be faster",
          MemoryMap.MOST_NANOSECONDS, map.name());
    }
  }

  /** How many fast memories a buffer can come to: those inside its home. */
  public int levels(HeldBuffer item) {
    return Math.min(item.home(), map.fastCount());
  }

  /** Number of the one memory where an op can use a buffer; -1 if it can anywhere, or does not. */
  public int onlyAccess(HeldBuffer item, HeldBuffer.Event event) {
    Step op = ops.get(event.step());
    boolean bound = op.only() || map.mustBeFast().contains(item.kind());
    return bound && event.isUse() ? op.memory() : -1;
  }

  /**
   * Whether a buffer has to be in the innermost memory at an event, but not for its whole live
   * range.
   */
  public boolean isForced(HeldBuffer item, int event) {
    return item.home() > 0 && onlyAccess(item, item.events().get(event)) == 0;
  }

  /** Whether a buffer has to be in the innermost memory at one of its events or throughout. */
  public boolean isForced(HeldBuffer item) {
    return item.home() == 0
        || IntStream.range(0, item.events().size()).anyMatch(e -> isForced(item, e));
  }

  /**
   * Bytes at each step of a memory that buffers have there for their whole live range by a rule.
   */
  public long[] pinned(int memory) {
    long[] loads = new long[steps()];
    for (HeldBuffer item : items) {
      for (int t = item.homeFrom(); item.home() == memory && t < item.homeTo(steps()); t++) {
        loads[t] += item.bytes();
      }
    }
    return loads;
  }

  /**
   * Why no plan can fit.
   *
   * @param op the op at which it cannot; null where it is no single one
   * @param space the memory that is too small; null where it is no single one
   * @param buffers what has to be there together
   * @param irreducible whether it was shown that the rest fits where any one of them is left out
   */
  public record Misfit(
      String op, MemoryMap.Space space, List<String> buffers, boolean irreducible) {}

  /**
   * What cannot fit together: in a fast memory because it is pinned or has to be used there, or in
   * a home because it is an input, a weight or an output, or too large to be anywhere else; null
   * where there is nothing such. O(memories * (steps + events)).
   */
  public Misfit misfit() {
    for (int m = 0; m < map.count(); m++) {
      long[] least = leastLoads(m);
      for (int t = 0; t < steps(); t++) {
        if (least[t] > map.space(m).capacity()) {
          int memory = m;
          int step = t;
          List<HeldBuffer> there = new ArrayList<>(items);
          there.removeIf(item -> !hasToBeIn(item, memory, step));
          return irreducible(m, t, there, least[t]);
        }
      }
    }
    AccessTable table = new AccessTable(this);
    for (int i = 0; i < items.size(); i++) {
      HeldBuffer item = items.get(i);
      if (table.cheapest(i, (e, use) -> 0) == null) { // no way through the links and capacities
        return new Misfit(ops.get(item.first()).name(), map.fast(), List.of(item.label()), true);
      }
    }
    return null;
  }

  /** Bytes at each step of the buffers that have to be in a memory. */
  private long[] leastLoads(int memory) {
    long[] loads = new long[steps() + 1];
    for (HeldBuffer item : items) {
      if (memory == item.home()) {
        if (staysAtHome(item)) {
          loads[item.homeFrom()] += item.bytes();
          loads[item.homeTo(steps())] -= item.bytes();
        }
        continue;
      }
      item.events().stream()
          .filter(event -> onlyAccess(item, event) == memory)
          .mapToInt(HeldBuffer.Event::step)
          .distinct()
          .forEach(
              step -> {
                loads[step] += item.bytes();
                loads[step + 1] -= item.bytes();
              });
    }
    Arrays.parallelPrefix(loads, Long::sum);
    return loads;
  }

  private boolean hasToBeIn(HeldBuffer item, int memory, int step) {
    return memory == item.home()
        ? step >= item.homeFrom() && step < item.homeTo(steps()) && staysAtHome(item)
        : item.events().stream()
            .anyMatch(event -> event.step() == step && onlyAccess(item, event) == memory);
  }

  private boolean staysAtHome(HeldBuffer item) {
    return item.given()
        || item.wanted()
        || IntStream.range(0, levels(item)).allMatch(m -> item.bytes() > map.space(m).capacity());
  }

  private Misfit irreducible(int memory, int step, List<HeldBuffer> there, long sum) {
    there.sort((x, y) -> Long.compare(y.bytes(), x.bytes()));
    long left = sum;
    for (int k = there.size() - 1; k >= 0; k--) {
      if (left - there.get(k).bytes() > map.space(memory).capacity()) {
        left -= there.remove(k).bytes();
      }
    }
    List<String> names = there.stream().map(HeldBuffer::label).toList();
    return new Misfit(ops.get(step).name(), map.space(memory), names, true);
  }

  /** Arrays of the shape of the buffers' events, all false. */
  public boolean[][] none() {
    return items.stream().map(item -> new boolean[item.events().size()]).toArray(boolean[][]::new);
  }
}

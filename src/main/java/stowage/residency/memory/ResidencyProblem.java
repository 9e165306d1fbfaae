package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import stowage.liveness.OpTraits;
import stowage.liveness.PlanningCase;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.network.memory.MemoryMap;
import stowage.packing.Buffer;

/**
 * Residency of a network's buffers in the fast memory of a map, at a fixed order.
 *
 * <p>At each event a buffer is in the fast memory or the op reads and writes it in its home, for
 * the price of that access. A buffer in the fast memory at two events that follow each other is
 * kept between them, or leaves: then it is written back where its home does not hold its value, and
 * fetched for the next event. Prices are bytes moved, or nanoseconds.
 *
 * @param map the memories
 * @param steps ops in order
 * @param stepNames the names of the ops
 * @param items the buffers
 * @param byTime whether prices are nanoseconds instead of bytes
 */
public record ResidencyProblem(
    MemoryMap map, int steps, List<String> stepNames, List<Item> items, boolean byTime) {

  /**
   * From a network in a fixed order.
   *
   * @throws InvalidNetworkException where a rule names an op that the network does not have
   */
  public static ResidencyProblem of(PlanningCase planned, MemoryMap map, boolean byTime) {
    Network network = planned.network();
    Map<String, Integer> stepOf = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (int t = 0; t < planned.order().length; t++) {
      names.add(network.ops().get(planned.order()[t]).name());
      stepOf.put(names.get(t), t);
    }
    for (MemoryMap.Rule rule : map.rules()) {
      if (rule.op() != null && !stepOf.containsKey(rule.op())) {
        throw new InvalidNetworkException(
            "a rule of the memory map names the op \"" + rule.op() + "\", which is not there");
      }
    }
    List<Item> items = new ArrayList<>();
    Map<String, Integer> carrier = new HashMap<>();
    for (int b = 0; b < planned.contents().size(); b++) {
      for (PlanningCase.Part part : planned.contents().get(b).parts()) {
        carrier.put(part.tensor(), b);
      }
    }
    Map<String, String> parts = partsOfWeights(planned, carrier);
    List<TreeMap<Integer, long[]>> uses = uses(planned, carrier, parts);
    Set<String> inputs = new HashSet<>(network.inputs());
    Set<String> outputs = new HashSet<>(network.outputs());
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
      boolean given = carried.stream().anyMatch(part -> inputs.contains(part.tensor()));
      boolean wanted = carried.stream().anyMatch(part -> outputs.contains(part.tensor()));
      String op = at.isEmpty() || given ? null : names.get(at.firstKey());
      items.add(item(buffer.id(), buffer.size(), kind, op, given, wanted, at, names.size(), map));
    }
    addWeights(planned, map, parts, items);
    return new ResidencyProblem(map, planned.order().length, names, items, byTime);
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
      for (String name : Set.copyOf(op.presentInputs())) {
        Integer b = carrier.get(name);
        if (b != null) {
          uses.get(b).computeIfAbsent(t, key -> new long[2])[0] +=
              planned.network().tensor(name).bytes();
        }
      }
      for (String name : op.presentOutputs()) {
        Integer b = carrier.get(name);
        if (b != null) {
          uses.get(b).computeIfAbsent(t, key -> new long[2])[1] +=
              planned.network().tensor(name).bytes();
        }
      }
    }
    return uses;
  }

  private static void addWeights(
      PlanningCase planned, MemoryMap map, Map<String, String> parts, List<Item> items) {
    Map<String, TreeMap<Integer, long[]>> uses = new LinkedHashMap<>();
    for (int t = 0; t < planned.order().length; t++) {
      Op op = planned.network().ops().get(planned.order()[t]);
      if (op.presentOutputs().stream().anyMatch(parts::containsKey)) {
        continue;
      }
      for (String name : Set.copyOf(op.presentInputs())) {
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

  private static Item item(
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
    if (home < 0 && given) { // it is in the fast memory from the start to the end
      at.putIfAbsent(0, new long[2]);
      at.putIfAbsent(steps - 1, new long[2]);
    }
    List<Item.Event> events = new ArrayList<>();
    at.forEach((step, bytes) -> events.add(new Item.Event(step, bytes[0], bytes[1])));
    long unit = map.fast().alignment();
    return new Item(id, (size + unit - 1) / unit * unit, kind, home, given, wanted, events);
  }

  private static int home(MemoryMap map, MemoryMap.Kind kind, String op) {
    for (MemoryMap.Rule rule : map.rules()) {
      if ((rule.kind() == null || rule.kind() == kind)
          && (rule.op() == null || rule.op().equals(op) && kind != MemoryMap.Kind.WEIGHTS)) {
        for (int h = 0; h < map.homes().size(); h++) {
          if (map.homes().get(h).name().equals(rule.memory())) {
            return h;
          }
        }
        return -1;
      }
    }
    for (int h = 0; h < map.homes().size(); h++) {
      if (map.homes().get(h).writable()) {
        return h;
      }
    }
    throw new InvalidNetworkException("no memory is writable");
  }

  /** Whether a buffer has to be in the fast memory at its events. */
  public boolean mustBeFast(Item item) {
    return item.home() < 0 || map.mustBeFast().contains(item.kind());
  }

  private MemoryMap.Space home(Item item) {
    return map.homes().get(Math.max(0, item.home()));
  }

  /** The price of an event in the buffer's home. */
  public long slowPrice(Item item, int event) {
    Item.Event use = item.events().get(event);
    MemoryMap.Space home = home(item);
    if (byTime) {
      return home.nanoseconds(use.readBytes())
          + home.nanoseconds(use.writtenBytes())
          - fastNanoseconds(use);
    }
    return use.readBytes() + use.writtenBytes();
  }

  private long fastNanoseconds(Item.Event use) {
    return map.fast().nanoseconds(use.readBytes()) + map.fast().nanoseconds(use.writtenBytes());
  }

  /** The price of moving a buffer in or out. */
  public long movePrice(Item item) {
    return byTime ? home(item).nanoseconds(item.bytes()) : home(item).moved(item.bytes());
  }

  /**
   * The price of a choice, or -1 where it breaks a rule; capacity is not looked at.
   *
   * @param fast for each item and event, whether the buffer is in the fast memory
   * @param kept for each item and gap between events, whether it stays there
   */
  public long price(boolean[][] fast, boolean[][] kept) {
    long price = 0;
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      boolean stale = false;
      for (int e = 0; e < item.events().size(); e++) {
        boolean before = e > 0 && kept[i][e - 1];
        boolean after = e + 1 < item.events().size() && kept[i][e];
        boolean last = e + 1 == item.events().size();
        if ((before || after) && !fast[i][e] || mustBeFast(item) && !fast[i][e]) {
          return -1;
        }
        boolean moved = fast[i][e] && !before && (e > 0 || item.given() && item.home() >= 0);
        if (!fast[i][e]) {
          price += slowPrice(item, e);
          stale = false;
        } else {
          price += moved ? movePrice(item) : 0;
          stale = before && stale || item.events().get(e).writtenBytes() > 0;
        }
        boolean back = stale && !after && (!last || item.wanted());
        price += back ? movePrice(item) : 0;
        if ((moved || back) && item.home() < 0) {
          return -1;
        }
        stale &= after;
      }
    }
    return price;
  }

  /** Bytes of the fast memory in use at each step. */
  public long[] loads(boolean[][] fast, boolean[][] kept) {
    long[] loads = new long[steps];
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      for (int e = 0; e < item.events().size(); e++) {
        int step = item.events().get(e).step();
        loads[step] += fast[i][e] ? item.bytes() : 0;
        if (e + 1 < item.events().size() && kept[i][e]) {
          for (int t = step + 1; t < item.events().get(e + 1).step(); t++) {
            loads[t] += item.bytes();
          }
        }
      }
    }
    return loads;
  }

  /**
   * Why no plan can fit.
   *
   * @param op the op at which it cannot
   * @param space the memory that is too small
   * @param buffers an irreducible set that has to be there together: without any one the others fit
   */
  public record Misfit(String op, MemoryMap.Space space, List<String> buffers) {}

  /**
   * What cannot fit together, in the fast memory because it has to be used there, or in a home
   * because it is an input, a weight or an output, or too large to be anywhere else; null where
   * there is nothing such. O(items * steps).
   */
  public Misfit misfit() {
    Misfit found = misfit(map.fast(), items.stream().filter(this::mustBeFast).toList(), false);
    for (int h = 0; found == null && h < map.homes().size(); h++) {
      int home = h;
      found =
          misfit(
              map.homes().get(h),
              items.stream()
                  .filter(
                      item ->
                          item.home() == home
                              && (item.given()
                                  || item.wanted()
                                  || item.bytes() > map.fast().capacity()))
                  .toList(),
              true);
    }
    return found;
  }

  private boolean isThere(Item item, int step, boolean home) {
    if (!home) {
      return item.events().stream().anyMatch(event -> event.step() == step);
    }
    int from = item.given() ? 0 : item.events().get(0).step();
    int last = item.events().get(item.events().size() - 1).step();
    boolean weight = item.kind() == MemoryMap.Kind.WEIGHTS;
    return from <= step && step <= (item.wanted() || weight ? steps - 1 : last);
  }

  private Misfit misfit(MemoryMap.Space space, List<Item> needed, boolean home) {
    for (int t = 0; t < steps; t++) {
      int step = t;
      List<Item> there =
          new ArrayList<>(
              needed.stream()
                  .filter(item -> isThere(item, step, home))
                  .sorted((x, y) -> Long.compare(y.bytes(), x.bytes()))
                  .toList());
      long sum = there.stream().mapToLong(Item::bytes).sum();
      if (sum > space.capacity()) {
        for (int k = there.size() - 1; k >= 0; k--) {
          if (sum - there.get(k).bytes() > space.capacity()) {
            sum -= there.remove(k).bytes();
          }
        }
        return new Misfit(
            stepNames.get(t),
            space,
            there.stream().map(item -> item.id() + " (" + item.bytes() + ")").toList());
      }
    }
    return null;
  }

  /** Arrays of the shape of a choice, all false. */
  public boolean[][] none() {
    boolean[][] none = new boolean[items.size()][];
    Arrays.setAll(none, i -> new boolean[items.get(i).events().size()]);
    return none;
  }
}

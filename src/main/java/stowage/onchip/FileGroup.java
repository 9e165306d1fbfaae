package stowage.onchip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.network.CompiledNetwork;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.CompiledNetwork.Kind;
import stowage.network.CompiledNetwork.Part;
import stowage.network.InvalidNetworkException;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Slice;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemVerifier;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.LmemBuilder;
import stowage.onchip.schedule.TimeTable;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;

/**
 * A group as another compiler runs it, in our terms: our slices for its slice counts, its steps,
 * and its addresses as a placement of our buffers.
 */
public final class FileGroup {
  private final GroupModel group;
  private final SlicedGroup sliced;
  private final TimeTable table;
  private final boolean[] heldInputs;
  private final boolean[] heldWeights;
  private final LmemProblem problem;
  private final LmemPlacement placement;
  private final List<String> differences;
  private final CompiledGroup compiled;
  private final LmemBuilder.Built built;
  private final Map<String, Integer> activations;
  private final Map<String, Integer> weights;

  private FileGroup(LayerGraph graph, CompiledGroup compiled) throws SlicingException {
    this.compiled = compiled;
    int[] members = compiled.members().stream().mapToInt(Integer::intValue).sorted().toArray();
    this.group = new GroupModel(graph, members);
    Layer obstacle = group.obstacle();
    if (obstacle != null) {
      throw new SlicingException(
          "op \"" + obstacle.op().name() + "\" is in a group of the file: " + obstacle.obstacle());
    }
    List<Integer> secs = compiled.slices();
    Slicing slicing = new Slicing(secs.get(0), secs.get(1), secs.get(2), secs.get(3), secs.get(4));
    this.sliced = new BackwardSlicer(BackwardSlicer.Rules.TODAY).slice(group, slicing);
    this.activations = new HashMap<>();
    for (int t = 0; t < group.tensorCount(); t++) {
      activations.put(graph.tensor(group.tensor(t)).name(), t);
    }
    this.weights = new HashMap<>();
    for (int w = 0; w < group.weightCount(); w++) {
      weights.put(graph.tensor(group.weight(w).tensor()).name(), w);
    }
    this.table = table(compiled, members, activations, weights);
    this.heldInputs = new boolean[group.tensorCount()];
    this.heldWeights = new boolean[group.weightCount()];
    Arrays.fill(heldWeights, slicing.isCut() && heldBytes() < graph.chip().laneBytes());
    long[] scratch = new long[members.length];
    for (Event event : compiled.events()) {
      if (event.kind() == Kind.COMPUTE) {
        scratch[Arrays.binarySearch(members, event.op())] = event.scratchSize();
      }
    }
    this.built = LmemBuilder.built(sliced, table, heldInputs, heldWeights, scratch);
    this.problem = built.problem();
    this.differences = new ArrayList<>();
    this.placement = placement(compiled, members, activations, weights, built);
  }

  /**
   * A group of a compiled network.
   *
   * @param graph of the compiled network
   * @throws SlicingException when our rules do not know an op of it, or cannot cut it that way
   * @throws InvalidNetworkException when its steps do not make a group
   */
  public static FileGroup of(LayerGraph graph, CompiledGroup compiled) throws SlicingException {
    return new FileGroup(graph, compiled);
  }

  private long heldBytes() {
    long sum = 0;
    for (int w = 0; w < group.weightCount(); w++) {
      sum += sliced.weightLaneBytes(w);
    }
    return sum;
  }

  private TimeTable table(
      CompiledGroup compiled,
      int[] members,
      Map<String, Integer> activations,
      Map<String, Integer> weights) {
    int[] opRows = new int[members.length];
    int opStage = compiled.stages() == 1 ? 0 : 1;
    List<TimeTable.Move> moves = new ArrayList<>();
    for (Event event : compiled.events()) {
      int stage = compiled.stages() == 1 ? 0 : event.stage();
      switch (event.kind()) {
        case COMPUTE -> opRows[Arrays.binarySearch(members, event.op())] = event.step();
        case STORE -> {
          int stored = number(activations, event);
          moves.add(new TimeTable.Move(TimeTable.MoveKind.STORE, stored, event.step(), stage));
        }
        default -> {
          boolean weight = weights.containsKey(event.tensor());
          int loaded = number(weight ? weights : activations, event);
          TimeTable.MoveKind kind = weight ? TimeTable.MoveKind.WEIGHT : TimeTable.MoveKind.LOAD;
          moves.add(new TimeTable.Move(kind, loaded, event.step(), stage));
        }
      }
    }
    return new TimeTable(compiled.steps(), compiled.stages(), opStage, opRows, moves);
  }

  private static int number(Map<String, Integer> numbers, Event event) {
    Integer number = numbers.get(event.tensor());
    if (number == null) {
      throw new InvalidNetworkException(
          "tensor \"" + event.tensor() + "\" is moved by a group whose ops do not use it");
    }
    return number;
  }

  private LmemPlacement placement(
      CompiledGroup compiled,
      int[] members,
      Map<String, Integer> activations,
      Map<String, Integer> weights,
      LmemBuilder.Built built) {
    long[] offsets = new long[problem.size()];
    for (Event event : compiled.events()) {
      if (event.kind() == Kind.STORE) {
        continue;
      }
      boolean weight = weights.containsKey(event.tensor());
      int number = number(weight ? weights : activations, event);
      int buffer = weight ? built.weights()[number] : built.activations()[number];
      offsets[buffer] = event.offset();
      compareSize(event, problem.buffer(buffer).size());
      if (!weight) {
        compareSlices(event, number);
      }
      if (event.kind() == Kind.COMPUTE) {
        Integer scratch = built.scratches().get(Arrays.binarySearch(members, event.op()));
        if (scratch != null) {
          offsets[scratch] = event.scratchOffset();
        }
      }
    }
    int[] shares = new int[offsets.length];
    Arrays.fill(shares, LmemPlacement.OWN);
    for (LmemProblem.Sharing sharing : problem.sharings()) {
      if (offsets[sharing.result()] == offsets[sharing.operand()]) {
        shares[sharing.result()] = sharing.operand();
      }
    }
    return new LmemPlacement(offsets, shares);
  }

  private void compareSize(Event event, long ours) {
    if (event.size() != ours) {
      differences.add(
          "tensor \""
              + event.tensor()
              + "\" takes "
              + event.size()
              + " bytes a lane in the file and "
              + ours
              + " by our rules");
    }
  }

  private void compareSlices(Event event, int activation) {
    for (Axis axis : Axis.values()) {
      List<Part> theirs = event.slices().get(axis.label());
      if (theirs == null || sliced.slicing().along(axis) == 1) {
        continue;
      }
      List<Part> ours = new ArrayList<>();
      for (Slice slice : sliced.slices(activation, axis)) {
        ours.add(new Part(slice.begin(), slice.size()));
      }
      if (!ours.equals(theirs)) {
        differences.add(
            "tensor \""
                + event.tensor()
                + "\" is cut along "
                + axis.label()
                + " into "
                + theirs
                + " in the file and into "
                + ours
                + " by our rules");
      }
    }
  }

  /**
   * The group as the file has it, with other addresses; what a store says of the tensor that it
   * stores follows where it was the tensor's address.
   *
   * @param addresses a placement of {@link #problem}
   */
  public CompiledGroup withAddresses(LmemPlacement addresses) {
    int[] members = compiled.members().stream().mapToInt(Integer::intValue).sorted().toArray();
    Map<String, Long> old = new HashMap<>();
    Map<String, Long> others = new HashMap<>();
    List<Event> events = new ArrayList<>();
    for (Event event : compiled.events()) {
      boolean weight = weights.containsKey(event.tensor());
      int number = number(weight ? weights : activations, event);
      int buffer = weight ? built.weights()[number] : built.activations()[number];
      long offset = addresses.offset(buffer);
      long scratchOffset = event.scratchOffset();
      if (event.kind() == Kind.STORE) {
        boolean follows =
            old.get(event.tensor()) != null && old.get(event.tensor()) == event.offset();
        offset = follows ? others.get(event.tensor()) : event.offset();
      } else {
        old.put(event.tensor(), event.offset());
        others.put(event.tensor(), offset);
        Integer scratch =
            event.kind() == Kind.COMPUTE
                ? built.scratches().get(Arrays.binarySearch(members, event.op()))
                : null;
        scratchOffset = scratch == null ? scratchOffset : addresses.offset(scratch);
      }
      events.add(event.at(offset, scratchOffset));
    }
    return new CompiledGroup(
        compiled.members(), compiled.slices(), compiled.stages(), compiled.steps(), events);
  }

  /** The group. */
  public GroupModel group() {
    return group;
  }

  /** Our slices for the file's slice counts. */
  public SlicedGroup sliced() {
    return sliced;
  }

  /** The file's steps. */
  public TimeTable table() {
    return table;
  }

  /** The buffers in LMEM: our sizes, the file's steps and scratch. */
  public LmemProblem problem() {
    return problem;
  }

  /** The file's addresses. */
  public LmemPlacement placement() {
    return placement;
  }

  /** Sizes and slices in which the file and our rules differ, one line each. */
  public List<String> differences() {
    return List.copyOf(differences);
  }

  /** What is wrong with the file's addresses, one line each. */
  public List<String> violations() {
    return LmemVerifier.violations(problem, placement);
  }

  /**
   * The group with given addresses and its cost.
   *
   * @param addresses verified, or null
   */
  public GroupPlan plan(CostModel cost, LmemPlacement addresses) {
    boolean[] staying = heldWeights;
    if (!sliced.slicing().isCut()) {
      staying = new boolean[heldWeights.length];
      Arrays.fill(staying, true);
    }
    return new GroupPlan(
        sliced,
        table,
        heldInputs,
        heldWeights,
        problem,
        addresses,
        cost.groupTraffic(sliced, heldInputs, staying),
        cost.groupCycles(sliced, table, heldInputs, heldWeights));
  }

  /**
   * The groups of a compiled network that our rules can judge, by their numbers in it.
   *
   * @param others takes the numbers of the rest, and why they cannot be judged
   */
  public static Map<Integer, FileGroup> all(
      LayerGraph graph, CompiledNetwork compiled, Map<Integer, String> others) {
    Map<Integer, FileGroup> groups = new TreeMap<>();
    for (int k = 0; k < compiled.groups().size(); k++) {
      try {
        groups.put(k, of(graph, compiled.groups().get(k)));
      } catch (SlicingException | InvalidNetworkException | IllegalArgumentException cannot) {
        others.put(k, cannot.getMessage());
      }
    }
    return groups;
  }

  /**
   * The groups of a compiled network, in order.
   *
   * @throws InvalidNetworkException when our rules cannot judge one of them
   */
  public static List<FileGroup> all(LayerGraph graph, CompiledNetwork compiled) {
    Map<Integer, String> others = new TreeMap<>();
    Map<Integer, FileGroup> groups = all(graph, compiled, others);
    others.forEach(
        (number, why) -> {
          throw new InvalidNetworkException("group " + number + ": " + why);
        });
    return List.copyOf(groups.values());
  }
}

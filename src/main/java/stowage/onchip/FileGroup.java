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
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.lmem.LmemVerifier;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.LmemBuilder;
import stowage.onchip.schedule.TimeTable;
import stowage.onchip.schedule.TimeTable.MoveKind;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;

/**
 * A group as another compiler runs it, in our terms: our slices for its slice counts, its steps,
 * and its addresses as a placement of our buffers.
 */
public final class FileGroup {
  private final GroupRun run;
  private final LmemBuilder.Built built;
  private final LmemPlacement placement;
  private final List<String> differences = new ArrayList<>();
  private final CompiledGroup compiled;
  private final int[] members;
  private final Map<String, Integer> activations = new HashMap<>();
  private final Map<String, Integer> weights = new HashMap<>();

  /**
   * A group of a compiled network whose steps make a group; it is a {@link SlicingException} that
   * our rules do not know its ops or cannot cut it.
   */
  FileGroup(LayerGraph graph, CompiledGroup compiled) throws SlicingException {
    this.compiled = compiled;
    this.members = compiled.members().stream().mapToInt(Integer::intValue).sorted().toArray();
    GroupModel group = new GroupModel(graph, members);
    Layer obstacle = group.obstacle();
    if (obstacle != null) {
      throw new SlicingException(
          "op \"%s\" is in a group of the file: %s", obstacle.op().name(), obstacle.obstacle());
    }
    Slicing slicing = Slicing.of(compiled.slices().stream().mapToInt(Integer::intValue).toArray());
    SlicedGroup sliced = new BackwardSlicer(BackwardSlicer.Rules.TODAY).slice(group, slicing);
    for (int t = 0; t < group.tensorCount(); t++) {
      activations.put(graph.tensor(group.tensor(t)).name(), t);
    }
    for (int w = 0; w < group.weightCount(); w++) {
      weights.put(graph.tensor(group.weight(w).tensor()).name(), w);
    }
    this.run = new GroupRun(sliced, readTable(), Staying.inFile(sliced));
    long[] scratch = new long[members.length];
    for (Event event : compiled.events()) {
      if (event.kind() == Kind.COMPUTE) {
        scratch[member(event)] = event.scratchSize();
      }
    }
    this.built = LmemBuilder.built(run, scratch);
    this.placement = readPlacement();
  }

  private TimeTable readTable() {
    int[] opRows = new int[members.length];
    int opStage = compiled.stages() == 1 ? 0 : 1;
    List<TimeTable.Move> moves = new ArrayList<>();
    for (Event event : compiled.events()) {
      if (event.kind() == Kind.COMPUTE) {
        opRows[member(event)] = event.step();
        continue;
      }
      boolean stored = event.kind() == Kind.STORE;
      boolean weight = !stored && weights.containsKey(event.tensor());
      MoveKind kind = stored ? MoveKind.STORE : weight ? MoveKind.WEIGHT : MoveKind.LOAD;
      int number = number(weight ? weights : activations, event);
      int stage = compiled.stages() == 1 ? 0 : event.stage();
      moves.add(new TimeTable.Move(kind, number, event.step(), stage));
    }
    return new TimeTable(compiled.steps(), compiled.stages(), opStage, opRows, moves);
  }

  /** The op that computes, by its number within the group. */
  private int member(Event event) {
    return Arrays.binarySearch(members, event.op());
  }

  private static int number(Map<String, Integer> numbers, Event event) {
    Integer number = numbers.get(event.tensor());
    if (number == null) {
      throw new InvalidNetworkException(
          "tensor \"" + event.tensor() + "\" is moved by a group whose ops do not use it");
    }
    return number;
  }

  /** The buffer of what an event computes, loads or stores. */
  private int buffer(Event event) {
    return weights.containsKey(event.tensor())
        ? built.weights()[number(weights, event)]
        : built.activations()[number(activations, event)];
  }

  /** The buffer of the scratch that an event uses, or null. */
  private Integer scratch(Event event) {
    return event.kind() == Kind.COMPUTE ? built.scratches().get(member(event)) : null;
  }

  private LmemPlacement readPlacement() {
    long[] offsets = new long[problem().size()];
    for (Event event : compiled.events()) {
      if (event.kind() == Kind.STORE) {
        continue;
      }
      int buffer = buffer(event);
      offsets[buffer] = event.offset();
      compareSize(event, problem().buffer(buffer).size());
      if (!weights.containsKey(event.tensor())) {
        compareSlices(event, activations.get(event.tensor()));
      }
      if (scratch(event) != null) {
        offsets[scratch(event)] = event.scratchOffset();
      }
    }
    int[] shares = new int[offsets.length];
    Arrays.fill(shares, LmemPlacement.OWN);
    for (LmemProblem.Sharing sharing : problem().sharings()) {
      if (offsets[sharing.result()] == offsets[sharing.operand()]) {
        shares[sharing.result()] = sharing.operand();
      }
    }
    return new LmemPlacement(offsets, shares);
  }

  private void compareSize(Event event, long ours) {
    if (event.size() != ours) {
      differences.add(
          "tensor \"%s\" takes %s bytes a lane in the file and %s by our rules"
              .formatted(event.tensor(), event.size(), ours));
    }
  }

  private void compareSlices(Event event, int activation) {
    for (Axis axis : Axis.values()) {
      List<Part> theirs = event.slices().get(axis.label());
      if (theirs == null || sliced().slicing().along(axis) == 1) {
        continue;
      }
      List<Part> ours = parts(sliced(), activation, axis);
      if (!ours.equals(theirs)) {
        differences.add(
            "tensor \"%s\" is cut along %s into %s in the file and into %s by our rules"
                .formatted(event.tensor(), axis.label(), theirs, ours));
      }
    }
  }

  static List<Part> parts(SlicedGroup sliced, int activation, Axis axis) {
    return sliced.slices(activation, axis).stream()
        .map(slice -> new Part(slice.begin(), slice.size()))
        .toList();
  }

  /**
   * The group as the file has it, with a placement of {@link #problem}; what a store says of the
   * tensor that it stores follows where it was the tensor's address.
   */
  public CompiledGroup withAddresses(LmemPlacement addresses) {
    Map<String, Event> made = new HashMap<>();
    List<Event> events = new ArrayList<>();
    for (Event event : compiled.events()) {
      long offset = addresses.offset(buffer(event));
      Integer scratch = scratch(event);
      if (event.kind() != Kind.STORE) {
        made.put(event.tensor(), event);
      } else {
        Event maker = made.get(event.tensor());
        boolean follows = maker != null && maker.offset() == event.offset();
        offset = follows ? offset : event.offset();
      }
      events.add(
          event.at(offset, scratch == null ? event.scratchOffset() : addresses.offset(scratch)));
    }
    return new CompiledGroup(
        compiled.members(), compiled.slices(), compiled.stages(), compiled.steps(), events);
  }

  public GroupModel group() {
    return sliced().group();
  }

  /** Our slices for the file's slice counts. */
  public SlicedGroup sliced() {
    return run.sliced();
  }

  /** How it runs: the file's steps. */
  public GroupRun run() {
    return run;
  }

  /** The buffers in LMEM: our sizes, the file's steps and scratch. */
  public LmemProblem problem() {
    return built.problem();
  }

  /** The file's addresses. */
  public LmemPlacement placement() {
    return placement;
  }

  /** How many transfers of the file's clash. */
  public long clashes() {
    return LmemScore.of(problem(), placement).clashes();
  }

  /** Sizes and slices in which the file and our rules differ, one line each. */
  public List<String> differences() {
    return List.copyOf(differences);
  }

  /** What is wrong with the order of the file's steps, one line each. */
  List<String> faults() {
    return run.table().faults(group());
  }

  /** What is wrong with the file's steps and addresses, one line each. */
  public List<String> violations() {
    List<String> wrong = new ArrayList<>(faults());
    wrong.addAll(LmemVerifier.violations(problem(), placement));
    return wrong;
  }

  /** The group with given addresses, which are verified, or null, and its cost. */
  public GroupPlan plan(CostModel cost, LmemPlacement addresses) {
    return GroupPlan.of(run, problem(), addresses, cost);
  }

  /**
   * The groups of a compiled network that our rules can judge, by their numbers in it; {@code
   * others} takes the numbers of the rest, and why not.
   */
  public static Map<Integer, FileGroup> all(
      LayerGraph graph, CompiledNetwork compiled, Map<Integer, String> others) {
    Map<Integer, FileGroup> groups = new TreeMap<>();
    for (int k = 0; k < compiled.groups().size(); k++) {
      try {
        groups.put(k, new FileGroup(graph, compiled.groups().get(k)));
      } catch (SlicingException | InvalidNetworkException | IllegalArgumentException cannot) {
        others.put(k, cannot.getMessage());
      }
    }
    return groups;
  }

  /** All groups in order; one our rules cannot judge is an {@link InvalidNetworkException}. */
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

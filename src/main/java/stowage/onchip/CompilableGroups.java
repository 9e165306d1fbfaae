package stowage.onchip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.CompiledNetwork.Kind;
import stowage.network.CompiledNetwork.Part;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.PackedLane;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.LmemBuilder;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.schedule.TimeTable;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;
import stowage.packing.RunControl;

/**
 * Groups of ours in the form in which TPU-MLIR's files hold groups.
 *
 * <p>A file does not say which constants stay in LMEM for all slices: of a group that is cut all
 * do, where together they take less than a lane, and else none. So a plan that loads some of them
 * again, although all would be taken to stay, is planned again with all of them; one that keeps
 * more than the file implies holds as it is, since the live ranges that a reader derives are then
 * shorter. A group that does not fit in that form, has an op of several results, or reaches over
 * functions, is taken apart.
 */
public final class CompilableGroups {
  private static final double SECONDS_A_GROUP = 1;

  private final LayerGraph graph;
  private final CostModel cost;
  private final LmemEngine engine;
  private final RunControl control;
  private final int[] functions;

  /**
   * @param functions by op, the number of the function that it is in; -1 where it cannot be grouped
   * @param engine brings the figures of addresses down where a group is planned again
   */
  public CompilableGroups(
      LayerGraph graph, LmemEngine engine, RunControl control, int[] functions) {
    this.functions = functions;
    this.graph = graph;
    this.cost = new CostModel(graph.chip());
    this.engine = engine;
    this.control = control;
  }

  /** The grouping with every group in a form that a file can hold. */
  public Grouping of(Grouping grouping) {
    List<PlannedGroup> groups = new ArrayList<>();
    for (PlannedGroup group : grouping.groups()) {
      if (!group.isGrouped()) {
        groups.add(group);
        continue;
      }
      PlannedGroup written =
          !isWritable(group.plan().group()) ? null : holds(group.plan()) ? group : again(group);
      if (written != null) {
        groups.add(written);
      } else {
        Arrays.stream(group.members()).mapToObj(this::alone).forEach(groups::add);
      }
    }
    return new Grouping(
        graph,
        grouping.partition(),
        grouping.options(),
        groups,
        grouping.lowerBound(),
        grouping.scope());
  }

  /** A file has one address an op, and a group in one function. */
  private boolean isWritable(GroupModel group) {
    int function = functions[group.members()[0]];
    for (int member = 0; member < group.size(); member++) {
      if (function < 0
          || functions[group.members()[member]] != function
          || group.layer(member).results().length != 1) {
        return false;
      }
    }
    return true;
  }

  /** Whether all constants stay that a reader of the file takes to stay. */
  private static boolean holds(GroupPlan plan) {
    boolean[] implied = Staying.inFile(plan.sliced()).weights();
    return IntStream.range(0, implied.length)
        .noneMatch(w -> implied[w] && !plan.run().staying().weights()[w]);
  }

  /** The group planned with the constants that the file implies, or null where it does not fit. */
  private PlannedGroup again(PlannedGroup group) {
    SlicedGroup sliced = group.plan().sliced();
    TimeSteps steps = new TimeSteps(sliced, cost);
    GroupRun run = steps.withoutSelfClashes(steps.run(true, Staying.inFile(sliced)));
    LmemProblem problem = run.problem();
    LmemEngine.Fit fit = PackedLane.fit(problem, control.within(SECONDS_A_GROUP));
    if (fit.verdict() != LmemEngine.Verdict.FITS) {
      return null;
    }
    var answer = engine.improve(problem, fit.placement(), control.within(SECONDS_A_GROUP));
    return PlannedGroup.of(
        GroupPlan.of(run, problem, answer.placement(), cost),
        answer,
        "all its constants stay, which is what a file says of it",
        List.of());
  }

  private PlannedGroup alone(int position) {
    return PlannedGroup.alone(
        graph,
        cost,
        position,
        "its group does not fit in the form of a file: in one function, with one address an op and"
            + " all its constants staying");
  }

  /** A group as a compiler's: its events by time, loads before ops before stores. */
  public static CompiledGroup compiled(GroupPlan plan) {
    GroupModel group = plan.group();
    TimeTable table = plan.table();
    LmemBuilder.Built built = LmemBuilder.built(plan.run(), null);
    Function<TimeTable.Move, Event> moved = move -> moved(plan, built, move);
    List<Event> events = new ArrayList<>();
    table.moves().stream().filter(CompilableGroups::loads).map(moved).forEach(events::add);
    for (int member = 0; member < group.size(); member++) {
      events.add(computed(plan, built, member));
    }
    table.moves().stream().filter(move -> !loads(move)).map(moved).forEach(events::add);
    events.sort(Comparator.comparingInt(event -> event.stage() * table.rows() + event.step()));
    List<Integer> slices = Stream.of(Axis.values()).map(plan.sliced().slicing()::along).toList();
    return new CompiledGroup(
        Arrays.stream(group.members()).boxed().toList(),
        slices,
        table.stages(),
        table.rows(),
        events);
  }

  private static boolean loads(TimeTable.Move move) {
    return move.kind() != TimeTable.MoveKind.STORE;
  }

  private static Event moved(GroupPlan plan, LmemBuilder.Built built, TimeTable.Move move) {
    GroupModel group = plan.group();
    boolean weight = move.isWeight();
    int buffer = (weight ? built.weights() : built.activations())[move.index()];
    Function<Axis, List<Part>> slices =
        weight
            ? axis -> List.of(new Part(0, group.weight(move.index()).extents().along(axis)))
            : axis -> FileGroup.parts(plan.sliced(), move.index(), axis);
    return new Event(
        move.kind() == TimeTable.MoveKind.STORE ? Kind.STORE : Kind.LOAD,
        -1,
        group.graph().tensor(move.tensor(group)).name(),
        move.row(),
        move.stage(),
        plan.placement().offset(buffer),
        built.problem().buffer(buffer).size(),
        0,
        0,
        !weight || group.weight(move.index()).aligned(),
        byAxis(slices));
  }

  private static Event computed(GroupPlan plan, LmemBuilder.Built built, int member) {
    GroupModel group = plan.group();
    int first = group.numberOf(group.layer(member).results()[0]);
    int buffer = built.activations()[first];
    Integer scratch = built.scratches().get(member);
    return new Event(
        Kind.COMPUTE,
        group.members()[member],
        group.graph().tensor(group.tensor(first)).name(),
        plan.table().opRow(member),
        plan.table().opStage(),
        plan.placement().offset(buffer),
        built.problem().buffer(buffer).size(),
        scratch == null ? 0 : plan.placement().offset(scratch),
        scratch == null ? 0 : built.problem().buffer(scratch).size(),
        true,
        byAxis(axis -> FileGroup.parts(plan.sliced(), first, axis)));
  }

  private static Map<String, List<Part>> byAxis(Function<Axis, List<Part>> parts) {
    return Stream.of(Axis.values()).collect(Collectors.toMap(Axis::label, parts));
  }
}

package stowage.report.group;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import stowage.exact.bound.LowerBounds;
import stowage.importer.io.Suggestion;
import stowage.network.Network;
import stowage.onchip.FileGroup;
import stowage.onchip.GroupMethod;
import stowage.onchip.GroupPlanner;
import stowage.onchip.GroupedNetwork;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Precision;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.lmem.LmemVerifier;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.partition.IntervalPartitioner;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.LmemBuilder;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;
import stowage.packing.ByteText;
import stowage.packing.RunControl;
import stowage.report.format.AnswerContradictions;
import stowage.report.format.AnswerFindings;

/**
 * A {@code groups.json} checked against its network and chip: the groups are built again from the
 * members, slices, steps and addresses in the file, checked as {@link LmemVerifier} and {@link
 * stowage.onchip.schedule.TimeTable#faults} do, and every figure of the file is compared with
 * theirs.
 *
 * <p>A bound over all groupings is worked out again; one that a search proved, over some of them or
 * of a group's addresses, has no certificate, and the plan of GMEM is not in the file: of these
 * only contradictions are found.
 */
public final class GroupClaim {
  private static final Set<String> FREE = Set.of("seconds", "reason", "remark", "name");

  /** Bounds of the figures of a group's addresses, which a search raises with exact ones alone. */
  private static final List<String> BOUNDS =
      List.of("clashBound", "operandClashBound", "bankCrossingBound", "lmemBound");

  private final JsonNode said;
  private final LayerGraph graph;
  private final List<FileGroup> files;
  private final CostModel cost;
  private final GroupOptions options;

  private GroupClaim(JsonNode said, LayerGraph graph, List<FileGroup> files) {
    this.said = said;
    this.graph = graph;
    this.files = files;
    this.cost = new CostModel(graph.chip());
    this.options =
        new GroupOptions(
            labelled(GroupOptions.Lmem.values(), said, "lmem"),
            GroupOptions.SlicingSearch.QUICK,
            labelled(GroupOptions.GroupObjective.values(), said, "objective"),
            false);
  }

  /**
   * The networks that an answer may be about, of the type that it names: the given one, or that in
   * another precision.
   */
  public static List<Network> networks(JsonNode answer, Network network) {
    String type = answer.path("precision").asText(null);
    boolean given = type == null || type.equals(Precision.of(network));
    Stream<Network> others = Stream.of(Precision.values()).map(other -> other.apply(network));
    List<Network> named =
        Stream.concat(Stream.of(network), others)
            .filter(one -> type != null && type.equals(Precision.of(one)))
            .toList();
    return given || named.isEmpty() ? List.of(network) : named;
  }

  /**
   * Checks an answer.
   *
   * @param answer the fields of a {@code groups.json}
   * @param files the groups of a compiled file that the answer's baseline is about; else none
   * @param ofFile the plan that the compiled file carries; null for none
   */
  public static AnswerFindings check(
      JsonNode answer, LayerGraph graph, List<FileGroup> files, GroupReport.Gmem ofFile) {
    List<String> found = new ArrayList<>();
    try {
      GroupClaim claim = new GroupClaim(answer, graph, files);
      Grouping grouping = claim.grouping();
      claim.compare(grouping, ofFile, found);
      return claim.findings(grouping, found);
    } catch (IllegalArgumentException | SlicingException wrong) {
      return AnswerFindings.invalid("the answer's " + wrong.getMessage());
    }
  }

  private AnswerFindings findings(Grouping grouping, List<String> found) {
    String holds =
        "%s moved, %,d cycles, %,d of %,d bytes per lane, %s"
            .formatted(
                ByteText.exact(grouping.trafficBytes()) + " bytes",
                Math.round(grouping.cycles()),
                grouping.lmemPeak(),
                graph.chip().laneBytes(),
                ByteText.count(grouping.groups().size(), "group"));
    long bound = grouping.provenLeast();
    String claim =
        "%s at least %s %s"
            .formatted(options.objective().label(), ByteText.exact(bound), grouping.scopeInWords());
    Optional<String> fault =
        isChecked(grouping)
            ? Optional.empty()
            : Optional.of("a search over some groupings proved it; it is not checked");
    return new AnswerFindings(
        Map.of("groups", grouping.groups().size()),
        holds,
        new AnswerFindings.Claim("bound", bound, grouping.scope().label(), claim, fault, false),
        found);
  }

  private static <E extends Enum<E>> E labelled(E[] values, JsonNode object, String field) {
    String label = object.path(field).asText();
    List<String> labels =
        Stream.of(values).map(v -> v.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();
    if (!labels.contains(label)) {
      throw wrong("%s is \"%s\"; it should be one of %s", field, label, labels);
    }
    return values[labels.indexOf(label)];
  }

  private static IllegalArgumentException wrong(String what, Object... values) {
    return new IllegalArgumentException(what.formatted(values));
  }

  private Grouping grouping() throws SlicingException {
    List<int[]> members = members();
    List<PlannedGroup> groups = new ArrayList<>();
    for (int k = 0; k < members.size(); k++) {
      JsonNode group = said.path("groups").path(k);
      if (group.path("grouped").asBoolean()) {
        groups.add(built("groups[" + k + "]", group, members.get(k)));
      } else {
        groups.add(PlannedGroup.alone(graph, cost, members.get(k)[0], null));
      }
    }
    double lower = said.path("lowerBound").asDouble();
    BoundScope scope = labelled(BoundScope.values(), said, "boundScope");
    return new Grouping(
        graph,
        labelled(GroupMethod.Division.values(), said, "partition").name().toLowerCase(Locale.ROOT),
        options,
        groups,
        scope == BoundScope.NETWORK || scope == BoundScope.GROUPS
            ? worked(scope, groups)
            : Math.max(lower, worked(BoundScope.NETWORK, groups)),
        scope);
  }

  /** A bound that needs no search. */
  private double worked(BoundScope scope, List<PlannedGroup> groups) {
    return scope == BoundScope.NETWORK
        ? IntervalPartitioner.lowerBound(graph, options.objective())
        : groups.stream()
            .filter(PlannedGroup::isGrouped)
            .mapToLong(group -> group.plan().problem().peakBound())
            .max()
            .orElse(0);
  }

  private boolean isChecked(Grouping grouping) {
    return switch (grouping.scope()) {
      case NETWORK, GROUPS -> true;
      default -> grouping.lowerBound() <= worked(BoundScope.NETWORK, List.of());
    };
  }

  /**
   * The positions of each group's ops: each op in one group, after those whose results it reads.
   */
  private List<int[]> members() {
    List<int[]> all = new ArrayList<>();
    int[] groupOf = new int[graph.size()];
    Arrays.fill(groupOf, -1);
    for (JsonNode group : said.path("groups")) {
      String where = "groups[%d]".formatted(all.size());
      int first = Math.max(-1, group.path("first").asInt(-1));
      int last = Math.min(graph.size(), group.path("last").asInt(-1));
      int[] members =
          group.has("members")
              ? ints(group.path("members"))
              : IntStream.rangeClosed(first, last).toArray();
      int before = -1;
      for (int op : members) {
        if (op <= before || op >= graph.size()) {
          String right = "ops should rise within 0 to %d";
          throw wrong("%s names the op %d; " + right, where, op, graph.size() - 1);
        }
        if (groupOf[op] >= 0) {
          String both = "op \"%s\" is in groups %d and %d; it should be in one";
          throw wrong(both, graph.layer(op).op().name(), groupOf[op], all.size());
        }
        groupOf[op] = all.size();
        before = op;
      }
      if (members.length == 0 || members.length > 1 != group.path("grouped").asBoolean()) {
        String what = "%s has %s, which does not go with \"grouped\": %s";
        throw wrong(what, where, ByteText.count(members.length, "op"), group.path("grouped"));
      }
      all.add(members);
    }
    for (int op = 0; op < groupOf.length; op++) {
      String name = graph.layer(op).op().name();
      if (groupOf[op] < 0) {
        throw wrong("op \"%s\" is in no group; it should be in one", name);
      }
      for (int t : graph.layer(op).operands().stream().mapToInt(read -> read.tensor()).toArray()) {
        int producer = graph.producer(t);
        if (producer >= 0 && groupOf[producer] > groupOf[op]) {
          String what = "op \"%s\" of group %d reads \"%s\", which group %d makes after it";
          throw wrong(what, name, groupOf[op], graph.tensor(t).name(), groupOf[producer]);
        }
      }
    }
    return all;
  }

  private static int[] ints(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).mapToInt(n -> n.asInt(-1)).toArray();
  }

  private PlannedGroup built(String where, JsonNode group, int[] members) throws SlicingException {
    FileGroup file =
        said.path("partition").asText().equals("file")
            ? files.stream()
                .filter(one -> Arrays.equals(one.group().members(), members))
                .findFirst()
                .orElseThrow(() -> wrong("%s is no group of the file", where))
            : null;
    GroupRun run = file != null ? file.run() : run(where, group, members);
    List<String> faults = new ArrayList<>(run.table().faults(run.sliced().group()));
    if (!faults.isEmpty()) {
      throw wrong("%s.table does not hold: %s", where, faults.get(0));
    }
    LmemProblem problem = file != null ? file.problem() : staying(run, group).problem();
    LmemPlacement placement = placement(where, group.path("buffers"), problem);
    faults.addAll(LmemVerifier.violations(problem, placement));
    if (!faults.isEmpty()) {
      throw wrong("%s.buffers do not hold: %s", where, faults.get(0));
    }
    GroupRun held = file != null ? run : staying(run, group);
    List<Long> bounds = new ArrayList<>(LmemAnswer.freeBounds(problem));
    for (int k = 0; k < BOUNDS.size(); k++) {
      long bound = options.isExact() ? group.path(BOUNDS.get(k)).asLong() : 0;
      bounds.set(k, Math.max(bound, bounds.get(k)));
    }
    LmemAnswer answer = LmemAnswer.capped(placement, LmemScore.of(problem, placement), bounds);
    return PlannedGroup.of(GroupPlan.of(held, problem, placement, cost), answer, null, List.of());
  }

  /** The group with its slices and steps; nothing stays. */
  private GroupRun run(String where, JsonNode group, int[] members) throws SlicingException {
    GroupModel model = new GroupModel(graph, members);
    if (model.obstacle() != null) {
      String name = model.obstacle().op().name();
      throw wrong("%s has op \"%s\": %s", where, name, model.obstacle().obstacle());
    }
    JsonNode secs = group.path("secs");
    int[] counts = Stream.of("n", "c", "d", "h", "w").mapToInt(a -> secs.path(a).asInt()).toArray();
    SlicedGroup sliced = new BackwardSlicer(options.rules()).slice(model, Slicing.of(counts));
    return new GroupRun(
        sliced,
        GroupSteps.read(where + ".table", group.path("table"), model),
        Staying.nothing(sliced));
  }

  /** The group with the inputs and constants staying whose buffers say so. */
  private static GroupRun staying(GroupRun run, JsonNode group) {
    GroupModel model = run.sliced().group();
    boolean[] inputs = new boolean[model.tensorCount()];
    boolean[] weights = new boolean[model.weightCount()];
    Arrays.fill(inputs, true);
    Arrays.fill(weights, true);
    LmemBuilder.Built all = LmemBuilder.built(run.with(new Staying(inputs, weights)), null);
    JsonNode buffers = group.path("buffers");
    for (int t = 0; t < inputs.length; t++) {
      boolean can = model.isInput(t) && run.sliced().isConstant(t);
      inputs[t] = can && buffers.path(all.activations()[t]).path("resident").asBoolean();
    }
    for (int w = 0; w < weights.length; w++) {
      weights[w] = buffers.path(all.weights()[w]).path("resident").asBoolean();
    }
    return run.with(new Staying(inputs, weights));
  }

  private static LmemPlacement placement(String where, JsonNode buffers, LmemProblem problem) {
    Map<String, Integer> numbers = new HashMap<>();
    for (int b = 0; b < problem.size(); b++) {
      numbers.put(problem.buffer(b).id(), b);
    }
    if (buffers.size() != problem.size()) {
      throw wrong("%s has %d buffers; it has %d", where, buffers.size(), problem.size());
    }
    long[] offsets = new long[problem.size()];
    int[] shares = new int[problem.size()];
    for (int b = 0; b < offsets.length; b++) {
      JsonNode buffer = buffers.path(b);
      offsets[b] = buffer.path("offset").asLong(-1);
      String shared = buffer.path("shares").asText(null);
      if (shared != null && !numbers.containsKey(shared)) {
        String what = "%s.buffers[%d].shares is \"%s\", which is no buffer of the group%s";
        throw wrong(what, where, b, shared, Suggestion.hint(shared, List.copyOf(numbers.keySet())));
      }
      shares[b] = shared == null ? LmemPlacement.OWN : numbers.get(shared);
    }
    return new LmemPlacement(offsets, shares);
  }

  /** Compares all fields with those of the groups as they are. */
  private void compare(Grouping grouping, GroupReport.Gmem ofFile, List<String> found) {
    RunControl control = RunControl.ofSeconds(1, 1, 1);
    Grouping baseline =
        files.isEmpty() || said.path("baseline").isNull()
            ? null
            : new GroupPlanner(graph, options, null, control).baseline(files);
    String lmem = options.lmem().name().toLowerCase(Locale.ROOT);
    GroupReport right = new GroupReport(grouping, baseline, lmem, null, ofFile, 0);
    new AnswerContradictions("the answer", GroupClaim::isFree, found)
        .compare(said, GroupJson.withDetails(right));
    checkGmem(grouping, found);
  }

  private static boolean isFree(String path) {
    return path.equals("gmem") || FREE.contains(path.substring(path.lastIndexOf('.') + 1));
  }

  /** The plan of GMEM is not in the answer; its figures may contradict each other. */
  private void checkGmem(Grouping grouping, List<String> found) {
    JsonNode gmem = said.path("gmem");
    if (gmem.isMissingNode() || gmem.isNull()) {
      return;
    }
    for (String field : List.of("peak", "lowerBound")) {
      JsonNode figure = gmem.path(field);
      if (!figure.isNull() && !(figure.isIntegralNumber() && figure.canConvertToLong())) {
        String what = "the answer says that its gmem.%s is %s; it should be a whole number";
        found.add(what.formatted(field, figure));
      }
    }
    long peak = gmem.path("peak").asLong(-1); // none was found where it is null
    long bound = gmem.path("lowerBound").asLong();
    long proven = LowerBounds.best(GroupedNetwork.inGmem(grouping).problem())[0].value();
    if (peak >= 0 && peak < Math.max(bound, proven)) {
      String what = "the answer says that its gmem.peak is %d; no plan is below %d";
      found.add(what.formatted(peak, Math.max(bound, proven)));
    }
    String status = peak < 0 ? "UNKNOWN" : peak == bound ? "OPTIMAL" : "FEASIBLE";
    if (!gmem.path("status").asText().equals(status)) {
      String what = "the answer says that its gmem.status is %s; its peak and its bound make it %s";
      found.add(what.formatted(gmem.path("status"), status));
    }
  }
}

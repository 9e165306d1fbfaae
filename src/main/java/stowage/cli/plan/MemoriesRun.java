package stowage.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import stowage.cli.input.InputOptions;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.InputException;
import stowage.importer.io.Suggestion;
import stowage.importer.own.MemoryMapJson;
import stowage.importer.own.PlacesTables;
import stowage.liveness.Liveness;
import stowage.liveness.PlanningCase;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.memory.MemoryMap;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Rounding;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.LoadedProblem;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.Table;
import stowage.report.memory.MemoriesHtml;
import stowage.report.memory.MemoriesSvg;
import stowage.report.page.PageFrame;
import stowage.residency.LeastCapacity;
import stowage.residency.MemoryOrderSearch;
import stowage.residency.MisfitSet;
import stowage.residency.ResidencySolver;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.memory.ResidencyTiming;

/** A network over the memories of a map: {@code plan --memories} and {@code compare --memories}. */
final class MemoriesRun {
  /** What people read of the fields of an answer; the others are in its first line or its JSON. */
  private static final Map<String, String> LABELS =
      Map.of(
          "trafficBytes", "moved",
          "nanoseconds", "time",
          "lostNanoseconds", "lost",
          "stallNanoseconds", "waiting",
          "lowerBound", "bound",
          "limit", "limit",
          "leastCapacity", "least capacity",
          "leastPrice", "at least");

  private static final Set<String> PRICES = Set.of("bound", "limit", "at least");

  private static final double RULE_SECONDS = 2;
  private static final double ORDER_SHARE = 0.4;

  private final String name;
  private final ResidencyProblem given;
  private ResidencyProblem problem;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;

  private MemoriesRun(
      String name,
      ResidencyProblem problem,
      ResidencyProblem given,
      PrintWriter out,
      PrintWriter err,
      boolean json) {
    this.name = name;
    this.problem = problem;
    this.given = given;
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /** Aligns buffers as the fast memories of a map do, unless the user says otherwise. */
  static void align(InputOptions input, Path map) {
    input.alignUnlessGiven(
        MemoryMapJson.read(map).fastSpaces().stream()
            .mapToLong(MemoryMap.Space::alignment)
            .max()
            .orElse(1));
  }

  /**
   * A list of buffers in the memories of a map, each buffer in one of them for its whole life.
   *
   * @throws UsageException when the list names several memories itself
   */
  static LoadedProblem inMemories(LoadedProblem list, Path map) {
    PackingProblem problem = list.problem();
    if (problem.memories().size() > 1) {
      throw new UsageException("--memories: the input says itself which memories there are");
    }
    long own = problem.memories().get(0).alignment();
    MemoryMap read = MemoryMapJson.read(map);
    List<Memory> memories = new ArrayList<>();
    for (MemoryMap.Space space :
        Stream.concat(read.fastSpaces().stream(), read.homes().stream()).toList()) {
      long common = space.alignment() / Rounding.gcd(space.alignment(), own) * own;
      memories.add(new Memory(space.name(), space.capacity(), common, space.base(), 0));
    }
    return LoadedProblem.of(problem.withMemories(memories));
  }

  /** Refuses rules for ops that the network does not have. */
  private static void checkRules(MemoryMap memories, Network network, Path map) {
    List<String> known = network.ops().stream().map(Op::name).toList();
    Stream.concat(
            memories.rules().stream().map(MemoryMap.Rule::op),
            memories.compute().stream().map(MemoryMap.Compute::op))
        .filter(op -> op != null && !known.contains(op))
        .findFirst()
        .ifPresent(
            op -> {
              String near = Suggestion.nearest(op, known);
              throw new InputException(
                  map,
                  "",
                  "a rule names the op \"%s\", which the network does not have%s"
                      .formatted(op, near == null ? "" : "; did you mean \"" + near + "\"?"));
            });
  }

  /**
   * Reads the map.
   *
   * @param objective {@code traffic} or {@code time}
   * @param control of a search over the order of ops; null for the given order
   */
  static MemoriesRun of(
      LoadedProblem planned,
      Path map,
      String objective,
      RunControl control,
      PrintWriter out,
      PrintWriter err,
      boolean json) {
    if (!planned.planningCase().hasNetwork()) {
      throw new UsageException(
          "--memories places a network; a list of buffers has no ops that use them");
    }
    if (!objective.equals("traffic") && !objective.equals("time")) {
      throw new UsageException("--objective " + objective + " should be traffic or time");
    }
    MemoryMap memories = MemoryMapJson.read(map);
    checkRules(memories, planned.planningCase().network(), map);
    try {
      boolean byTime = objective.equals("time");
      PlanningCase ordered = planned.planningCase();
      ResidencyProblem given = ResidencyProblem.of(ordered, memories, byTime);
      ResidencyProblem problem = given;
      if (control != null) {
        int[] order =
            new MemoryOrderSearch(ordered, memories, byTime)
                .run(control, ORDER_SHARE * control.secondsLeft());
        ordered = Liveness.of(ordered.network(), order, ordered.options());
        problem = ResidencyProblem.of(ordered, memories, byTime);
      }
      return new MemoriesRun(ordered.network().name(), problem, given, out, err, json);
    } catch (InvalidNetworkException wrong) {
      throw new InputException(map, "", wrong.getMessage(), wrong);
    }
  }

  /** Plans, prints and writes; gives the exit code. */
  int plan(RunControl control, Path folder) {
    long begin = System.nanoTime();
    ResidencySolver.Answer earlier = earlier(control);
    ResidencyProblem.Misfit misfit = problem.misfit();
    if (misfit != null) {
      return infeasible(misfit);
    }
    ResidencySolver.Answer answer =
        earlier != null ? earlier : ResidencySolver.solve(problem, control);
    if (answer.infeasible()) {
      return infeasible(MisfitSet.of(problem, control));
    }
    if (answer.plan() == null) {
      err.println("stowage: no plan was found in time");
      return ExitCode.NO_PLAN;
    }
    ObjectNode text = new ObjectMapper().createObjectNode();
    Status status = answer.isOptimal() ? Status.OPTIMAL : Status.FEASIBLE;
    text.put("schemaVersion", 1).put("status", status.name()).put("map", problem.map().name());
    text.put("objective", problem.byTime() ? "time" : "traffic");
    text.put("price", answer.price()).put("lowerBound", answer.bound()).put("boundKind", "cp-sat");
    text.put("trafficBytes", answer.moved());
    long least = ResidencyTiming.leastNanoseconds(problem);
    text.put("nanoseconds", answer.nanoseconds());
    text.put("lostNanoseconds", Math.max(0, answer.nanoseconds() - least));
    long busy = 0;
    for (int t = 0; t < problem.steps(); t++) {
      busy += answer.plan().ends()[t] - answer.plan().starts()[t];
    }
    text.put("stallNanoseconds", answer.nanoseconds() - busy);
    memories(answer, text.putArray("memories"));
    text.put("seconds", Math.round((System.nanoTime() - begin) / 1e6) / 1000.0);
    print(text);
    if (folder != null) {
      write(answer, folder);
      err.println(
          "stowage: wrote memories.html (open it), memories.svg, residency.csv, transfers.csv and"
              + " order.txt into "
              + folder);
    }
    return ExitCode.OK;
  }

  /**
   * Where another order than the given one was found: the answer at the better of both, or null.
   */
  private ResidencySolver.Answer earlier(RunControl control) {
    if (problem.equals(given) || given.misfit() != null) {
      return null;
    }
    ResidencySolver.Answer known =
        ResidencySolver.solve(given, control.within(0.5 * control.secondsLeft()));
    ResidencySolver.Answer found =
        problem.misfit() == null ? ResidencySolver.solve(problem, control) : known;
    if (found.plan() != null && (known.plan() == null || found.price() < known.price())) {
      return found;
    }
    problem = given;
    return known;
  }

  /** Finds the least capacity of the fast memory for a limit of the price, and prints it. */
  int leastCapacity(RunControl control, long limit) {
    ResidencyProblem.Misfit misfit = problem.withFastCapacity(LeastCapacity.most(problem)).misfit();
    if (misfit != null) {
      return infeasible(misfit);
    }
    LeastCapacity least = LeastCapacity.of(problem, limit, control);
    ObjectNode text = new ObjectMapper().createObjectNode();
    boolean found = least.capacity() >= 0;
    Status status =
        !found
            ? Status.UNKNOWN
            : least.capacity() == least.bound() ? Status.OPTIMAL : Status.FEASIBLE;
    text.put("schemaVersion", 1).put("status", status.name()).put("map", problem.map().name());
    text.put("objective", problem.byTime() ? "time" : "traffic").put("limit", least.limit());
    if (found) {
      text.put("leastCapacity", least.capacity());
    }
    text.put("lowerBound", least.bound());
    if (!found && least.leastPrice() > least.limit()) {
      err.printf(
          Locale.ROOT,
          "stowage: infeasible: with any capacity the %s is %d %s or more%n",
          problem.byTime() ? "time" : "traffic",
          least.leastPrice(),
          problem.byTime() ? "nanoseconds" : "bytes");
      text.put("status", Status.INFEASIBLE.name()).put("leastPrice", least.leastPrice());
      print(text);
      return ExitCode.INFEASIBLE;
    }
    print(text);
    return found ? ExitCode.OK : ExitCode.NO_PLAN;
  }

  private void print(ObjectNode answer) {
    out.println(json ? answer.toPrettyString() : words(answer).stripTrailing());
    out.flush();
  }

  /** An answer for people: its status, its figures with units, and its rows. */
  private String words(ObjectNode answer) {
    StringBuilder text = new StringBuilder();
    String wanted = problem.byTime() ? "takes less time" : "moves fewer bytes";
    boolean optimal = answer.path("status").asText().equals(Status.OPTIMAL.name());
    if (answer.has("status")) {
      text.append(answer.path("status").asText()).append(": ");
    }
    text.append(NameText.plain(name)).append(" over the memories of ");
    text.append(problem.map().name());
    if (answer.has("price")) {
      text.append(optimal ? ", no plan " + wanted : ", a plan that " + wanted + " is not excluded");
    }
    text.append('\n');
    AlignedText facts = new AlignedText("ll");
    for (Map.Entry<String, JsonNode> field : answer.properties()) {
      String label = LABELS.get(field.getKey());
      if (label != null) {
        long figure = field.getValue().asLong();
        boolean time =
            field.getKey().endsWith("anoseconds")
                || (PRICES.contains(label)
                    && problem.byTime()
                    && !(answer.has("limit") && label.equals("bound")));
        facts.row(label, time ? milliseconds(figure) : ByteText.both(figure));
      }
    }
    text.append(facts.text("  "));
    for (JsonNode field : answer) {
      text.append(field.isArray() ? table(field).text("  ") : "");
    }
    return text.toString();
  }

  private static String milliseconds(long nanoseconds) {
    return String.format(Locale.ROOT, "%,.3f ms", nanoseconds / 1e6);
  }

  /** Rows of an answer as a table; a column for each field that one of them has. */
  private static Table table(JsonNode rows) {
    Set<String> names = new LinkedHashSet<>();
    rows.forEach(row -> row.fieldNames().forEachRemaining(names::add));
    Table table = new Table();
    for (String name : names) {
      boolean figures = false;
      for (JsonNode row : rows) {
        figures |= row.path(name).isNumber();
      }
      table.column(name, name, figures);
    }
    for (JsonNode row : rows) {
      List<Table.Cell> cells = new ArrayList<>();
      for (String name : names) {
        JsonNode value = row.path(name);
        cells.add(value.isNumber() ? Table.Cell.of(value.asLong()) : Table.Cell.of(value.asText()));
      }
      table.row(cells.toArray(new Table.Cell[0]));
    }
    return table;
  }

  private int infeasible(ResidencyProblem.Misfit misfit) {
    if (json) {
      ObjectNode text = new ObjectMapper().createObjectNode();
      text.put("schemaVersion", 1).put("status", Status.INFEASIBLE.name());
      if (misfit.space() != null) {
        text.put("memory", misfit.space().name()).put("op", misfit.op());
      }
      misfit.buffers().forEach(text.putArray("irreducible")::add);
      print(text);
    }
    String where =
        misfit.space() == null
            ? "the memories cannot hold together "
            : String.format(
                Locale.ROOT,
                "at op \"%s\" memory \"%s\" of %d bytes has to hold together ",
                misfit.op(),
                misfit.space().name(),
                misfit.space().capacity());
    err.println("stowage: infeasible: " + where + String.join(", ", misfit.buffers()));
    return ExitCode.INFEASIBLE;
  }

  /** Required, available and excess bytes of each memory, and what the plan takes. */
  private void memories(ResidencySolver.Answer answer, ArrayNode rows) {
    int fast = problem.map().fastCount();
    for (int m = 0; m < fast; m++) {
      long peak = 0;
      for (ResidencyPlan.Segment segment : answer.plan().segments()) {
        long top = segment.offset() + problem.items().get(segment.item()).bytes();
        peak = segment.memory() == m ? Math.max(peak, top) : peak;
      }
      row(rows, problem.map().space(m), required(m), peak);
    }
    for (int m = fast; m < problem.map().count(); m++) {
      long top = 0;
      for (int i = 0; i < problem.items().size(); i++) {
        if (problem.items().get(i).home() == m && answer.plan().homeOffsets()[i] >= 0) {
          top = Math.max(top, answer.plan().homeOffsets()[i] + problem.items().get(i).bytes());
        }
      }
      row(rows, problem.map().space(m), top, top);
    }
  }

  /** Bytes that would keep all results and scratch in a fast memory, and what has to be there. */
  private long required(int memory) {
    long[] loads = problem.pinned(memory);
    for (HeldBuffer item : problem.items()) {
      if (memory >= problem.levels(item)) {
        continue;
      }
      boolean weight = item.kind() == MemoryMap.Kind.WEIGHTS;
      for (int t = item.first(); !weight && t <= item.last(); t++) {
        loads[t] += item.bytes();
      }
      for (HeldBuffer.Event event : item.events()) {
        boolean has = weight && problem.onlyAccess(item, event.step()) == memory;
        loads[event.step()] += has ? item.bytes() : 0;
      }
    }
    return Arrays.stream(loads).max().orElse(0);
  }

  private static void row(ArrayNode rows, MemoryMap.Space space, long required, long peak) {
    rows.addObject()
        .put("name", space.name())
        .put("capacity", space.capacity())
        .put("required", required)
        .put("available", Math.max(0, space.capacity() - peak))
        .put("excess", Math.max(0, required - space.capacity()))
        .put("peak", peak);
  }

  /** Where everything is, in fast memories and in homes. */
  private List<PlacesTables.Place> places(ResidencyPlan plan) {
    List<PlacesTables.Place> places = new ArrayList<>();
    for (ResidencyPlan.Segment segment : plan.segments()) {
      HeldBuffer item = problem.items().get(segment.item());
      long address = problem.map().space(segment.memory()).base() + segment.offset();
      places.add(
          new PlacesTables.Place(
              item.id(), segment.memory(), address, item.bytes(), segment.from(), segment.to()));
    }
    for (int i = 0; i < problem.items().size(); i++) {
      HeldBuffer item = problem.items().get(i);
      if (plan.homeOffsets()[i] >= 0) {
        long address = problem.map().space(item.home()).base() + plan.homeOffsets()[i];
        places.add(
            new PlacesTables.Place(
                item.id(),
                item.home(),
                address,
                item.bytes(),
                item.homeFrom(),
                item.homeTo(problem.steps())));
      }
    }
    return places;
  }

  private void write(ResidencySolver.Answer answer, Path folder) {
    ResidencyPlan plan = answer.plan();
    AnswerFolder files = new AnswerFolder(folder);
    List<PlacesTables.Place> places = places(plan);
    List<String> memories = new ArrayList<>();
    for (int m = 0; m < problem.map().count(); m++) {
      memories.add(problem.map().space(m).name());
    }
    StringBuilder segments = new StringBuilder("buffer,memory,offset,bytes,from,to\n");
    for (PlacesTables.Place place : places) {
      segments
          .append(Table.quoted(place.tensor()))
          .append(',')
          .append(memories.get(place.memory()));
      segments.append(',').append(place.address()).append(',').append(place.bytes()).append(',');
      segments.append(place.from()).append(',').append(place.to()).append('\n');
    }
    files.writeString("residency.csv", segments.toString());
    List<PlacesTables.Copy> copies =
        plan.moves().stream()
            .map(
                move ->
                    new PlacesTables.Copy(
                        problem.items().get(move.item()).id(),
                        move.from(),
                        move.to(),
                        move.step(),
                        problem.items().get(move.item()).bytes()))
            .toList();
    files.writeString("residency.h", PlacesTables.c(name, memories, places, copies));
    StringBuilder order = new StringBuilder();
    problem.ops().forEach(op -> order.append(op.name()).append('\n'));
    files.writeString("order.txt", order.toString());
    StringBuilder moves = new StringBuilder("buffer,from,to,step,op,bytes,start_ns,end_ns\n");
    for (ResidencyPlan.Move move : plan.moves()) {
      moves
          .append(Table.quoted(problem.items().get(move.item()).id()))
          .append(',')
          .append(problem.map().space(move.from()).name())
          .append(',')
          .append(problem.map().space(move.to()).name())
          .append(',')
          .append(move.step())
          .append(',')
          .append(Table.quoted(problem.ops().get(move.step()).name()))
          .append(',')
          .append(problem.items().get(move.item()).bytes())
          .append(',')
          .append(move.startNanos())
          .append(',')
          .append(move.endNanos())
          .append('\n');
    }
    files.writeString("transfers.csv", moves.toString());
    String title = name + " over the memories of " + problem.map().name();
    String figures =
        String.format(
            Locale.ROOT,
            "%,d bytes moved, %,d transfers, %,.3f ms; %s %,d, lower bound %,d",
            answer.moved(),
            plan.moves().size(),
            answer.nanoseconds() / 1e6,
            problem.byTime() ? "nanoseconds" : "bytes",
            answer.price(),
            answer.bound());
    String picture = MemoriesSvg.of(problem, plan, title, figures);
    files.writeString("memories.svg", picture);
    Status status = answer.price() == answer.bound() ? Status.OPTIMAL : Status.FEASIBLE;
    PageFrame page = PageFrame.of(title).status(status.name()).sentence(figures);
    files.writeString("memories.html", MemoriesHtml.of(problem, plan).addTo(page).page());
  }

  /**
   * Compares the known rules with the optimum; gives the exit code.
   *
   * @param format of what is printed
   * @param folder for compare.json, .csv and .md; null for none
   */
  int compare(RunControl control, CompareCommand.Format format, Path folder) {
    ResidencyProblem.Misfit misfit = problem.misfit();
    if (misfit != null) {
      return infeasible(misfit);
    }
    ObjectNode text = new ObjectMapper().createObjectNode();
    text.put("schemaVersion", 1).put("map", problem.map().name());
    text.put("objective", problem.byTime() ? "time" : "traffic");
    ArrayNode rows = text.putArray("rules");
    AccessTable table = new AccessTable(problem);
    for (ResidencyGreedy rule : ResidencyGreedy.values()) {
      ResidencyChoice choice = rule.choose(table);
      ResidencySolver.Answer answer =
          ResidencySolver.planned(problem, choice, 0, control, RULE_SECONDS);
      add(rows, rule.label(), answer);
    }
    ResidencySolver.Answer best = ResidencySolver.solve(problem, control);
    add(rows, "stowage", best.plan() == null ? null : best);
    text.put("lowerBound", best.bound());
    Table made = table(rows);
    if (folder != null) {
      AnswerFolder files = new AnswerFolder(folder);
      files.writeString("compare.json", text.toPrettyString() + "\n");
      files.writeString("compare.csv", made.csv());
      files.writeString("compare.md", made.markdown());
    }
    switch (format) {
      case CSV -> out.print(made.csv());
      case MARKDOWN -> out.print(made.markdown());
      default -> print(text);
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void add(ArrayNode rows, String name, ResidencySolver.Answer answer) {
    ObjectNode row = rows.addObject().put("name", name);
    if (answer == null) {
      row.put("status", "no addresses within the capacity");
    } else {
      row.put("price", answer.price())
          .put("trafficBytes", answer.moved())
          .put("nanoseconds", answer.nanoseconds());
    }
  }
}

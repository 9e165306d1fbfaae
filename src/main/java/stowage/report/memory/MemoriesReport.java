package stowage.report.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.importer.own.PlacesTables;
import stowage.network.memory.MemoryMap;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.Table;
import stowage.report.page.PageFrame;
import stowage.residency.ResidencySolver;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.memory.ResidencyTiming;

/** Answer of a network's plan over the memories of a map: as JSON, for people, and as files. */
public record MemoriesReport(String name, ResidencyProblem problem) {
  /** What people read of the fields of an answer; the others are in its first line or its JSON. */
  private static final Map<String, String> LABELS =
      Map.of(
          "trafficBytes", "moved",
          "nanoseconds", "time",
          "lostNanoseconds", "lost to small memory",
          "stallNanoseconds", "waiting for transfers",
          "lowerBound", "bound",
          "limit", "limit",
          "leastCapacity", "least capacity",
          "leastPrice", "at least");

  private static final Set<String> PRICES = Set.of("bound", "limit", "at least");

  public ObjectNode json(ResidencySolver.Answer answer, double seconds) {
    Status status = answer.isOptimal() ? Status.OPTIMAL : Status.FEASIBLE;
    ObjectNode text = head(problem.map().name(), status);
    text.put("objective", problem.byTime() ? "time" : "traffic");
    text.put("price", answer.price()).put("lowerBound", answer.bound()).put("boundKind", "cp-sat");
    text.put("trafficBytes", answer.moved()).put("nanoseconds", answer.nanoseconds());
    long least = ResidencyTiming.leastNanoseconds(problem);
    text.put("lostNanoseconds", Math.max(0, answer.nanoseconds() - least));
    long busy = 0;
    for (int t = 0; t < problem.steps(); t++) {
      busy += answer.plan().ends()[t] - answer.plan().starts()[t];
    }
    text.put("stallNanoseconds", answer.nanoseconds() - busy);
    memories(answer, text.putArray("memories"));
    text.put("seconds", Math.round(seconds * 1000) / 1000.0);
    return text;
  }

  /**
   * A plan as JSON, with the plan itself by the numbers of buffers and memories, as {@link
   * MemoriesClaim} reads it.
   *
   * @param rules by which the network was planned, except for its order
   */
  ObjectNode whole(ResidencySolver.Answer answer, double seconds, Map<String, Object> rules) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode text = json(answer, seconds);
    Map<String, Object> all = new LinkedHashMap<>(rules);
    all.put("schedule", problem.ops().stream().map(ResidencyProblem.Step::name).toList());
    text.putObject("network").set("plannedAs", mapper.valueToTree(all));
    ArrayNode buffers = text.putArray("buffers");
    problem.items().forEach(item -> buffers.add(item.id()));
    text.set("plan", mapper.valueToTree(answer.plan()));
    return text;
  }

  /** What each answer begins with: its status, and the map by name. */
  public static ObjectNode head(String map, Status status) {
    ObjectNode text = new ObjectMapper().createObjectNode();
    return text.put("schemaVersion", 1).put("status", status.name()).put("map", map);
  }

  /** What cannot be held together, as JSON. */
  public static ObjectNode misfitJson(String map, ResidencyProblem.Misfit misfit) {
    ObjectNode text = head(map, Status.INFEASIBLE);
    if (misfit.space() != null) {
      text.put("memory", misfit.space().name()).put("op", misfit.op());
    }
    misfit.buffers().forEach(text.putArray(misfit.irreducible() ? "irreducible" : "together")::add);
    return text;
  }

  /** The same in words. */
  public static String misfit(ResidencyProblem.Misfit misfit) {
    MemoryMap.Space space = misfit.space();
    String where =
        space == null
            ? "the memories cannot hold together "
            : "at op \"%s\" memory \"%s\" of %s has to hold together "
                .formatted(misfit.op(), space.name(), ByteText.both(space.capacity()));
    return where + String.join(", ", misfit.buffers());
  }

  /** An answer for people: its status, its figures with units, and its rows. */
  public String words(ObjectNode answer) {
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
        boolean bytes = answer.has("limit") && label.equals("bound");
        boolean price = PRICES.contains(label) && problem.byTime() && !bytes;
        boolean time = field.getKey().endsWith("anoseconds") || price;
        facts.row(label, time ? milliseconds(figure) : ByteText.both(figure));
      }
    }
    text.append(facts.text("  "));
    for (Map.Entry<String, JsonNode> field : answer.properties()) {
      if (field.getKey().equals("rules")) {
        text.append(rules(field.getValue(), answer.path("lowerBound").asLong()));
      } else if (field.getValue().isArray()) {
        text.append(table(field.getValue()).text("  "));
      }
    }
    return text.toString();
  }

  /** Rules of what is in a fast memory, the best one last. */
  private String rules(JsonNode rules, long bound) {
    AlignedText table = new AlignedText("lrrrl");
    table.row("rule", "moved", "time", "above the bound", "");
    String best = null;
    long least = Long.MAX_VALUE;
    for (JsonNode rule : rules) {
      String name = rule.path("name").asText();
      if (!rule.has("price")) {
        table.row(name, "-", "-", "-", rule.path("status").asText());
        continue;
      }
      long price = rule.path("price").asLong();
      table.row(
          name,
          rule.path("trafficBytes").asLong(),
          milliseconds(rule.path("nanoseconds").asLong()),
          above(price, bound));
      if (price < least && !name.equals("stowage")) {
        least = price;
        best = name;
      }
    }
    String last = "best rule: " + best + ", " + above(least, bound) + " above the bound\n";
    return table.text("  ") + (best == null ? "" : last);
  }

  private static String above(long price, long bound) {
    return ByteText.percent(bound == 0 ? Double.NaN : (double) (price - bound) / bound);
  }

  static String milliseconds(long nanoseconds) {
    return String.format(Locale.ROOT, "%,.3f ms", nanoseconds / 1e6);
  }

  /** Rows of an answer as a table; a column for each field that one of them has. */
  public static Table table(JsonNode rows) {
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
      for (String name : names) {
        JsonNode value = row.path(name);
        table.cells(value.isNumber() ? Table.Cell.of(value.asLong()) : value.asText());
      }
    }
    return table;
  }

  /** Required, available and excess bytes of each memory, and what the plan takes. */
  private void memories(ResidencySolver.Answer answer, ArrayNode rows) {
    List<Stay> stays = Stay.of(problem, answer.plan());
    for (int m = 0; m < problem.map().count(); m++) {
      long top = Stay.top(stays, m);
      long required = m < problem.map().fastCount() ? required(m) : top;
      row(rows, problem.map().space(m), required, top);
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
        boolean has = weight && problem.onlyAccess(item, event) == memory;
        loads[event.step()] += has ? item.bytes() : 0;
      }
    }
    return Arrays.stream(loads).max().orElse(0);
  }

  private static void row(ArrayNode rows, MemoryMap.Space space, long required, long peak) {
    long capacity = space.capacity();
    ObjectNode row = rows.addObject().put("name", space.name()).put("capacity", capacity);
    row.put("required", required).put("available", Math.max(0, capacity - peak));
    row.put("excess", Math.max(0, required - capacity)).put("peak", peak);
  }

  private PlacesTables.Place place(Stay stay) {
    HeldBuffer item = stay.item();
    long address = problem.map().space(stay.memory()).base() + stay.offset();
    return new PlacesTables.Place(
        item.id(), stay.memory(), address, item.bytes(), stay.from(), stay.to());
  }

  /** The files of a plan: their names and texts; {@code rules} as of {@link #whole}. */
  public Map<String, String> files(
      ResidencySolver.Answer answer, double seconds, Map<String, Object> rules) {
    ResidencyPlan plan = answer.plan();
    Map<String, String> files = new LinkedHashMap<>();
    List<PlacesTables.Place> places = Stay.of(problem, plan).stream().map(this::place).toList();
    List<String> memories =
        IntStream.range(0, problem.map().count())
            .mapToObj(m -> problem.map().space(m).name())
            .toList();
    Table segments = new Table().texts("buffer", "memory").figures("offset", "bytes", "from", "to");
    for (PlacesTables.Place place : places) {
      segments.cells(place.tensor(), memories.get(place.memory()), place.address());
      segments.cells(place.bytes(), place.from(), place.to());
    }
    files.put("residency.csv", segments.csv());
    List<PlacesTables.Copy> copies = new ArrayList<>();
    Table moves = new Table().texts("buffer", "from", "to").figures("step").texts("op");
    moves.figures("bytes", "start_ns", "end_ns");
    for (ResidencyPlan.Move move : plan.moves()) {
      HeldBuffer item = problem.items().get(move.item());
      moves.cells(item.id(), memories.get(move.from()), memories.get(move.to()), move.step());
      moves.cells(problem.ops().get(move.step()).name(), item.bytes());
      moves.cells(move.startNanos(), move.endNanos());
      copies.add(
          new PlacesTables.Copy(item.id(), move.from(), move.to(), move.step(), item.bytes()));
    }
    files.put("residency.h", PlacesTables.c(name, memories, places, copies));
    StringBuilder order = new StringBuilder();
    problem.ops().forEach(op -> order.append(op.name()).append('\n'));
    files.put("order.txt", order.toString());
    files.put("transfers.csv", moves.csv());
    files.put("memories.json", whole(answer, seconds, rules).toPrettyString() + "\n");
    String title = name + " over the memories of " + problem.map().name();
    String moved = ByteText.both(answer.moved()) + " moved, ";
    String transfers = ByteText.count(plan.moves().size(), "transfer") + ", ";
    String time = milliseconds(answer.nanoseconds()) + "; ";
    String figures = moved + transfers + time + bound(problem, answer);
    files.put("memories.svg", MemoriesSvg.of(problem, plan, title, figures));
    Status status = answer.price() == answer.bound() ? Status.OPTIMAL : Status.FEASIBLE;
    PageFrame page = PageFrame.of(title).status(status.name()).sentence(figures);
    files.put("memories.html", MemoriesHtml.of(problem, plan).addTo(page).page());
    return files;
  }

  private static String bound(ResidencyProblem problem, ResidencySolver.Answer answer) {
    boolean time = problem.byTime();
    if (answer.price() == answer.bound()) {
      return time ? "no plan is faster" : "no plan moves fewer bytes";
    }
    return "lower bound " + (time ? milliseconds(answer.bound()) : ByteText.both(answer.bound()));
  }
}

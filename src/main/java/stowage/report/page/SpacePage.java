package stowage.report.page;

import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import stowage.text.JsonWriter;

/**
 * Address spaces over time, such as the caches of a kernel, on the scripts that draw plans: a
 * rectangle for each time that something is at an address; below are rows of what runs and moves.
 *
 * @param unit of sizes and addresses, such as {@code units}; empty for bytes
 * @param time of the axis: {@code cycles}, or {@code ms} where times are nanoseconds
 * @param spaces one or more
 * @param kinds names of the kinds of boxes, at most four
 * @param boxes what is where
 * @param barKinds name and colour of each kind of bar
 * @param lanes rows of bars
 */
public record SpacePage(
    String unit,
    String time,
    List<Space> spaces,
    List<String> kinds,
    List<Box> boxes,
    List<BarKind> barKinds,
    List<Lane> lanes) {

  /** An address space of a capacity, -1 for none, up to the end of its highest box. */
  public record Space(String name, long capacity, long peak) {}

  /**
   * Something at an address for a while.
   *
   * @param space index of its address space
   * @param note one more fact; may be empty
   */
  public record Box(
      String name, int space, long offset, long size, long from, long to, int kind, String note) {}

  /** What bars of one colour are. */
  public record BarKind(String name, String colour) {}

  /** A row of bars, in the order of time. */
  public record Lane(String name, List<Bar> bars) {}

  /** What runs from a time to a time. */
  public record Bar(long from, long to, int kind, String label) {}

  /** Adds the picture, its controls and a table of the boxes to a page. */
  public PageFrame addTo(PageFrame page) {
    String choice = PageFrame.choice(spaces.stream().map(Space::name).toList());
    Map<String, String> parts =
        Map.of("memories", choice, "controls", PageTemplate.resource("controls.html"));
    return page.html(PageTemplate.fill("spaces.html", parts))
        .view(json(), "plan-model.js", "plan-view.js", "plan-controls.js");
  }

  private String json() {
    return JsonWriter.text(
        json -> {
          json.object();
          if (!unit.isEmpty()) {
            json.put("unit", unit);
          }
          json.put("time", time).put("mainMemory", 0);
          json.array("memories", spaces, space -> write(json, space));
          long end = boxes.stream().mapToLong(Box::to).max().orElse(1);
          for (Lane lane : lanes) {
            end = Math.max(end, lane.bars().stream().mapToLong(Bar::to).max().orElse(1));
          }
          json.list("steps", new long[] {0, end}).list("kinds", kinds);
          writeBoxes(json);
          writeLanes(json);
          json.end();
        });
  }

  private static void write(JsonWriter json, Space space) {
    json.object().put("name", space.name()).bytes("capacity", space.capacity());
    json.put("peak", space.peak()).put("bound", 0).end();
  }

  private void writeBoxes(JsonWriter json) {
    json.list("id", boxes.stream().map(Box::name).toList());
    column(json, "memory", Box::space);
    column(json, "lower", Box::from);
    column(json, "upper", Box::to);
    column(json, "size", Box::size);
    column(json, "offset", Box::offset);
    json.list("kind", boxes.stream().map(box -> kinds.get(box.kind())).toList());
    json.list("note", boxes.stream().map(Box::note).toList());
  }

  private void writeLanes(JsonWriter json) {
    json.array("laneKinds", barKinds, kind -> json.value(List.of(kind.name(), kind.colour())));
    json.array("lanes", lanes, lane -> write(json, lane));
  }

  private static void write(JsonWriter json, Lane lane) {
    json.object().put("name", lane.name());
    json.array("bars", lane.bars(), bar -> write(json, bar)).end();
  }

  private static void write(JsonWriter json, Bar bar) {
    json.array().add(bar.from()).add(bar.to()).add(bar.kind()).add(bar.label()).end();
  }

  private void column(JsonWriter json, String field, ToLongFunction<Box> of) {
    json.list(field, boxes.stream().mapToLong(of).toArray());
  }
}

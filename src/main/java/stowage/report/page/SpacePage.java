package stowage.report.page;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import stowage.report.format.JsonLayout;
import stowage.report.svg.Markup;

/**
 * Address spaces over time, such as the caches of a kernel, on the scripts that draw plans: a
 * rectangle for each time that something is at an address, and below them rows of what runs and
 * what moves.
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

  /**
   * An address space.
   *
   * @param capacity its size; -1 for none
   * @param peak end of the highest box
   */
  public record Space(String name, long capacity, long peak) {}

  /**
   * Something at an address for a while.
   *
   * @param space index of its address space
   * @param from when it comes
   * @param to when it goes
   * @param kind index of its kind
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
    StringBuilder choice = new StringBuilder();
    if (spaces.size() > 1) {
      choice.append("<label>memory <select id=\"memory\"><option value=\"-1\">all</option>");
      for (int m = 0; m < spaces.size(); m++) {
        choice.append("<option value=\"").append(m).append("\">");
        choice.append(Markup.escape(spaces.get(m).name())).append("</option>");
      }
      choice.append("</select></label>\n");
    }
    Map<String, String> parts =
        Map.of("memories", choice.toString(), "controls", PageTemplate.resource("controls.html"));
    return page.html(PageTemplate.fill("spaces.html", parts))
        .view(json(), "plan-model.js", "plan-view.js", "plan-controls.js");
  }

  private String json() {
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          if (!unit.isEmpty()) {
            json.writeStringField("unit", unit);
          }
          json.writeStringField("time", time);
          json.writeNumberField("mainMemory", 0);
          writeSpaces(json);
          long end = boxes.stream().mapToLong(Box::to).max().orElse(1);
          for (Lane lane : lanes) {
            end = Math.max(end, lane.bars().stream().mapToLong(Bar::to).max().orElse(1));
          }
          longs(json, "steps", new long[] {0, end});
          json.writeFieldName("kinds");
          json.writeArray(kinds.toArray(String[]::new), 0, kinds.size());
          writeBoxes(json);
          writeLanes(json);
          json.writeEndObject();
        });
  }

  private void writeSpaces(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("memories");
    for (Space space : spaces) {
      json.writeStartObject();
      json.writeStringField("name", space.name());
      JsonLayout.writeBytes(json, "capacity", space.capacity());
      json.writeNumberField("peak", space.peak());
      json.writeNumberField("bound", 0);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeBoxes(JsonGenerator json) throws IOException {
    texts(json, "id", boxes.stream().map(Box::name).toArray(String[]::new));
    column(json, "memory", Box::space);
    column(json, "lower", Box::from);
    column(json, "upper", Box::to);
    column(json, "size", Box::size);
    column(json, "offset", Box::offset);
    texts(json, "kind", boxes.stream().map(box -> kinds.get(box.kind())).toArray(String[]::new));
    texts(json, "note", boxes.stream().map(Box::note).toArray(String[]::new));
  }

  private void writeLanes(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("laneKinds");
    for (BarKind kind : barKinds) {
      json.writeArray(new String[] {kind.name(), kind.colour()}, 0, 2);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("lanes");
    for (Lane lane : lanes) {
      json.writeStartObject();
      json.writeStringField("name", lane.name());
      json.writeArrayFieldStart("bars");
      for (Bar bar : lane.bars()) {
        json.writeStartArray();
        json.writeNumber(bar.from());
        json.writeNumber(bar.to());
        json.writeNumber(bar.kind());
        json.writeString(bar.label());
        json.writeEndArray();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void column(JsonGenerator json, String field, ToLongFunction<Box> of) throws IOException {
    longs(json, field, boxes.stream().mapToLong(of).toArray());
  }

  private static void longs(JsonGenerator json, String field, long[] values) throws IOException {
    json.writeFieldName(field);
    json.writeArray(values, 0, values.length);
  }

  private static void texts(JsonGenerator json, String field, String[] values) throws IOException {
    json.writeFieldName(field);
    json.writeArray(values, 0, values.length);
  }
}

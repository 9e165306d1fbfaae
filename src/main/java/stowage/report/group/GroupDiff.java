package stowage.report.group;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.report.format.AlignedText;
import stowage.report.plan.PlanJson;
import stowage.text.JsonWriter;

/**
 * How two groupings of one network differ, from their {@code groups.json}: the figures of each, the
 * groups of the same ops, with other slices or addresses where they have some, and the groups that
 * one of them alone has.
 */
public final class GroupDiff {
  private static final int MOST_SHOWN = 20;
  private static final List<String> SUMMED = List.of("clashes", "operandClashes", "bankCrossings");

  private final Side first;
  private final Side second;
  private final Map<String, long[]> figures = new LinkedHashMap<>();
  private final List<String> resliced = new ArrayList<>();
  private final List<String> readdressed = new ArrayList<>();
  private int same;

  private record Side(String name, JsonNode answer, Map<String, JsonNode> groups) {
    static Side of(String name, JsonNode answer) {
      Map<String, JsonNode> groups = new LinkedHashMap<>();
      for (JsonNode group : answer.path("groups")) {
        if (group.path("grouped").asBoolean()) {
          groups.put(ops(group), group);
        }
      }
      return new Side(name, answer, groups);
    }

    List<String> without(Side other) {
      return groups.keySet().stream().filter(ops -> !other.groups.containsKey(ops)).toList();
    }

    long sum(String field) {
      return groups.values().stream().mapToLong(group -> group.path(field).asLong()).sum();
    }
  }

  private GroupDiff(Side first, Side second) {
    this.first = first;
    this.second = second;
    for (String field : List.of("trafficBytes", "cycles", "lmemPeak")) {
      figure(field, first.answer.path(field).asLong(), second.answer.path(field).asLong());
    }
    SUMMED.forEach(field -> figure(field, first.sum(field), second.sum(field)));
    long gmem = first.answer.at("/gmem/peak").asLong(-1);
    long other = second.answer.at("/gmem/peak").asLong(-1);
    if (gmem >= 0 && other >= 0) {
      figure("gmem", gmem, other);
    }
    figure("groups", first.groups.size(), second.groups.size());
    for (Map.Entry<String, JsonNode> entry : first.groups.entrySet()) {
      JsonNode theirs = second.groups.get(entry.getKey());
      if (theirs == null) {
        continue;
      }
      same++;
      if (!entry.getValue().path("secs").equals(theirs.path("secs"))) {
        resliced.add(entry.getKey());
      } else if (moved(entry.getValue().path("buffers"), theirs.path("buffers"))) {
        readdressed.add(entry.getKey());
      }
    }
  }

  private void figure(String name, long before, long after) {
    figures.put(name, new long[] {before, after});
  }

  /** Compares the answers of two runs on one network. O(groups + buffers). */
  public static GroupDiff of(String first, JsonNode before, String second, JsonNode after) {
    return new GroupDiff(Side.of(first, before), Side.of(second, after));
  }

  public static boolean isGrouping(JsonNode document) {
    return document.path("groups").isArray() && document.has("partition");
  }

  private static String ops(JsonNode group) {
    List<String> members = new ArrayList<>();
    group.path("members").forEach(member -> members.add(member.asText()));
    return group.has("members")
        ? String.join(",", members)
        : group.path("first").asInt() + "-" + group.path("last").asInt();
  }

  private static boolean moved(JsonNode before, JsonNode after) {
    Map<String, JsonNode> offsets = new LinkedHashMap<>();
    before.forEach(buffer -> offsets.put(buffer.path("id").asText(), buffer.path("offset")));
    for (JsonNode buffer : after) {
      JsonNode old = offsets.get(buffer.path("id").asText());
      if (old != null && !old.equals(buffer.path("offset"))) {
        return true;
      }
    }
    return false;
  }

  /** Whether both have the same groups with the same slices and addresses. */
  public boolean isSame() {
    return first.groups.keySet().equals(second.groups.keySet())
        && resliced.isEmpty()
        && readdressed.isEmpty();
  }

  /** The comparison for a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(first.answer.at("/network/name").asText()).append(" on ");
    text.append(first.answer.path("chip").asText()).append(": ");
    text.append(first.name).append(" -> ").append(second.name).append("\n\n");
    AlignedText table = new AlignedText("lrrr").row("figure", "first", "second", "change");
    figures.forEach((name, values) -> table.row(name, values[0], values[1], change(values)));
    text.append(table.text("  ")).append('\n');
    text.append(same).append(" groups have the same ops");
    text.append(resliced.isEmpty() ? "" : ", " + resliced.size() + " of them with other slices");
    text.append(readdressed.isEmpty() ? "" : ", " + readdressed.size() + " with other addresses");
    text.append('\n');
    list(text, "other slices", resliced);
    list(text, "only in " + first.name, first.without(second));
    list(text, "only in " + second.name, second.without(first));
    return text.toString();
  }

  private static String change(long[] values) {
    if (values[0] == values[1]) {
      return "";
    }
    return values[0] == 0
        ? String.format(Locale.ROOT, "%+,d", values[1])
        : String.format(Locale.ROOT, "%+.1f %%", 100.0 * (values[1] - values[0]) / values[0]);
  }

  private static void list(StringBuilder text, String what, List<String> groups) {
    if (groups.isEmpty()) {
      return;
    }
    List<String> shown = groups.subList(0, Math.min(MOST_SHOWN, groups.size()));
    text.append(what).append(": ops ").append(String.join("; ", shown));
    text.append(shown.size() < groups.size() ? "; and more" : "").append('\n');
  }

  /** The comparison as one JSON object. */
  public String json() {
    return JsonWriter.text(this::write);
  }

  private void write(JsonWriter json) {
    json.object().put("schemaVersion", PlanJson.SCHEMA_VERSION).put("first", first.name);
    json.put("second", second.name).put("same", isSame()).object("figures");
    figures.forEach(json::list);
    json.end().put("sameOps", same);
    json.list("otherSlices", resliced).list("otherAddresses", readdressed);
    json.list("onlyFirst", first.without(second)).list("onlySecond", second.without(first)).end();
  }
}

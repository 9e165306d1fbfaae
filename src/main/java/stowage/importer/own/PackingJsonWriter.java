package stowage.importer.own;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;

/** Writes one file of {@link PackingJson}; fields that hold their default are left out. */
final class PackingJsonWriter {
  private final PackingProblem problem;

  PackingJsonWriter(PackingProblem problem) {
    this.problem = problem;
  }

  void write(OutputStream stream) throws IOException {
    Writer out = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    out.write("{\n  \"schemaVersion\": " + PackingJson.SCHEMA_VERSION + ",\n");
    out.write("  \"name\": " + quoted(problem.name()) + ",\n");
    out.write("  \"memories\": [");
    String separator = "\n    ";
    for (Memory memory : problem.memories()) {
      out.write(separator + text(memory));
      separator = ",\n    ";
    }
    out.write("\n  ],\n  \"" + PackingJson.MARK + "\": [");
    separator = "\n    ";
    int index = 0;
    while (index < problem.size()) {
      out.write(separator);
      out.write(text(index++));
      separator = ",\n    ";
    }
    out.write(problem.size() == 0 ? "]" : "\n  ]");
    if (!problem.conflicts().isEmpty()) {
      out.write(",\n  \"conflicts\": [");
      writePairs(out, problem.conflicts());
      out.write("\n  ]");
    }
    writeRelations(out);
    out.write("\n}\n");
    out.flush();
  }

  private void writeRelations(Writer out) throws IOException {
    Relations relations = problem.relations();
    if (!relations.exclusive().isEmpty()) {
      out.write(",\n  \"exclusive\": [");
      writePairs(out, relations.exclusive());
      out.write("\n  ]");
    }
    List<String> prices = new ArrayList<>();
    for (Relations.Reuse pair : relations.reuse()) {
      String reason = pair.reason().isEmpty() ? "" : ", \"reason\": " + quoted(pair.reason());
      prices.add(ends(pair.first(), pair.second()) + ", \"weight\": " + pair.weight() + reason);
    }
    writeObjects(out, "reuse", prices);
    List<String> groups = new ArrayList<>();
    for (Relations.Together pair : relations.together()) {
      groups.add(ends(pair.first(), pair.second()) + ", \"distance\": " + pair.distance());
    }
    writeObjects(out, "together", groups);
    if (!problem.goals().isEmpty()) {
      List<String> words = problem.goals().stream().map(goal -> quoted(goal.word())).toList();
      out.write(",\n  \"objective\": " + list(words));
    }
  }

  private String ends(int first, int second) {
    return "\"a\": %s, \"b\": %s"
        .formatted(quoted(problem.buffer(first).id()), quoted(problem.buffer(second).id()));
  }

  private static void writeObjects(Writer out, String field, List<String> objects)
      throws IOException {
    if (objects.isEmpty()) {
      return;
    }
    out.write(",\n  \"" + field + "\": [");
    String separator = "\n    {";
    for (String object : objects) {
      out.write(separator + object + "}");
      separator = ",\n    {";
    }
    out.write("\n  ]");
  }

  private void writePairs(Writer out, ConflictPairs pairs) throws IOException {
    String separator = "\n    ";
    for (int i = 0; i < problem.size(); i++) {
      for (int other : pairs.of(i)) {
        if (other > i) {
          out.write(separator);
          out.write(
              "[%s, %s]"
                  .formatted(quoted(problem.buffer(i).id()), quoted(problem.buffer(other).id())));
          separator = ",\n    ";
        }
      }
    }
  }

  private static String text(Memory memory) {
    StringBuilder text = new StringBuilder("{\"name\": ").append(quoted(memory.name()));
    optional(text, "capacity", memory.capacity(), Memory.UNBOUNDED);
    optional(text, "alignment", memory.alignment(), 1);
    optional(text, "base", memory.base(), 0);
    optional(text, "bankSize", memory.bankSize(), 0);
    if (!memory.reserved().isEmpty()) {
      List<String> ranges = new ArrayList<>();
      for (ReservedRange range : memory.reserved()) {
        ranges.add("{\"from\": " + range.from() + ", \"to\": " + range.to() + "}");
      }
      text.append(", \"reserved\": ").append(list(ranges));
    }
    return text.append('}').toString();
  }

  private String text(int index) {
    Buffer buffer = problem.buffer(index);
    StringBuilder text = new StringBuilder(96);
    text.append("{\"id\": ").append(quoted(buffer.id()));
    text.append(", \"lower\": ").append(buffer.live().start());
    text.append(", \"upper\": ").append(buffer.live().end());
    text.append(", \"size\": ").append(buffer.size());
    optional(text, "alignment", buffer.alignment(), 1);
    optional(text, "offset", buffer.fixedOffset(), Buffer.NONE);
    optional(text, "hint", buffer.hint(), Buffer.NONE);
    if (!buffer.gaps().isEmpty()) {
      text.append(", \"gaps\": ")
          .append(list(buffer.gaps().stream().map(PackingJsonWriter::text).toList()));
    }
    if (!buffer.memories().isEmpty()) {
      text.append(", \"memories\": ")
          .append(list(buffer.memories().stream().map(PackingJsonWriter::quoted).toList()));
    }
    if (buffer.withinBank()) {
      text.append(", \"withinBank\": true");
    }
    if (buffer.holdsPlace()) {
      text.append(", \"holdsPlace\": true");
    }
    List<String> others = new ArrayList<>();
    for (int other : problem.relations().otherBank().of(index)) {
      if (other > index) {
        others.add(quoted(problem.buffer(other).id()));
      }
    }
    if (!others.isEmpty()) {
      text.append(", \"otherBankThan\": ").append(list(others));
    }
    return text.append('}').toString();
  }

  private static String text(Gap gap) {
    StringBuilder text = new StringBuilder("{\"lower\": ").append(gap.range().start());
    text.append(", \"upper\": ").append(gap.range().end());
    if (gap.windowStart() != 0 || gap.windowEnd() != 0) {
      text.append(", \"window\": [").append(gap.windowStart()).append(", ");
      text.append(gap.windowEnd()).append(']');
    }
    return text.append('}').toString();
  }

  private static String list(List<String> elements) {
    return elements.stream().collect(Collectors.joining(", ", "[", "]"));
  }

  private static void optional(StringBuilder text, String name, long value, long standard) {
    if (value != standard) {
      text.append(", \"").append(name).append("\": ").append(value);
    }
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}

package stowage.importer;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

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
    for (Buffer buffer : problem.buffers()) {
      out.write(separator);
      out.write(text(buffer));
      separator = ",\n    ";
    }
    out.write(problem.size() == 0 ? "]" : "\n  ]");
    if (!problem.conflicts().isEmpty()) {
      out.write(",\n  \"conflicts\": [");
      writeConflicts(out);
      out.write("\n  ]");
    }
    out.write("\n}\n");
    out.flush();
  }

  private void writeConflicts(Writer out) throws IOException {
    String separator = "\n    ";
    for (int i = 0; i < problem.size(); i++) {
      for (int other : problem.conflicts().of(i)) {
        if (other > i) {
          out.write(separator);
          out.write(
              "["
                  + quoted(problem.buffer(i).id())
                  + ", "
                  + quoted(problem.buffer(other).id())
                  + "]");
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
    return text.append('}').toString();
  }

  private static String text(Buffer buffer) {
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

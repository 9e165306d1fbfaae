package stowage.report.plan;

import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.PackingProblem;
import stowage.report.FigureSize;
import stowage.report.svg.SizeClasses;
import stowage.text.JsonWriter;

/** Columns of a packing problem in the JSON of pages: one array a field of the buffers. */
public final class ProblemColumns {
  private ProblemColumns() {}

  /** The size in which the page saves its view; nothing for the usual one. */
  public static void writeFigureSize(JsonWriter json, FigureSize size) {
    if (size.isChosen()) {
      json.object("figure").put("width", size.width()).put("height", size.height());
      json.put("font", size.font()).end();
    }
  }

  /** Size classes with their colours, and the sequential palette. */
  public static void writeColours(JsonWriter json, PackingProblem problem) {
    SizeClasses classes = SizeClasses.of(problem);
    json.array("sizeClasses");
    for (int c = 0; c < classes.count(); c++) {
      json.object().put("from", classes.from(c)).put("colour", classes.colour(c));
      json.put("ink", classes.ink(c)).put("label", classes.label(c)).end();
    }
    json.end().value("palette", SizeClasses.palette());
  }

  /** Names, live ranges, sizes and gaps. */
  public static void writeBuffers(JsonWriter json, PackingProblem problem) {
    List<Buffer> buffers = problem.buffers();
    json.list("id", buffers.stream().map(Buffer::id).toList());
    json.list("lower", buffers.stream().mapToInt(buffer -> buffer.live().start()).toArray());
    json.list("upper", buffers.stream().mapToInt(buffer -> buffer.live().end()).toArray());
    json.list("size", buffers.stream().mapToLong(Buffer::size).toArray());
    json.object("gaps");
    for (int i = 0; i < problem.size(); i++) {
      if (problem.buffer(i).gaps().isEmpty()) {
        continue;
      }
      json.array(Integer.toString(i), problem.buffer(i).gaps(), gap -> write(json, gap));
    }
    json.end();
  }

  private static void write(JsonWriter json, Gap gap) {
    json.array().add(gap.range().start()).add(gap.range().end());
    json.add(gap.windowStart()).add(gap.windowEnd()).end();
  }
}

package stowage.report.plan;

import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.report.FigureSize;
import stowage.report.svg.Frame;
import stowage.report.svg.SizeClasses;
import stowage.text.JsonWriter;

/** Columns of a packing problem in the JSON of pages: one array a field of the buffers. */
public final class ProblemColumns {
  private ProblemColumns() {}

  /** The first and the last step shown. */
  public static void writeSteps(JsonWriter json, PackingProblem problem) {
    json.list("steps", Frame.steps(problem));
  }

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
    json.end().array("palette", List.of(SizeClasses.palette()), pair -> json.list(pair));
  }

  /** Names, live ranges, sizes and gaps. */
  public static void writeBuffers(JsonWriter json, PackingProblem problem) {
    int count = problem.size();
    String[] ids = new String[count];
    int[] lower = new int[count];
    int[] upper = new int[count];
    long[] sizes = new long[count];
    for (int i = 0; i < count; i++) {
      Buffer buffer = problem.buffer(i);
      ids[i] = buffer.id();
      lower[i] = buffer.live().start();
      upper[i] = buffer.live().end();
      sizes[i] = buffer.size();
    }
    json.list("id", ids).list("lower", lower).list("upper", upper).list("size", sizes);
    writeGaps(json, problem);
  }

  private static void writeGaps(JsonWriter json, PackingProblem problem) {
    json.object("gaps");
    for (int i = 0; i < problem.size(); i++) {
      if (problem.buffer(i).gaps().isEmpty()) {
        continue;
      }
      json.array(Integer.toString(i));
      for (Gap gap : problem.buffer(i).gaps()) {
        LiveRange range = gap.range();
        long[] fields = {range.start(), range.end(), gap.windowStart(), gap.windowEnd()};
        json.list(fields);
      }
      json.end();
    }
    json.end();
  }
}

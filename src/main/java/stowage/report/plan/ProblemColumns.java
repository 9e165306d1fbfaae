package stowage.report.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.report.FigureSize;
import stowage.report.svg.Frame;
import stowage.report.svg.SizeClasses;

/** Columns of a packing problem in the JSON of pages: one array a field of the buffers. */
public final class ProblemColumns {
  private ProblemColumns() {}

  /** The first and the last step shown. */
  public static void writeSteps(JsonGenerator json, PackingProblem problem) throws IOException {
    json.writeFieldName("steps");
    json.writeArray(Frame.steps(problem), 0, 2);
  }

  /** The size in which the page saves its view; nothing for the usual one. */
  public static void writeFigureSize(JsonGenerator json, FigureSize size) throws IOException {
    if (size.isChosen()) {
      json.writeObjectFieldStart("figure");
      json.writeNumberField("width", size.width());
      json.writeNumberField("height", size.height());
      json.writeNumberField("font", size.font());
      json.writeEndObject();
    }
  }

  /** Size classes with their colours, and the sequential palette. */
  public static void writeColours(JsonGenerator json, PackingProblem problem) throws IOException {
    SizeClasses classes = SizeClasses.of(problem);
    json.writeArrayFieldStart("sizeClasses");
    for (int c = 0; c < classes.count(); c++) {
      json.writeStartObject();
      json.writeNumberField("from", classes.from(c));
      json.writeStringField("colour", classes.colour(c));
      json.writeStringField("ink", classes.ink(c));
      json.writeStringField("label", classes.label(c));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("palette");
    for (String[] pair : SizeClasses.palette()) {
      json.writeArray(pair, 0, 2);
    }
    json.writeEndArray();
  }

  /** Names, live ranges, sizes and gaps. */
  public static void writeBuffers(JsonGenerator json, PackingProblem problem) throws IOException {
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
    json.writeFieldName("id");
    json.writeArray(ids, 0, count);
    json.writeFieldName("lower");
    json.writeArray(lower, 0, count);
    json.writeFieldName("upper");
    json.writeArray(upper, 0, count);
    json.writeFieldName("size");
    json.writeArray(sizes, 0, count);
    writeGaps(json, problem);
  }

  private static void writeGaps(JsonGenerator json, PackingProblem problem) throws IOException {
    json.writeObjectFieldStart("gaps");
    for (int i = 0; i < problem.size(); i++) {
      if (problem.buffer(i).gaps().isEmpty()) {
        continue;
      }
      json.writeArrayFieldStart(Integer.toString(i));
      for (Gap gap : problem.buffer(i).gaps()) {
        LiveRange range = gap.range();
        long[] fields = {range.start(), range.end(), gap.windowStart(), gap.windowEnd()};
        json.writeArray(fields, 0, fields.length);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}

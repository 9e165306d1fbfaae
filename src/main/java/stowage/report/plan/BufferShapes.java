package stowage.report.plan;

import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Gap;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.report.RunReport;
import stowage.report.format.NameText;
import stowage.report.svg.DensityRaster;
import stowage.report.svg.Frame;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;

/**
 * Shapes of the placed buffers of one memory: a rectangle for each part of a buffer's live range
 * with the bytes it needs there, dashed outlines where a gap leaves some of its bytes to others,
 * and the id where it fits.
 */
record BufferShapes(
    RunReport report,
    PackingProblem problem,
    Placement placement,
    Colouring colouring,
    List<String> names) {
  /** Beyond so many buffers a memory is drawn as a density picture. */
  static final int MOST_DRAWN = 20_000;

  /** Outline of buffers that the capacity cannot hold together. */
  static final Style BLOCKING = Style.filled("none").stroke("#c0392b", 2);

  private static final double SMALLEST_FONT = 7;
  private static final double LARGEST_FONT = 11;
  private static final int RASTER_COLUMNS = 1200;
  private static final int RASTER_ROWS = 640;

  BufferShapes(RunReport report, Colouring colouring) {
    this(
        report,
        report.problem(),
        report.plan().placement(),
        colouring,
        NameText.distinct(report.problem().buffers().stream().map(Buffer::id).toList()));
  }

  /** Whether a plan has too many buffers to draw each. */
  static boolean isDense(PackingProblem problem) {
    return problem.size() > MOST_DRAWN;
  }

  void draw(SvgWriter svg, Frame frame, int memory) {
    if (isDense(problem)) {
      drawDensity(svg, frame, memory);
      return;
    }
    int[] here = IntStream.range(0, problem.size()).filter(i -> isHere(i, memory)).toArray();
    for (int c = 0; c < colouring.labels().size(); c++) {
      svg.start("g", Style.filled(colouring.colours().get(c)[0]).stroke("#ffffff", 0.6)).line();
      for (int i : here) {
        if (colouring.of()[i] == c) {
          drawBuffer(svg, frame, i);
        }
      }
      svg.end().line();
    }
    svg.start("g", Style.filled("none").stroke("#5b6770", 0.8).dash("3 2")).line();
    for (int i : here) {
      long low = placement.offset(i);
      for (Gap gap : problem.buffer(i).gaps()) {
        long high = low + problem.buffer(i).size();
        frame.box(svg, gap.range().start(), gap.range().end(), low, high, Style.NONE);
      }
    }
    svg.end().line();
    for (int i : here) {
      drawLabel(svg, frame, i);
    }
    for (int i : report.facts().excess() == null ? new int[0] : report.named()) {
      if (isHere(i, memory)) {
        drawOutline(svg, frame, i);
      }
    }
  }

  private void drawOutline(SvgWriter svg, Frame frame, int index) {
    long offset = placement.offset(index);
    for (Buffer.Span span : problem.buffer(index).spans()) {
      long high = offset + span.high();
      frame.box(svg, span.start(), span.end(), offset + span.low(), high, BLOCKING);
    }
  }

  private boolean isHere(int buffer, int memory) {
    return placement.memory(buffer) == memory && problem.buffer(buffer).needsMemory();
  }

  private void drawBuffer(SvgWriter svg, Frame frame, int index) {
    Buffer buffer = problem.buffer(index);
    svg.start("g").leaf("title", describe(index));
    for (Buffer.Span span : buffer.spans()) {
      double x = frame.x(span.start());
      double width = frame.x(span.end()) - x;
      double high = frame.y(placement.offset(index) + span.high());
      double height = frame.y(placement.offset(index) + span.low()) - high;
      boolean thin = width < 2.5 || height < 2.5; // a border would hide it
      Style style = thin ? Style.NONE.with("stroke", "none") : Style.NONE;
      svg.rect(x, high, Math.max(0.3, width), Math.max(0.3, height), style);
    }
    svg.end().line();
  }

  private void drawLabel(SvgWriter svg, Frame frame, int index) {
    Buffer buffer = problem.buffer(index);
    String name = names.get(index);
    Buffer.Span span = roomiest(buffer);
    if (span == null) {
      return; // gaps leave all of it to others: there is no rectangle to label
    }
    double width = frame.x(span.end()) - frame.x(span.start());
    double high = frame.y(placement.offset(index) + span.high());
    double height = frame.y(placement.offset(index) + span.low()) - high;
    double x = frame.x(span.start()) + width / 2;
    double y = high + height / 2;
    String ink = colouring.colours().get(colouring.of()[index])[1];
    double font = Math.min(LARGEST_FONT, height - 2.5);
    double room = width - 5;
    String bytes = ByteText.human(buffer.size());
    if (height > 3 * LARGEST_FONT
        && fits(name, LARGEST_FONT, room)
        && fits(bytes, LARGEST_FONT - 1, room)) {
      svg.text(x, y - 2, "middle", name, Style.text(LARGEST_FONT, ink));
      svg.text(x, y + 10, "middle", bytes, Style.text(LARGEST_FONT - 1.5, ink));
      return;
    }
    font = fitting(name, font, room);
    if (font >= SMALLEST_FONT && fits(name, font, room)) {
      svg.text(x, y + 0.35 * font, "middle", name, Style.text(font, ink));
      return;
    }
    double upright = fitting(name, Math.min(LARGEST_FONT - 1, width - 2.5), height - 5);
    if (upright >= SMALLEST_FONT && fits(name, upright, height - 5)) {
      svg.text(x, y + 0.35 * upright, "middle", name, Style.text(upright, ink).upwards(x, y));
      return;
    }
    font = Math.min(9, height - 2.5);
    String shown = font < SMALLEST_FONT ? "" : TextWidth.fittedEnd(name, font, room);
    if (shown.length() > 5) {
      svg.text(x, y + 0.35 * font, "middle", shown, Style.text(font, ink));
    }
  }

  private static double fitting(String name, double largest, double room) {
    double font = largest;
    while (font > SMALLEST_FONT && !fits(name, font, room)) {
      font -= 1;
    }
    return font;
  }

  private static boolean fits(String text, double font, double room) {
    return TextWidth.of(text, font) <= room;
  }

  /** The largest rectangle of a buffer as it is drawn; null where its gaps leave none. */
  private static Buffer.Span roomiest(Buffer buffer) {
    double area = -1;
    Buffer.Span best = null;
    for (Buffer.Span span : buffer.spans()) {
      double here = ((double) span.end() - span.start()) * (span.high() - span.low());
      best = here > area ? span : best;
      area = Math.max(area, here);
    }
    return best;
  }

  /** What a reader sees who points at a buffer. */
  String describe(int index) {
    Buffer buffer = problem.buffer(index);
    String size = "\n" + ByteText.both(buffer.size()) + "\nalive " + buffer.live();
    String offset = "\noffset " + ByteText.exact(placement.offset(index));
    List<String> tensors = report.tensors(index);
    String carried = tensors.isEmpty() ? "" : "\ncarries " + String.join(", ", tensors);
    return buffer.id() + size + offset + carried;
  }

  private void drawDensity(SvgWriter svg, Frame frame, int memory) {
    byte[] png = DensityRaster.png(problem, placement, memory, frame, RASTER_COLUMNS, RASTER_ROWS);
    String address = "data:image/png;base64," + Base64.getEncoder().encodeToString(png);
    svg.image(frame.left(), frame.top(), frame.width(), frame.height(), address);
  }
}

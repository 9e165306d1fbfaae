package stowage.report.svg;

import stowage.packing.LoadProfile;

/** Strip that shows the sum of live bytes over the steps as an area. */
public final class LoadStrip {
  private static final int MOST_SEGMENTS = 4000;

  private LoadStrip() {}

  /** Draws a profile into a frame that has the steps of the map above it. */
  public static void draw(SvgWriter svg, Frame frame, LoadProfile profile) {
    StringBuilder path = new StringBuilder("M" + SvgWriter.point(frame.left(), frame.bottom()));
    if (profile.segments() <= MOST_SEGMENTS) {
      for (int k = 0; k < profile.segments(); k++) {
        path.append('H').append(SvgWriter.number(frame.x(profile.start(k))));
        path.append('V').append(SvgWriter.number(frame.y(profile.load(k))));
      }
    } else {
      appendHighestOfEachColumn(path, frame, profile);
    }
    path.append('H').append(SvgWriter.number(frame.right()));
    path.append('V').append(SvgWriter.number(frame.bottom())).append('Z');
    svg.path(path, Style.filled("#b9c7d3").stroke("#4a5d6e", 0.8));
  }

  /** More segments than pixels: the highest load of each half pixel is what the eye would see. */
  private static void appendHighestOfEachColumn(
      StringBuilder path, Frame frame, LoadProfile profile) {
    int columns = (int) frame.width() * 2;
    long[] highest = new long[columns + 1];
    for (int k = 0; k < profile.segments(); k++) {
      int first = column(frame, columns, profile.start(k));
      int last = k + 1 < profile.segments() ? column(frame, columns, profile.start(k + 1)) : first;
      for (int c = first; c <= last; c++) {
        highest[c] = Math.max(highest[c], profile.load(k));
      }
    }
    for (int c = 0; c < columns; c++) {
      path.append('H').append(SvgWriter.number(frame.left() + c / 2.0));
      path.append('V').append(SvgWriter.number(frame.y(highest[c])));
    }
  }

  private static int column(Frame frame, int columns, long step) {
    double share = (frame.x(step) - frame.left()) / frame.width();
    return Math.max(0, Math.min(columns, (int) (share * columns)));
  }
}

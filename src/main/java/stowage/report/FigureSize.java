package stowage.report;

/**
 * Size of a picture for a paper or a slide, in pixels; 0 is the usual width or height. Labels at
 * axes have the font asked for and the drawing what room is left: at a larger font there are fewer
 * ticks and labels, not smaller ones.
 */
public record FigureSize(int width, int height, double font) {
  /** Pixels of the labels in a picture of the usual size. */
  public static final double USUAL_FONT = 11;

  /** The size that pictures have unless another is asked for. */
  public static final FigureSize USUAL = new FigureSize(0, 0, USUAL_FONT);

  /** How much larger than usual text is drawn. */
  public double scale() {
    return font / USUAL_FONT;
  }

  /** Width in units of the usual text size. */
  public double width(double usual) {
    return width == 0 ? usual : width / scale();
  }

  /** Height in units of the usual text size. */
  public double height(double usual) {
    return height == 0 ? usual : height / scale();
  }

  /** Whether it is another size than the usual one. */
  public boolean isChosen() {
    return width != USUAL.width || height != USUAL.height || font != USUAL.font;
  }
}

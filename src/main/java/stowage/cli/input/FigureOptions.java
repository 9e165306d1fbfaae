package stowage.cli.input;

import picocli.CommandLine.Option;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.UsageException;
import stowage.packing.ByteText;
import stowage.report.FigureSize;

/** How large pictures are, for papers and slides. Shared by commands that draw plans. */
@HelpGroup(HelpGroup.OUTPUT)
public final class FigureOptions {
  private static final int LEAST = 100;
  private static final int MOST = 20_000;
  private static final double LEAST_FONT = 4;
  private static final double MOST_FONT = 100;

  @Option(
      names = "--svg-size",
      paramLabel = "WIDTHxHEIGHT",
      description =
          "Size in pixels of plan.svg or compare.svg, and of the views that the page saves, such as"
              + " 1600x900 for a slide.")
  String size;

  @Option(
      names = "--font",
      paramLabel = "PIXELS",
      description = "Size of the text in these pictures (default: 11).")
  double font = FigureSize.USUAL_FONT;

  public FigureSize figureSize() {
    UsageException.when(
        !(font >= LEAST_FONT && font <= MOST_FONT),
        "--font " + ByteText.plain(font) + " should be between 4 and 100");
    if (size == null) {
      return new FigureSize(0, 0, font);
    }
    if (!size.matches("[0-9]{1,6}[xX][0-9]{1,6}")) {
      throw wrong();
    }
    String[] sides = size.split("[xX]");
    int width = Integer.parseInt(sides[0]);
    int height = Integer.parseInt(sides[1]);
    if (Math.min(width, height) < LEAST || Math.max(width, height) > MOST) {
      throw wrong();
    }
    return new FigureSize(width, height, font);
  }

  private UsageException wrong() {
    return new UsageException(
        ("--svg-size %s should be WIDTHxHEIGHT in pixels, such as 1600x900, each 100 to 20000")
            .formatted(size));
  }
}

package stowage.report.svg;

/** A picture and figures as one HTML page that needs no other file. */
public final class PicturePage {
  private PicturePage() {}

  /**
   * The page.
   *
   * @param picture an SVG element
   * @param figures the answer as text
   */
  public static String of(String title, String picture, String figures) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>"
        + Markup.escape(title)
        + "</title>\n<style>body{font-family:"
        + SvgWriter.FONT
        + ";margin:24px;color:#222}pre{font-size:12px}section{overflow-x:auto}"
        + "rect:hover{stroke:#222;stroke-width:1}</style></head>"
        + "<body>\n<section>"
        + picture
        + "</section>\n<pre>"
        + Markup.escape(figures)
        + "</pre>\n</body></html>\n";
  }
}

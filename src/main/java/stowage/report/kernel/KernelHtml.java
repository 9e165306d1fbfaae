package stowage.report.kernel;

import stowage.report.svg.Markup;
import stowage.report.svg.SvgWriter;

/** A kernel's plan as one HTML page that needs no other file. */
public final class KernelHtml {
  private KernelHtml() {}

  /**
   * The page.
   *
   * @param picture of {@link KernelSvg}
   * @param figures the answer as text
   */
  public static String of(String title, String picture, String figures) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>"
        + Markup.escape(title)
        + "</title>\n<style>body{font-family:"
        + SvgWriter.FONT
        + ";margin:24px;color:#222}pre{font-size:12px}section{overflow-x:auto}</style></head>"
        + "<body>\n<section>"
        + picture
        + "</section>\n<pre>"
        + Markup.escape(figures)
        + "</pre>\n</body></html>\n";
  }
}

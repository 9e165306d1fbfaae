package stowage.report.fit;

import java.util.List;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitPlan;
import stowage.report.page.PageFrame;

/** The page of a network that was made to fit: before, after, the curve, and the figures. */
public final class FitPage {
  private FitPage() {}

  /**
   * The page.
   *
   * @param remarks what else there is to know, a sentence each
   */
  public static String of(FitAnswer answer, List<String> remarks) {
    String name = answer.request().network().name();
    FitPlan before = answer.before();
    FitPlan after = answer.plan();
    long most = Math.max(before == null ? 0 : before.peak(), after.peak());
    PageFrame page = PageFrame.of("Fit of " + name).title(name).status(answer.status().name());
    if (before != null) {
      page.section(
          "As it is", PageFrame.picture(width -> FitSvg.plan("as it is", before, most, width)));
    }
    page.section(
        "Made to fit", PageFrame.picture(width -> FitSvg.plan("made to fit", after, most, width)));
    if (answer.curve().size() > 1) {
      page.section(
          "Peak against extra compute", PageFrame.picture(width -> FitSvg.curve(answer, width)));
    }
    return page.text("Figures", FitText.of(answer, remarks)).page();
  }
}

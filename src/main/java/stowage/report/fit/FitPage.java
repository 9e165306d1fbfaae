package stowage.report.fit;

import java.util.List;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitPlan;
import stowage.report.svg.PicturePage;

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
    StringBuilder pictures = new StringBuilder();
    long most = Math.max(before == null ? 0 : before.peak(), after.peak());
    if (before != null) {
      pictures.append(FitSvg.plan(name + " as it is", before, most));
    }
    pictures.append(FitSvg.plan(name + " made to fit", after, most));
    if (answer.curve().size() > 1) {
      pictures.append(FitSvg.curve(answer));
    }
    return PicturePage.of("Fit of " + name, pictures.toString(), FitText.of(answer, remarks));
  }
}

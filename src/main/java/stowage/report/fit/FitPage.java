package stowage.report.fit;

import java.util.Arrays;
import java.util.List;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.ByteText;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitPlan;
import stowage.report.format.Table;
import stowage.report.page.PageFrame;
import stowage.report.svg.Markup;

/** Page of a network that was made to fit: before, after, the curve, and the figures. */
public final class FitPage {
  /** Width of the curve's own picture in pixels. */
  private static final int PICTURE = 720;

  private FitPage() {}

  /** The page, with remarks of a sentence each. */
  public static String of(FitAnswer answer, List<String> remarks) {
    String name = answer.request().network().name();
    FitPlan after = answer.plan();
    FitPlan whole = answer.before();
    boolean same = whole != null && whole.peak() == after.peak() && whole.load() == after.load();
    FitPlan before = same ? null : whole; // one picture is enough
    long most = Math.max(before == null ? 0 : before.peak(), after.peak());
    long capacity = answer.request().capacity();
    String peaks =
        "peak %s%s%s"
            .formatted(
                ByteText.both(after.peak()),
                before == null ? "" : ", " + ByteText.both(before.peak()) + " in whole ops",
                capacity < 0 ? "" : ", capacity " + ByteText.both(capacity));
    PageFrame page =
        PageFrame.of("Fit of " + name)
            .title(name)
            .status(answer.status().name())
            .sentence(peaks + "; " + FitText.headline(answer));
    if (before != null) {
      addPlan(page, "In whole ops", before, most, capacity);
    }
    Network network = answer.request().network();
    List<Op> given = Arrays.stream(network.executionOrder()).mapToObj(network.ops()::get).toList();
    boolean changed = !given.equals(after.rewriting().network().ops());
    String fits = changed ? "Made to fit" : "Fits as it is";
    addPlan(page, answer.fits() ? fits : "Lowest plan found", after, most, capacity);
    if (answer.curve().size() > 1) {
      String curve = PageFrame.picture(width -> FitSvg.curve(answer, width));
      page.section("Peak against extra compute", curve);
    }
    return page.text("Figures", FitText.of(answer, remarks)).page();
  }

  /** The curve as a picture, as the page has it. */
  public static String curveSvg(FitAnswer answer) {
    return FitSvg.curve(answer, PICTURE);
  }

  /** The points of the curve in CSV, with peaks in bytes and prices in the network's unit. */
  public static String curveCsv(FitAnswer answer) {
    Table table = new Table().figures("peak", "extra", "extra_bound").texts("status");
    for (FitAnswer.Point point : answer.curve()) {
      table.row(point.peak(), point.extra(), point.extraBound(), point.status());
    }
    return table.csv();
  }

  private static void addPlan(
      PageFrame page, String heading, FitPlan plan, long most, long capacity) {
    String picture = PageFrame.picture(width -> FitSvg.plan(heading, plan, most, capacity, width));
    boolean again = plan.rewriting().ops().stream().anyMatch(op -> op.copy() > 1);
    String colours =
        plan.runs().isEmpty() ? "" : ". Colours: the pieces of each run; grey: whole tensors";
    colours += again ? ". Blue: computed again" : "";
    page.section(heading, picture + hint(FitSvg.peakOp(plan) + colours));
  }

  private static String hint(String text) {
    return "<p class=\"hint\" style=\"overflow-wrap: anywhere\">" + Markup.escape(text) + ".</p>";
  }
}

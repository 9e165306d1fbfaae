package stowage.report.check;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import stowage.packing.Buffer;
import stowage.report.svg.Markup;

/**
 * A check as JUnit's XML, which build servers show as tests: one test case per model, failed where
 * its peak is not within the limit.
 *
 * <p>Source: the elements that Jenkins, GitLab and Maven's Surefire read ({@code testsuites},
 * {@code testsuite}, {@code testcase}, {@code failure}), as in Surefire's surefire-test-report.xsd.
 */
public final class CheckJunit {
  private CheckJunit() {}

  /** The whole document. */
  public static String of(CheckReport report) {
    List<CheckReport.Model> models = report.models();
    double seconds = models.stream().mapToDouble(CheckReport.Model::seconds).sum();
    String counts =
        "tests=\"%s\" failures=\"%s\" time=\"%s\""
            .formatted(models.size(), report.failures().size(), seconds(seconds));
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites %s>
      <testsuite name="stowage check" %s errors="0" skipped="0">%s
      </testsuite>
    </testsuites>
    """
        .formatted(
            counts, counts, models.stream().map(CheckJunit::model).collect(Collectors.joining()));
  }

  private static String model(CheckReport.Model model) {
    String head =
        "\n    <testcase classname=\"stowage.check\" name=\"%s\" time=\"%s\">"
            .formatted(Markup.escape(model.file()), seconds(model.seconds()));
    if (model.verdict() == CheckReport.Verdict.WITHIN) {
      return head + "</testcase>";
    }
    StringBuilder blocking = new StringBuilder();
    if (model.blocking() != null) {
      for (Buffer buffer : model.blocking().largestFirst()) {
        String text = buffer.id() + ", " + buffer.size() + " bytes, " + buffer.live();
        blocking.append('\n').append(Markup.escape(text));
      }
      blocking.append("\n      ");
    }
    return "%s\n      <failure type=\"%s\" message=\"%s\">%s</failure>\n    </testcase>"
        .formatted(head, model.verdict().word(), Markup.escape(model.reason()), blocking);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }
}

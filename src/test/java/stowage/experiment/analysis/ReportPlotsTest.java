package stowage.experiment.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.statistics.BoxAndWhiskerCategoryDataset;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.experiment.results.Result;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.RunRecord;

/** What the plots of a report show, computed again from the stored rows. */
class ReportPlotsTest {
  @TempDir static Path folder;
  private static List<Result> results;
  private static final Map<String, Figure> FIGURES = new HashMap<>();

  @BeforeAll
  static void read() throws IOException {
    RunFolder runs = SyntheticExperiment.write(folder, 3, 11);
    results = Result.of(runs.records());
    for (Section section : Report.of(results, "command").sections()) {
      section.figures().forEach(figure -> FIGURES.put(figure.name(), figure));
    }
  }

  private static XYDataset lines(String figure) {
    return ((XYPlot) FIGURES.get(figure).chart().getPlot()).getDataset();
  }

  private static List<Result> of(String planner) {
    return results.stream().filter(run -> run.planner().equals(planner)).toList();
  }

  @Test
  void cactusPlotsHoldTheTimesOfProofsInOrder() {
    XYDataset lines = lines("cactus");
    assertEquals(2, lines.getSeriesCount());
    for (int series = 0; series < lines.getSeriesCount(); series++) {
      double[] expected =
          of(lines.getSeriesKey(series).toString()).stream()
              .filter(run -> run.proofSeconds() != null)
              .mapToDouble(Result::proofSeconds)
              .sorted()
              .toArray();
      assertEquals(expected.length, lines.getItemCount(series));
      for (int k = 0; k < expected.length; k++) {
        assertEquals(k + 1, lines.getXValue(series, k));
        assertEquals(expected[k], lines.getYValue(series, k), 1e-12);
      }
    }
  }

  @Test
  void anytimeCurvesAreMeanPrimalGaps() {
    XYDataset lines = lines("anytime");
    assertEquals(4, lines.getSeriesCount());
    for (int series = 0; series < lines.getSeriesCount(); series++) {
      List<Result> runs = of(lines.getSeriesKey(series).toString());
      double before = 100;
      for (int k = 0; k < lines.getItemCount(series); k++) {
        double gap = lines.getYValue(series, k);
        assertTrue(gap <= before + 1e-9, "a mean gap that grows");
        before = gap;
        boolean foot =
            k + 1 < lines.getItemCount(series)
                && lines.getXValue(series, k) == lines.getXValue(series, k + 1);
        if (!foot) {
          assertEquals(meanGap(runs, lines.getXValue(series, k)), gap, 1e-9);
        }
      }
    }
  }

  private static double meanGap(List<Result> runs, double moment) {
    double sum = 0;
    int count = 0;
    for (Result run : runs) {
      if (run.facts().bestBound() == null) {
        continue;
      }
      long peak =
          run.record().trace().stream()
              .filter(point -> point.peak() != null && point.seconds() <= moment * (1 + 1e-9))
              .mapToLong(RunRecord.TracePoint::peak)
              .min()
              .orElse(Long.MAX_VALUE);
      count++;
      sum += peak == Long.MAX_VALUE ? 1 : 1 - (double) run.facts().bestBound() / peak;
    }
    return 100 * sum / count;
  }

  @Test
  void profilesRiseToTheShareOfInstancesWithAPlan() {
    XYDataset lines = lines("profile-peak");
    long instances = results.stream().map(Result::digest).distinct().count();
    for (int series = 0; series < lines.getSeriesCount(); series++) {
      Map<String, Boolean> planned = new HashMap<>();
      for (Result run : of(lines.getSeriesKey(series).toString())) {
        planned.merge(run.digest(), run.peak() != null, Boolean::logicalAnd);
      }
      double share = planned.values().stream().filter(all -> all).count() / (double) instances;
      int last = lines.getItemCount(series) - 1;
      assertEquals(share, lines.getYValue(series, last), 1e-12);
      for (int k = 1; k <= last; k++) {
        assertTrue(lines.getYValue(series, k) >= lines.getYValue(series, k - 1));
        assertTrue(lines.getXValue(series, k) >= lines.getXValue(series, k - 1));
      }
    }
  }

  @Test
  void boxesHoldHalfOfTheRuns() {
    CategoryPlot plot = (CategoryPlot) FIGURES.get("gap-boxes").chart().getPlot();
    BoxAndWhiskerCategoryDataset boxes = (BoxAndWhiskerCategoryDataset) plot.getDataset();
    for (int column = 0; column < boxes.getColumnCount(); column++) {
      double[] gaps =
          of(boxes.getColumnKey(column).toString()).stream()
              .mapToDouble(Result::gapToOptimum)
              .filter(gap -> !Double.isNaN(gap))
              .map(gap -> gap * 100)
              .sorted()
              .toArray();
      double q1 = boxes.getQ1Value(0, column).doubleValue();
      double q3 = boxes.getQ3Value(0, column).doubleValue();
      long below = Arrays.stream(gaps).filter(gap -> gap < q1).count();
      long above = Arrays.stream(gaps).filter(gap -> gap > q3).count();
      assertTrue(below <= gaps.length / 4.0 && above <= gaps.length / 4.0);
      assertTrue(Arrays.stream(gaps).filter(gap -> gap <= q1).count() >= gaps.length / 4.0 - 1);
      assertTrue(Arrays.stream(gaps).filter(gap -> gap >= q3).count() >= gaps.length / 4.0 - 1);
      double half = boxes.getMedianValue(0, column).doubleValue();
      assertTrue(Arrays.stream(gaps).filter(gap -> gap < half).count() <= gaps.length / 2.0);
      assertTrue(Arrays.stream(gaps).filter(gap -> gap > half).count() <= gaps.length / 2.0);
    }
  }
}

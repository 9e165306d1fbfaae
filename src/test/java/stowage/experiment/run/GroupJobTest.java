package stowage.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.experiment.analysis.Report;
import stowage.experiment.results.Result;
import stowage.experiment.results.ResultStore;

/** Runs that divide networks into layer groups. */
class GroupJobTest extends FolderTest {
  @Test
  void waysOfGroupingAreComparedByTheirObjective() throws Exception {
    Path network = Path.of("models/networks/tiny.json").toAbsolutePath();
    Path file =
        file(
            "suite.json",
            """
            {"name": "groups",
             "instances": [{"path": "NETWORK",
               "group": {"chip": "bm1688", "objective": ["traffic", "cycles"], "precision": "f16"}}],
             "planners": [
               {"group": {"partition": "alone"}},
               {"group": {"partition": "tail", "lmem": "document"}},
               {"group": {"partition": "dp", "slicing": "exact"}},
               {"group": {"partition": "file"}}],
             "limits": {"seconds": 20, "memoryMiB": 256}}
            """
                .replace("NETWORK", network.toString()));
    RunFolder runs = Program.planned(file, folder.resolve("out"));
    // In this process: the workers' own side is in other tests.
    for (var run : runs.planned()) {
      Job job = Job.of(run, Map.of("stowage", "test"));
      job.load();
      job.solve(folder);
      runs.write(job.record());
    }
    ResultStore store = new ResultStore(runs.path());
    assertEquals(8, store.collect(runs.records()));
    Map<String, List<Result>> byInstance =
        Result.of(runs.records()).stream().collect(Collectors.groupingBy(Result::instance));
    assertEquals(
        List.of("tiny-bm1688-f16-cycles", "tiny-bm1688-f16-traffic"),
        byInstance.keySet().stream().sorted().toList());
    byInstance.forEach(
        (name, rows) -> {
          Result alone = rows.get(0);
          Result tail = rows.get(1);
          Result exact = rows.get(2);
          assertEquals("refused", rows.get(3).record().outcome().text(), "no file of a compiler");
          assertEquals(0, alone.record().group().groups());
          assertTrue(exact.peak() <= tail.peak() && tail.peak() <= alone.peak(), name);
          assertEquals("contiguous", exact.record().boundKind());
          assertEquals("OPTIMAL", exact.record().status());
          boolean cycles = name.endsWith("cycles");
          for (Result run : rows.subList(0, 3)) {
            RunRecord.GroupFigures grouping = run.record().group();
            assertEquals(cycles ? grouping.cycles() : grouping.trafficBytes(), run.peak());
            assertNotNull(run.facts().bestBound());
            // A bound for contiguous groups alone is no bound of the instance.
            assertEquals(alone.record().lowerBound(), run.facts().bestBound());
            assertTrue(run.facts().bestBound() <= exact.peak());
          }
        });
    Report.write(runs);
    Path tables = runs.path().resolve("report/tables");
    String best = Files.readString(tables.resolve("groups.csv"));
    String each = Files.readString(tables.resolve("group-runs.csv"));
    String page = Files.readString(runs.path().resolve("report/report.md"));
    byInstance.forEach(
        (name, rows) -> {
          String peaks = rows.get(0).peak() + "," + rows.get(1).peak() + "," + rows.get(2).peak();
          long bound = rows.get(0).facts().bestBound();
          assertTrue(best.contains("\n" + name + "," + peaks + ",," + bound + "\n"), best);
          RunRecord.GroupFigures tail = rows.get(1).record().group();
          String figures = tail.groups() + "," + tail.trafficBytes() + "," + tail.cycles();
          String more = "," + tail.lmemPeak() + "," + tail.clashes() + "," + bound + ",network,";
          assertTrue(each.contains(rows.get(1).planner() + "," + figures + more), each);
          int decimals = name.endsWith("cycles") ? 3 : 2;
          String proven =
              String.format(Locale.ROOT, "%." + decimals + "f*", rows.get(2).peak() / 1e6);
          assertTrue(page.contains("| " + proven + " | – |"), page);
        });
  }
}

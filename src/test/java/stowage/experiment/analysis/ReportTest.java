package stowage.experiment.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.experiment.results.ResultStore;
import stowage.experiment.run.RunFolder;

/** A report says what the journal holds now, whatever is beside it. */
class ReportTest extends FolderTest {
  private static String runsTold(RunFolder runs) throws IOException {
    Path page = Report.write(runs);
    List<String> lines = Files.readAllLines(page.resolveSibling("tables").resolve("outcomes.csv"));
    return lines.stream().filter(line -> line.startsWith("greedy-size,")).findFirst().orElse("");
  }

  /** Moves a record away and gives the place where it were. */
  private static Path without(RunFolder runs, int index) throws IOException {
    Path record = runs.path().resolve("runs").resolve(runs.planned().get(index).id() + ".json");
    Files.move(record, record.resolveSibling("kept"));
    return record;
  }

  @Test
  void followsTheJournal() throws IOException {
    RunFolder runs = SyntheticExperiment.write(folder, 1, 3);
    // The first two runs are greedy-size's on the first instance.
    Path record = without(runs, 0);
    String fewer = runsTold(runs);
    assertTrue(fewer.startsWith("greedy-size,11,"), fewer);
    Files.move(record.resolveSibling("kept"), record);
    assertTrue(runsTold(runs).startsWith("greedy-size,12,"), "a run that came was left out");

    // A run that is done again keeps its id: only what it says is new.
    String before = runsTold(runs);
    String text = Files.readString(record);
    String changed = text.replace("\"outcome\":\"DONE\"", "\"outcome\":\"CRASHED\"");
    assertTrue(!changed.equals(text), "the run drawn should have ended well");
    Path half = record.resolveSibling(".half.tmp");
    Files.writeString(half, changed);
    Files.move(half, record, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertTrue(!runsTold(runs).equals(before), "a run that was done again was not read again");
  }

  @Test
  void reportsReadTheJournalAndNotTheDatabase() throws IOException {
    RunFolder runs = SyntheticExperiment.write(folder, 1, 4);
    String told = runsTold(runs);
    Files.writeString(new ResultStore(runs.path()).database(), "no database");
    assertEquals(told, runsTold(runs));
  }

  @Test
  void nothingToReportIsSaidSo() throws IOException {
    RunFolder runs = SyntheticExperiment.write(folder, 1, 5);
    for (var run : runs.planned()) {
      Files.delete(runs.path().resolve("runs").resolve(run.id() + ".json"));
    }
    Refusals.input(() -> Report.write(runs), "no finished runs");
    Refusals.input(() -> Report.write(new RunFolder(folder.resolve("nowhere"))));
  }
}

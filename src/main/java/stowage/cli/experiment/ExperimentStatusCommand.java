package stowage.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.experiment.run.Launcher;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.RunRecord;

/** {@code stowage experiment status}: how far an experiment has come. */
@Command(
    name = "status",
    description = "Tells how many runs of an experiment are done, and how they ended.")
final class ExperimentStatusCommand extends BaseCommand {
  @Mixin ExperimentFolder folder;

  @Override
  public Integer call() throws IOException {
    RunFolder runs = folder.runs();
    int planned = runs.planned().size();
    Map<String, Integer> outcomes = new TreeMap<>();
    Map<String, Integer> statuses = new TreeMap<>();
    int done = 0;
    int failed = 0;
    for (RunRecord record : runs.records()) {
      done++;
      failed += record.outcome().isFailure() ? 1 : 0;
      outcomes.merge(record.outcome().text(), 1, Integer::sum);
      statuses.merge(record.status(), 1, Integer::sum);
    }
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("runs", planned).put("done", done).put("failed", failed);
    outcomes.forEach(answer.putObject("outcomes")::put);
    statuses.forEach(answer.putObject("statuses")::put);
    List<String> lines = new ArrayList<>();
    lines.add(done + " of " + planned + " runs done, " + failed + " failed");
    outcomes.forEach((outcome, count) -> lines.add("  " + outcome + "  " + count));
    statuses.forEach((status, count) -> lines.add("  " + status + "  " + count));
    if (done < planned) {
      lines.add(
          "To do the rest: stowage experiment run SUITE --out %s --resume, or submit"
              .formatted(Launcher.quoted(folder.path.toString())));
    }
    folder.print(spec, answer, String.join(System.lineSeparator(), lines));
    return ExitCode.OK;
  }
}

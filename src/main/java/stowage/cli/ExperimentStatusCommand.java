package stowage.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.RunRecord;

/** {@code stowage experiment status}: how far an experiment has come. */
@Command(
    name = "status",
    description = "Tells how many runs of an experiment are done, and how they ended.",
    mixinStandardHelpOptions = true)
final class ExperimentStatusCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The experiment's folder.")
  Path folder;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    RunFolder runs = new RunFolder(folder);
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
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode answer = new ObjectMapper().createObjectNode();
      answer.put("runs", planned).put("done", done).put("failed", failed);
      outcomes.forEach(answer.putObject("outcomes")::put);
      statuses.forEach(answer.putObject("statuses")::put);
      out.println(answer.toPrettyString());
    } else {
      out.println(done + " of " + planned + " runs done, " + failed + " failed");
      outcomes.forEach((outcome, count) -> out.println("  " + outcome + "  " + count));
      statuses.forEach((status, count) -> out.println("  " + status + "  " + count));
      if (done < planned) {
        out.println(
            "To do the rest: stowage experiment run SUITE --out "
                + folder
                + " --resume, or submit");
      }
    }
    out.flush();
    return ExitCode.OK;
  }
}

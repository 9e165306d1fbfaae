package stowage.experiment.analysis;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import stowage.experiment.results.Result;
import stowage.experiment.suite.Digests;

/**
 * Where a report's figures come from.
 *
 * @param data what was run: suite, runs, instances and a hash of them all
 */
record Provenance(
    String command,
    List<String> commits,
    List<String> versions,
    List<String> machines,
    String data) {

  static Provenance of(List<Result> results, String command) {
    Set<String> digests = new TreeSet<>();
    results.forEach(run -> digests.add(run.digest()));
    String suites = String.join(", ", distinct(results, run -> run.record().run().suite()));
    String data =
        String.format(
            Locale.ROOT,
            "suite %s, %d runs on %d instances, instances' hash %s",
            suites,
            results.size(),
            digests.size(),
            Digests.of(String.join(" ", digests)));
    return new Provenance(
        command.strip(),
        distinct(results, run -> run.record().versions().get("commit")),
        distinct(
            results,
            run ->
                "stowage "
                    + run.record().versions().get("stowage")
                    + ", Java "
                    + run.record().versions().get("java")),
        distinct(
            results,
            run ->
                "%s (%s × %s, %s)"
                    .formatted(
                        run.record().machine().host(),
                        run.record().machine().cores(),
                        run.record().machine().processor(),
                        run.record().machine().system())),
        data);
  }

  private static List<String> distinct(List<Result> results, Function<Result, String> figure) {
    Set<String> values = new LinkedHashSet<>();
    results.forEach(run -> values.add(String.valueOf(figure.apply(run))));
    return List.copyOf(values);
  }

  /** All in four lines. */
  String lines() {
    return "Command: %s\nCommit: %s; %s\nMachine: %s\nData: %s"
        .formatted(
            command,
            String.join(", ", commits),
            String.join("; ", versions),
            String.join("; ", machines),
            data);
  }
}

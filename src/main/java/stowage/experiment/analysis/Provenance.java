package stowage.experiment.analysis;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import stowage.experiment.results.Results;
import stowage.experiment.suite.Digests;

/**
 * Where a report's figures come from.
 *
 * @param command that ran the experiment
 * @param commits of the program
 * @param versions of the program and Java
 * @param machines that took part
 * @param data what was run: suite, runs, instances and a hash of them all
 */
record Provenance(
    String command,
    List<String> commits,
    List<String> versions,
    List<String> machines,
    String data) {

  static Provenance of(Results results, String command) {
    Set<String> digests = new TreeSet<>();
    results.runs().forEach(run -> digests.add(run.digest()));
    String suites = String.join(", ", distinct(results, Results.Run::suite));
    String data =
        String.format(
            Locale.ROOT,
            "suite %s, %d runs on %d instances, instances' hash %s",
            suites,
            results.runs().size(),
            digests.size(),
            Digests.of(String.join(" ", digests)));
    return new Provenance(
        command.strip(),
        distinct(results, run -> run.place().commit()),
        distinct(
            results,
            run ->
                "stowage " + run.place().stowageVersion() + ", Java " + run.place().javaVersion()),
        distinct(
            results,
            run ->
                run.place().host()
                    + " ("
                    + run.place().cores()
                    + " × "
                    + run.place().processor()
                    + ", "
                    + run.place().system()
                    + ")"),
        data);
  }

  private static List<String> distinct(Results results, Function<Results.Run, String> figure) {
    Set<String> values = new LinkedHashSet<>();
    results.runs().forEach(run -> values.add(String.valueOf(figure.apply(run))));
    return List.copyOf(values);
  }

  /** All in four lines. */
  String lines() {
    return "Command: "
        + command
        + "\nCommit: "
        + String.join(", ", commits)
        + "; "
        + String.join("; ", versions)
        + "\nMachine: "
        + String.join("; ", machines)
        + "\nData: "
        + data;
  }
}

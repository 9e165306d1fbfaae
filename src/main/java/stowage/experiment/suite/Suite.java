package stowage.experiment.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * A declared experiment: instances × planners × seeds × repetitions under limits. Instances have
 * unique names, planners unique labels.
 */
public record Suite(
    Path file,
    String name,
    String description,
    List<Instance> instances,
    List<PlannerSpec> planners,
    List<Long> seeds,
    int repetitions,
    int threads,
    RunSpec.Limits limits) {

  /** Takes over the lists; instances that share a name get their family's before it. */
  public Suite {
    instances = uniquelyNamed(instances);
    planners = List.copyOf(planners);
    seeds = List.copyOf(seeds);
    checkKinds(file, instances, planners, limits);
    Set<String> labels = new HashSet<>();
    for (PlannerSpec planner : planners) {
      if (!labels.add(planner.label())) {
        throw fault(
            file,
            "planners",
            "planner \"%s\" is used twice; give one another label",
            planner.label());
      }
    }
  }

  /** Networks to be grouped and ways to group them belong together, and nothing else with them. */
  private static void checkKinds(
      Path file, List<Instance> instances, List<PlannerSpec> planners, RunSpec.Limits limits) {
    boolean groups = instances.stream().anyMatch(instance -> instance.group() != null);
    for (Instance instance : instances) {
      if (groups && instance.group() == null) {
        throw fault(
            file,
            "instances",
            "instance \"%s\" has no group, but others have; make two suites of them",
            instance.name());
      }
    }
    for (PlannerSpec planner : planners) {
      if (groups != (planner.group() != null)) {
        throw fault(
            file,
            "planners",
            groups
                ? "planner \"%s\" places buffers, but the instances are networks to be grouped; it"
                    + " should have a group, such as {\"group\": {\"partition\": \"dp\"}}"
                : "planner \"%s\" groups networks, but the instances have no group, such as"
                    + " {\"group\": {\"chip\": \"bm1684x\"}}",
            planner.label());
      }
    }
    if (groups && limits.isDeterministic()) {
      throw fault(file, "limits", "grouping is limited by seconds only; remove work");
    }
  }

  private static InputException fault(Path file, String field, String form, Object... values) {
    return new InputException(file, "field \"" + field + "\"", form.formatted(values));
  }

  public Suite withPlanners(List<PlannerSpec> more) {
    List<PlannerSpec> all = new ArrayList<>(planners);
    all.addAll(more);
    return new Suite(file, name, description, instances, all, seeds, repetitions, threads, limits);
  }

  /**
   * All runs: instance by instance, planner by planner, seed by seed. Instances that are the same
   * problem under several names are run once.
   */
  public List<RunSpec> runs() {
    Map<String, RunSpec> runs = new LinkedHashMap<>();
    Map<String, String> configDigests = new HashMap<>();
    for (Instance instance : instances) {
      for (PlannerSpec planner : planners) {
        String config =
            configDigests.computeIfAbsent(String.valueOf(planner.config()), Suite::configDigest);
        RunSpec.Setting setting = new RunSpec.Setting(threads, limits, config);
        for (long seed : planner.seeds() == null ? seeds : planner.seeds()) {
          for (int repetition = 0; repetition < repetitions; repetition++) {
            RunSpec run = RunSpec.of(name, instance, planner, seed, repetition, setting);
            runs.putIfAbsent(run.id(), run);
          }
        }
      }
    }
    return List.copyOf(runs.values());
  }

  /** Settings that are in a file count by what is in it. */
  private static String configDigest(String nameOrPath) {
    Path file = Path.of(nameOrPath);
    return Files.isRegularFile(file) ? Digests.of(InputFiles.readAllBytes(file)) : nameOrPath;
  }

  private static List<Instance> uniquelyNamed(List<Instance> given) {
    Map<String, Set<String>> digests = new HashMap<>();
    given.forEach(
        instance ->
            digests
                .computeIfAbsent(instance.name(), name -> new HashSet<>())
                .add(instance.digest()));
    List<Instance> named = new ArrayList<>();
    Map<String, String> taken = new HashMap<>();
    for (Instance instance : given) {
      String name = instance.name();
      if (digests.get(name).size() > 1) {
        name = instance.family() + "/" + name;
      }
      String unique = name;
      for (int k = 2;
          !instance.digest().equals(taken.getOrDefault(unique, instance.digest()));
          k++) {
        unique = name + "-" + k;
      }
      taken.put(unique, instance.digest());
      named.add(unique.equals(instance.name()) ? instance : instance.called(unique));
    }
    return List.copyOf(named);
  }

  /** The text of the suite's file, to be kept next to its results. */
  public String text() throws IOException {
    return Files.readString(file);
  }
}

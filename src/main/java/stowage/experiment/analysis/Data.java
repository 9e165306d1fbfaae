package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import stowage.experiment.results.Result;

/** Results in the groups that reports ask for. */
record Data(List<Result> runs, Map<String, List<Result>> byPlanner) {
  private static final int LEGIBLE_LINES = 10;

  Data(List<Result> runs) {
    this(runs, group(runs, Result::planner));
  }

  /** Planners in the order of the suite. */
  List<String> planners() {
    return List.copyOf(byPlanner.keySet());
  }

  List<Result> ofPlanner(String planner) {
    return byPlanner.getOrDefault(planner, List.of());
  }

  /** Families in the order of the suite. */
  List<String> families() {
    return List.copyOf(group(runs, Result::family).keySet());
  }

  /** The problems, each once, by digest, with a run of each. */
  Map<String, Result> instances() {
    Map<String, Result> instances = new LinkedHashMap<>();
    runs.forEach(run -> instances.putIfAbsent(run.digest(), run));
    return instances;
  }

  /**
   * The planners with the lowest mean gap, in suite order; no more than a reader can distinguish.
   */
  List<String> legible(List<String> planners) {
    if (planners.size() <= LEGIBLE_LINES) {
      return planners;
    }
    List<String> best = new ArrayList<>(planners);
    best.sort(Comparator.comparingDouble(this::meanGap));
    LinkedHashSet<String> chosen = new LinkedHashSet<>(planners);
    chosen.retainAll(best.subList(0, LEGIBLE_LINES));
    return List.copyOf(chosen);
  }

  /** A sentence that says which planners a plot leaves out; empty when none. */
  String left(List<String> planners) {
    int dropped = planners.size() - legible(planners).size();
    return dropped == 0
        ? ""
        : " Shown are the %d planners with the lowest mean gap; %d more are in the tables."
            .formatted(LEGIBLE_LINES, dropped);
  }

  private double meanGap(String planner) {
    double mean = Statistics.mean(gapsToBound(ofPlanner(planner)));
    return Double.isNaN(mean) ? Double.MAX_VALUE : mean;
  }

  /** Gaps to the proven optimum, of runs that have a plan on instances whose optimum is proven. */
  static List<Double> gapsToOptimum(List<Result> runs) {
    return runs.stream().map(Result::gapToOptimum).filter(gap -> !gap.isNaN()).toList();
  }

  /** Gaps to the best bound that any run proved. */
  static List<Double> gapsToBound(List<Result> runs) {
    return runs.stream().map(Data::gapToBound).filter(gap -> !gap.isNaN()).toList();
  }

  /** peak / best bound - 1; NaN without a plan or a bound. */
  static Double gapToBound(Result run) {
    return run.peak() == null || run.facts().bestBound() == null || run.facts().bestBound() == 0
        ? Double.NaN
        : (double) run.peak() / run.facts().bestBound() - 1;
  }

  /** By planner and digest a figure's mean over all runs; infinite where one lacks the figure. */
  Map<String, Map<String, Double>> meanByInstance(Function<Result, Double> figure) {
    Map<String, Map<String, Double>> means = new LinkedHashMap<>();
    byPlanner.forEach(
        (planner, runs) -> {
          Map<String, Double> ofPlanner = new LinkedHashMap<>();
          group(runs, Result::digest)
              .forEach(
                  (digest, same) -> {
                    double sum = 0;
                    for (Result run : same) {
                      Double value = figure.apply(run);
                      sum += value == null ? Double.POSITIVE_INFINITY : value;
                    }
                    ofPlanner.put(digest, sum / same.size());
                  });
          means.put(planner, ofPlanner);
        });
    return means;
  }

  static <K> Map<K, List<Result>> group(List<Result> runs, Function<Result, K> key) {
    Map<K, List<Result>> groups = new LinkedHashMap<>();
    runs.forEach(run -> groups.computeIfAbsent(key.apply(run), k -> new ArrayList<>()).add(run));
    return groups;
  }
}

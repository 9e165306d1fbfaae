package stowage.cli.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.Suggestion;
import stowage.packing.Goal;
import stowage.packing.PackingProblem;

/** Reader of the words of {@code --objective}. */
final class Goals {
  private Goals() {}

  /** The goals of some words; without any the problem's own, else the peaks. */
  static List<Goal> of(List<String> words, PackingProblem problem) {
    List<Goal> goals = new ArrayList<>();
    for (String word : words) {
      Goal goal = Goal.named(word);
      if (goal == null) {
        List<String> known = Arrays.stream(Goal.values()).map(Goal::word).toList();
        String hint =
            word.equals("traffic") || word.equals("time")
                ? "; it is for --memories FILE alone"
                : Suggestion.hint(word, known);
        throw new UsageException(
            "--objective " + word + " should be one of " + String.join(", ", known) + hint);
      }
      UsageException.when(goals.contains(goal), "--objective " + word + " is defined twice");
      goals.add(goal);
    }
    if (goals.isEmpty()) {
      goals.addAll(problem.goals().isEmpty() ? List.of(Goal.PEAK) : problem.goals());
    }
    return List.copyOf(goals);
  }
}

package stowage.cli.input;

import java.util.ArrayList;
import java.util.List;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.Suggestion;
import stowage.planning.PlannerCatalogue;

/** The planners that were named on the command line. */
public final class PlannerChoice {
  private PlannerChoice() {}

  /** Finds planners by name. */
  public static List<PlannerCatalogue.Choice> of(List<String> names) {
    List<PlannerCatalogue.Choice> choices = new ArrayList<>();
    for (String name : names) {
      PlannerCatalogue.Choice choice = PlannerCatalogue.named(name);
      if (choice == null) {
        String near = Suggestion.nearest(name, PlannerCatalogue.names());
        throw new UsageException(
            "unknown planner %s; %ssee stowage list planners"
                .formatted(name, near == null ? "" : "did you mean \"" + near + "\"? Else "));
      }
      choices.add(choice);
    }
    return choices;
  }
}

package stowage.exact.search;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import stowage.exact.BruteForce;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.presolve.ComponentProblem;
import stowage.exact.presolve.Demands;
import stowage.exact.presolve.Presolver;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchResult;
import stowage.generator.Generators;
import stowage.importer.own.PackingCsv;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/** Searches of whole components without hints, what judges them, and where components come from. */
public final class Searches {
  private Searches() {}

  /** The search of a team of one for the least peak, without limit. */
  public static SearchResult least(boolean deterministic, Component problem) {
    return least(new SearchTeam(1, 1, deterministic), problem, RunControl.unlimited());
  }

  /** The search for the least peak. */
  public static SearchResult least(SearchTeam team, Component problem, RunControl control) {
    return team.minimise(new ComponentIncumbent(problem), 0, control);
  }

  /** The search of a team of one for any placement within a capacity, without limit. */
  public static SearchResult within(boolean deterministic, Component problem, long capacity) {
    return new SearchTeam(1, 1, deterministic).search(problem, capacity, RunControl.unlimited());
  }

  /** The lowest peak by trying everything; -1 where it is above a highest one. */
  public static long optimum(Component component, long highest) {
    long[] peaks = BruteForce.peaks(within(component, highest));
    return peaks == null ? -1 : peaks[0];
  }

  /** What the verifier says is wrong with a placement, or null. */
  public static String fault(Component component, long[] offsets, long capacity) {
    List<Violation> faults =
        Verifier.violations(within(component, capacity), Placement.of(offsets));
    return faults.isEmpty() ? null : faults.get(0).text();
  }

  /** Holds that offsets, where there are any, are a placement. */
  public static void assertValid(Component component, long[] offsets, String what) {
    if (offsets != null) {
      assertNull(fault(component, offsets, component.peak(offsets)), what);
    }
  }

  private static PackingProblem within(Component component, long capacity) {
    return ComponentProblem.of(component).withCapacity(0, capacity);
  }

  /** The first component of a generated problem. */
  public static Component generated(String generator, Map<String, Object> values) {
    return Presolver.presolve(Generators.generate(generator, values))
        .components()
        .get(0)
        .restrictTo(0, null);
  }

  /** A public list of buffers with their alignments. */
  public static Component read(Path file) {
    return component(PackingCsv.read(file).buffers());
  }

  /** Sizes, lives and alignments of buffers as a component. */
  public static Component component(List<Buffer> buffers) {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    for (Buffer buffer : buffers) {
      int added = builder.add(buffer.size(), buffer.live().start(), buffer.live().end());
      Demands.align(builder, added, buffer.alignment());
    }
    return builder.build();
  }
}

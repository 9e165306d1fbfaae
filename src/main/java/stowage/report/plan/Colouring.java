package stowage.report.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.packing.PackingProblem;
import stowage.report.OpFacts;
import stowage.report.RunReport;
import stowage.report.svg.SizeClasses;

/**
 * Colours of a plan's buffers, by the same rules as the page's: of a network by the type of the op
 * that makes a buffer, else by size. Each class has a ground and the ink on it; {@code of} is the
 * class of each buffer.
 */
record Colouring(String title, List<String> labels, List<String[]> colours, int[] of) {
  /** Okabe and Ito's palette without black, and neutrals; the page's script has the same. */
  private static final String[][] OWN = {
    {"#56b4e9", "#10222e"},
    {"#e69f00", "#10222e"},
    {"#009e73", "#ffffff"},
    {"#cc79a7", "#10222e"},
    {"#0072b2", "#ffffff"},
    {"#f0e442", "#10222e"},
    {"#d55e00", "#ffffff"},
    {"#8fa3ad", "#10222e"},
    {"#b8d8c0", "#10222e"},
    {"#6b5b95", "#ffffff"}
  };

  private static final String[] OTHER = {"#c3ccd2", "#10222e"};

  /** The colours of a report's buffers; O(n log n). */
  static Colouring of(RunReport report) {
    PackingProblem problem = report.problem();
    boolean byType = report.ops() != null && !BufferShapes.isDense(problem);
    return byType ? byType(problem, report.ops()) : bySize(problem);
  }

  private static Colouring bySize(PackingProblem problem) {
    SizeClasses classes = SizeClasses.of(problem);
    List<String[]> colours =
        IntStream.range(0, classes.count())
            .mapToObj(c -> new String[] {classes.colour(c), classes.ink(c)})
            .toList();
    int[] of = new int[problem.size()];
    Arrays.setAll(of, i -> classes.of(problem.buffer(i).size()));
    return new Colouring("size", classes.labels(), colours, of);
  }

  /** The most frequent types get a colour each, the rest share one. */
  private static Colouring byType(PackingProblem problem, OpFacts ops) {
    Map<String, Integer> tally = new HashMap<>();
    for (int i = 0; i < problem.size(); i++) {
      if (problem.buffer(i).needsMemory()) {
        tally.merge(type(ops, i), 1, Integer::sum);
      }
    }
    List<String> names = new ArrayList<>(tally.keySet());
    names.sort(
        Comparator.comparing((String name) -> -tally.get(name))
            .thenComparing(Comparator.naturalOrder()));
    int shown = names.size() > OWN.length ? OWN.length - 1 : names.size();
    List<String> labels = new ArrayList<>(names.subList(0, shown));
    List<String[]> colours = new ArrayList<>(List.of(OWN).subList(0, shown));
    if (shown < names.size()) {
      labels.add("other (" + (names.size() - shown) + ")");
      colours.add(OTHER);
    }
    int[] of = new int[problem.size()];
    Arrays.setAll(of, i -> Math.max(0, Math.min(shown, names.indexOf(type(ops, i)))));
    return new Colouring("op type", labels, colours, of);
  }

  private static String type(OpFacts ops, int buffer) {
    int step = ops.producers()[buffer];
    return step < 0 ? "input" : ops.types().get(step);
  }
}

package stowage.cli.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import stowage.kernel.KernelGoal;
import stowage.kernel.KernelIncumbent;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelFigures;
import stowage.network.kernel.KernelGraph;
import stowage.packing.ByteText;
import stowage.packing.Status;

/** The answer of {@code kernel} on stdout, with a plan, as text or as JSON. */
record KernelAnswer(
    String name,
    KernelGraph graph,
    Caches caches,
    KernelGoal goal,
    KernelIncumbent best,
    double seconds) {

  private Status status() {
    return best.isProven() ? Status.OPTIMAL : Status.FEASIBLE;
  }

  private boolean hasAddresses() {
    return goal != KernelGoal.RESIDENCY;
  }

  String json() {
    KernelFigures figures = best.figures();
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1).put("status", status().name());
    answer.put("minimize", goal.name().toLowerCase(Locale.ROOT));
    answer.put("residency", figures.residency());
    if (hasAddresses()) {
      answer.put("traffic", figures.traffic()).put("cycles", figures.cycles());
    }
    answer.put("spills", figures.spills()).put("lowerBound", best.bound());
    if (best.orderBound() >= 0) {
      answer.put("orderBound", best.orderBound());
    }
    ObjectNode peaks = answer.putObject("caches");
    for (Map.Entry<String, Long> cache : best.plan().peaks(graph, caches).entrySet()) {
      ObjectNode entry = peaks.putObject(cache.getKey()).put("peak", cache.getValue());
      entry.put("capacity", caches.units().get(cache.getKey()));
    }
    answer.put("seconds", Math.round(seconds * 1000) / 1000.0);
    return answer.toPrettyString();
  }

  /** A few lines for a reader. */
  String text() {
    KernelFigures figures = best.figures();
    StringBuilder text = new StringBuilder();
    line(text, "%s: %s, %s", status(), name, claim());
    figure(text, "residency", units(figures.residency()) + " allocated at once, spilled or not");
    if (hasAddresses()) {
      String spills = ByteText.count(figures.spills(), "spill");
      figure(text, "traffic", units(figures.traffic()) + " in " + spills);
      figure(text, "duration", ByteText.count(figures.cycles(), "cycle"));
    }
    figure(text, "bound", bounds());
    Map<String, Long> peaks = best.plan().peaks(graph, caches);
    String label = "caches";
    for (Map.Entry<String, Long> cache : peaks.entrySet()) {
      String capacity = ByteText.exact(caches.units().get(cache.getKey()));
      String peak = ByteText.exact(cache.getValue()) + (hasAddresses() ? " of " + capacity : "");
      figure(text, label, "%-4s at most %s alive at once".formatted(cache.getKey(), peak));
      label = "";
    }
    figure(text, "time", ByteText.seconds(seconds));
    return text.toString();
  }

  private String claim() {
    String figure =
        switch (goal) {
          case RESIDENCY -> "a lower residency";
          case TRAFFIC -> "less traffic";
          case TIME -> "a shorter time";
        };
    if (best.isProven()) {
      return "no order has " + figure;
    }
    return "%s is not excluded; at most %s above the optimum"
        .formatted(figure, ofGoal(best.figure() - best.bound()));
  }

  private String ofGoal(long count) {
    return ByteText.count(count, goal == KernelGoal.TIME ? "cycle" : "unit");
  }

  private String bounds() {
    String over = ofGoal(best.bound()) + " over all orders";
    return best.orderBound() < 0
        ? over
        : over + "; " + units(best.orderBound()) + " of traffic at this order";
  }

  private static void figure(StringBuilder text, String label, String value) {
    line(text, "  %-10s%s", label, value);
  }

  private static void line(StringBuilder text, String form, Object... values) {
    text.append(String.format(Locale.ROOT, form, values)).append(System.lineSeparator());
  }

  private static String units(long count) {
    return ByteText.count(count, "unit");
  }
}

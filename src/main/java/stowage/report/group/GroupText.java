package stowage.report.group;

import java.util.List;
import java.util.Locale;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Precision;
import stowage.onchip.lmem.LmemScore;
import stowage.packing.Status;
import stowage.report.format.NameText;

/** A grouping as a table for the terminal. */
public final class GroupText {
  private static final List<String> FIGURES =
      List.of("clashes", "operand clashes", "bank crossings");

  private GroupText() {}

  /** The totals and one line a group. */
  public static String of(GroupReport report) {
    Grouping grouping = report.grouping();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s on %s, partition %s, LMEM %s: %s %s (bound %,d)%n",
            NameText.plain(grouping.graph().network().name()),
            grouping.graph().chip().name(),
            grouping.partition(),
            report.lmem(),
            grouping.options().objective().label(),
            proof(grouping),
            grouping.provenLeast()));
    text.append(
        String.format(
            Locale.ROOT,
            "moved %,d bytes of %,d ungrouped; %,.0f cycles of %,.0f; LMEM %,d of %,d bytes a"
                + " lane%n",
            grouping.trafficBytes(),
            grouping.ungroupedBytes(),
            grouping.cycles(),
            grouping.ungroupedCycles(),
            grouping.lmemPeak(),
            grouping.graph().chip().laneBytes()));
    if (grouping.cycles() > grouping.ungroupedCycles()) {
      text.append("slower than ungrouped by the model of cycles; try --objective cycles\n");
    }
    text.append(
        String.format(
            Locale.ROOT,
            "GMEM between groups: %,d bytes, bound %,d, %s; %.2f s%n",
            report.gmem().peak(),
            report.gmem().lowerBound(),
            report.gmem().status(),
            report.seconds()));
    String precision = Precision.of(grouping.graph().network());
    boolean choice = report.isInFloats();
    text.append("planned in ").append(precision).append(" activations");
    text.append(choice ? ", as the file has them; --precision changes that\n" : "\n");
    text.append("LMEM of all groups: ");
    for (int k = 0; k < FIGURES.size(); k++) {
      text.append(k == 0 ? "" : "; ").append(status(grouping, k));
    }
    text.append("\n\n");
    groups(text, grouping);
    if (report.baseline() != null) {
      text.append("\nAs the file has it:\n");
      groups(text, report.baseline());
    }
    return text.toString();
  }

  /** Whether the objective is proven lowest, and among which groupings. */
  private static String proof(Grouping grouping) {
    String scope =
        switch (GroupJson.scope(grouping)) {
          case "groups" -> "for these groups, slices and steps";
          case "network" -> "of all groupings";
          default -> "of all " + GroupJson.scope(grouping) + " groupings";
        };
    if (grouping.status() != Status.OPTIMAL) {
      return "not proven lowest " + scope;
    }
    boolean contiguous = GroupJson.scope(grouping).equals("contiguous");
    return "lowest "
        + scope
        + ", proven"
        + (contiguous ? "; --partition cp also tries others" : "");
  }

  /** A figure of all groups with whether it is proven: 88 clashes (bound 0, not proven). */
  private static String status(Grouping grouping, int figure) {
    long sum = 0;
    long bound = 0;
    for (PlannedGroup group : grouping.groups()) {
      if (group.isGrouped()) {
        sum += group.answer().score().figure(figure);
        bound += group.answer().bounds().get(figure);
      }
    }
    String proof =
        sum == bound ? "proven" : String.format(Locale.ROOT, "bound %,d, not proven", bound);
    return String.format(Locale.ROOT, "%,d %s (%s)", sum, FIGURES.get(figure), proof);
  }

  private static void groups(StringBuilder text, Grouping grouping) {
    text.append(
        String.format(
            "%5s %11s %-18s %5s %9s %11s %8s %9s %12s %12s%n",
            "group",
            "ops",
            "slices",
            "steps",
            "LMEM",
            "clashes",
            "operands",
            "crossings",
            "bytes",
            "cycles"));
    for (int k = 0; k < grouping.groups().size(); k++) {
      PlannedGroup group = grouping.groups().get(k);
      String ops =
          group.first() == group.last() ? "" + group.first() : group.first() + "-" + group.last();
      if (!group.isGrouped()) {
        text.append(
            String.format(
                Locale.ROOT,
                "%5d %11s %-66s %,12d %,12.0f%n",
                k,
                ops,
                "alone" + (group.reason() == null ? "" : ": " + group.reason()),
                group.trafficBytes(),
                group.cycles()));
        continue;
      }
      LmemScore score = group.answer().score();
      text.append(
          String.format(
              Locale.ROOT,
              "%5d %11s %-18s %5d %9d %11s %8d %9d %,12d %,12.0f%n",
              k,
              ops,
              group.plan().sliced().slicing(),
              group.plan().table().rows(),
              score.peak(),
              score.clashes() + " (" + score.selfClashes() + " self)",
              score.operandClashes(),
              score.bankCrossings(),
              group.trafficBytes(),
              group.cycles()));
      if (group.remark() != null) {
        text.append("      ! ").append(group.remark()).append('\n');
      }
      group.violations().forEach(wrong -> text.append("      ! ").append(wrong).append('\n'));
    }
  }
}

package stowage.report.group;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import stowage.network.Network;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Precision;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.search.GroupOptions;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/** A grouping as a table for the terminal. */
public final class GroupText {
  private static final List<String> FIGURES =
      List.of("clashes", "operand clashes", "bank crossings");

  /** Their columns of the table, which is to fit in 80. */
  private static final List<String> COLUMNS = List.of("clash", "operand", "cross");

  /** Group numbers listed for one reason. */
  private static final int MOST_NUMBERS = 10;

  private GroupText() {}

  /** The status, the totals, and one line per group. */
  public static String of(GroupReport report) {
    Grouping grouping = report.grouping();
    Network network = grouping.graph().network();
    StringBuilder text = new StringBuilder();
    String chip = grouping.graph().chip().name();
    text.append(grouping.status()).append(": ").append(NameText.plain(network.name()));
    text.append(" on ").append(chip).append(", ").append(grouping.options().objective().label());
    text.append(' ').append(proof(grouping)).append('\n');
    AlignedText facts = new AlignedText("ll");
    String alone = "; " + ByteText.exact(grouping.ungroupedBytes()) + " without grouping";
    facts.row("moved", ByteText.both(grouping.trafficBytes()) + alone);
    boolean slower = grouping.cycles() > grouping.ungroupedCycles();
    String hint = slower ? ": slower, by the model; try --objective cycles" : "";
    String taken = "%,.0f; %,.0f without grouping%s";
    double before = grouping.ungroupedCycles();
    facts.row("cycles", String.format(Locale.ROOT, taken, grouping.cycles(), before, hint));
    boolean cycles = grouping.options().objective() == GroupOptions.GroupObjective.CYCLES;
    facts.row("bound", ByteText.exact(grouping.provenLeast()) + (cycles ? " cycles" : " bytes"));
    facts.row("partition", grouping.partition() + ", LMEM " + report.lmem());
    String lane = ByteText.exact(grouping.graph().chip().laneBytes());
    facts.row("LMEM", ByteText.exact(grouping.lmemPeak()) + " of " + lane + " bytes per lane");
    for (int k = 0; k < FIGURES.size(); k++) {
      facts.row(FIGURES.get(k), status(grouping, k));
    }
    GroupReport.Gmem gmem = report.gmem();
    String between = "%,d bytes between groups, bound %,d, %s";
    facts.row(
        "GMEM", String.format(Locale.ROOT, between, gmem.peak(), gmem.lowerBound(), gmem.status()));
    String chosen = report.isInFloats() ? ", as in the file; --precision changes that" : "";
    facts.row("activations", Precision.of(network) + chosen);
    facts.row("time", ByteText.seconds(report.seconds()));
    text.append(facts.text("  ")).append('\n');
    groups(text, grouping);
    if (report.baseline() != null) {
      text.append("\nAs in the file:\n");
      groups(text, report.baseline());
    }
    return text.toString();
  }

  /** Whether the objective is proven lowest, and among which groupings. */
  private static String proof(Grouping grouping) {
    String scope = grouping.scopeInWords();
    if (grouping.status() != Status.OPTIMAL) {
      return "not proven optimal " + scope;
    }
    boolean contiguous = grouping.scope() == BoundScope.CONTIGUOUS;
    String others = contiguous ? "; --partition cp also tries others" : "";
    return "lowest " + scope + ", proven" + others;
  }

  /** A figure of all groups with whether it is proven: {@code 88 (bound 0, not proven)}. */
  private static String status(Grouping grouping, int figure) {
    long sum = grouping.sum(figure);
    long bound = grouping.sumOfBounds(figure);
    String proof = sum == bound ? "proven" : "bound " + ByteText.exact(bound) + ", not proven";
    return ByteText.exact(sum) + " (" + proof + ")";
  }

  /**
   * A row per group, the totals, and below them why ops are alone. A figure of the addresses that
   * is 0 in all groups has no column.
   */
  private static void groups(StringBuilder text, Grouping grouping) {
    Table table = new Table().figures("group", "ops").texts("slices").figures("LMEM");
    for (int f = 0; f < COLUMNS.size(); f++) {
      table.column(grouping.sum(f) > 0 ? COLUMNS.get(f) : null, null, true);
    }
    table.figures("bytes", "cycles");
    Map<String, List<Integer>> reasons = new LinkedHashMap<>();
    List<String> wrong = new ArrayList<>();
    for (int k = 0; k < grouping.groups().size(); k++) {
      PlannedGroup group = grouping.groups().get(k);
      String ops =
          group.first() == group.last() ? "" + group.first() : group.first() + "-" + group.last();
      table.cells(k, ops);
      if (group.isGrouped()) {
        LmemScore score = group.answer().score();
        table.cells(group.plan().sliced().slicing().cuts(), Cell.of(score.peak()));
        for (int f = 0; f < COLUMNS.size(); f++) {
          table.cells(Cell.of(score.figure(f)));
        }
      } else {
        table.cells("alone", "").cells(Collections.nCopies(COLUMNS.size(), "").toArray());
        if (group.reason() != null) {
          reasons.computeIfAbsent(group.reason(), why -> new ArrayList<>()).add(k);
        }
      }
      table.cells(Cell.of(group.trafficBytes()), Cell.of(Math.round(group.cycles())));
      if (group.remark() != null) {
        wrong.add("group " + k + ": " + group.remark());
      }
      for (String violation : group.violations()) {
        wrong.add("group " + k + ": " + violation);
      }
    }
    table.cells("total", "", "", "");
    for (int f = 0; f < COLUMNS.size(); f++) {
      table.cells(Cell.of(grouping.sum(f)));
    }
    table.cells(Cell.of(grouping.trafficBytes()), Cell.of(Math.round(grouping.cycles())));
    text.append(table.text(""));
    reasons.forEach(
        (why, groups) -> text.append("alone, %s: %s\n".formatted(numbers(groups), why)));
    wrong.forEach(remark -> text.append("! ").append(remark).append('\n'));
  }

  private static String numbers(List<Integer> groups) {
    String shown =
        groups.stream().limit(MOST_NUMBERS).map(String::valueOf).collect(Collectors.joining(", "));
    int more = groups.size() - MOST_NUMBERS;
    return (groups.size() == 1 ? "group " : "groups ")
        + shown
        + (more > 0 ? " and " + more + " more" : "");
  }
}

package stowage.cli.plan;

import java.math.BigDecimal;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.WholeNumber;
import stowage.packing.PackingProblem;
import stowage.planning.EarlierRun;

/** Options of a run that takes over an earlier plan. */
@HelpGroup(HelpGroup.PLANNING)
final class EarlierPlan {
  @Option(
      names = "--warm-start",
      paramLabel = "PLAN",
      description =
          "A plan.json or plan.csv to start from, perhaps of an earlier version of the problem:"
              + " buffers are found by id, then by size and live range.")
  Path warmStart;

  @Option(
      names = "--stable",
      description =
          "With --warm-start: of the plans with the peak found, the one that moves the fewest"
              + " bytes; with --capacity, of those within it. If more than 5 %% of the bytes would"
              + " move, allows a 0.5 %% higher peak, or the earlier plan's (set with --slack).")
  boolean stable;

  @Option(
      names = "--slack",
      paramLabel = "PERCENT",
      converter = Percent.class,
      description = "With --stable: the peak may rise by up to PERCENT, such as 1%%; 0%% for none.")
  Double slack;

  @Option(
      names = "--pin-from",
      paramLabel = "PLAN",
      description =
          "Keep every buffer at its place in this plan.json or plan.csv, whatever the peak; only"
              + " what cannot stay there is placed.")
  Path pinFrom;

  /** Checks that the options go together. */
  void check() {
    UsageException.when(
        warmStart != null && pinFrom != null,
        "--warm-start and --pin-from: give one plan, to one of them");
    UsageException.when(
        stable && warmStart == null, "--stable needs the earlier plan: --warm-start PLAN");
    UsageException.when(
        slack != null && !stable, "--slack says how much higher --stable may go; add --stable");
  }

  /** The plan; null where none was given. */
  Path path() {
    return warmStart == null ? pinFrom : warmStart;
  }

  /** Reads the plan for a problem; null where none was given. */
  EarlierRun read(PackingProblem problem) {
    return path() == null ? null : new EarlierRun(path(), problem, pinFrom != null, stable, slack);
  }

  /** A percentage as a share. */
  static final class Percent implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      String number = text.strip();
      BigDecimal percent =
          number.endsWith("%")
              ? WholeNumber.decimal(number.substring(0, number.length() - 1).strip())
              : null;
      if (percent != null && percent.signum() >= 0 && percent.doubleValue() < 1e8) {
        return percent.doubleValue() / 100;
      }
      throw new TypeConversionException("'" + text + "' should be a percentage, such as 1%");
    }
  }
}

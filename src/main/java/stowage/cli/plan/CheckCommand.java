package stowage.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.input.ManyInputOptions;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.io.InputException;
import stowage.importer.own.PlanFile;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.LoadBound;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.planning.BlockingSet;
import stowage.planning.LoadedProblem;
import stowage.planning.TfliteMicroPlacement;
import stowage.report.RunReport;
import stowage.report.check.CheckJunit;
import stowage.report.check.CheckReport;
import stowage.report.check.CheckReport.Verdict;
import stowage.report.format.Terminal;

/** {@code stowage check}: whether peaks are within their limits, for a build to stop at. */
@Command(
    name = "check",
    description =
        "Says whether every model's peak is within a limit, with an exit code for builds: 0 within,"
            + " 7 the best plan found is above the limit, 4 proven impossible, 5 neither a plan nor a"
            + " proof in time. --time-limit holds for each model.")
public final class CheckCommand extends JsonCommand {
  /** The share of the time for a model in which the lowest peak is looked for first. */
  private static final double FIRST_SHARE = 0.6;

  private static final double SECONDS_TO_EXPLAIN = 10;

  @Mixin ManyInputOptions input;
  @Mixin RunOptions run;
  @Mixin ProgressOptions progress;

  @Option(
      names = "--max-peak",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Upper limit for the peak, such as 240KiB (default: the peak of --against).")
  Long maxPeak;

  @Option(
      names = "--against",
      paramLabel = "PLAN",
      description =
          "Baseline plan.json or plan.csv to compare with; one for each model, in their order.")
  List<Path> against = List.of();

  @HelpGroup(HelpGroup.OUTPUT)
  @Writes
  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description = "Write the report as Markdown too.")
  Path markdown;

  @HelpGroup(HelpGroup.OUTPUT)
  @Writes
  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write the report as JUnit XML too, one test case per model.")
  Path junit;

  private final List<String> hints = new ArrayList<>();

  @Override
  public Integer call() {
    List<Path> files = input.all();
    UsageException.when(
        maxPeak == null && against.isEmpty(),
        "check needs a limit: --max-peak BYTES, or --against PLAN");
    UsageException.whenBelow(0, "--max-peak", maxPeak);
    UsageException.when(
        !against.isEmpty() && against.size() != files.size(),
        "--against names %s plans; it should name one for each of the %s models"
            .formatted(against.size(), files.size()));
    Iterator<Path> earlier = against.iterator();
    Function<Path, CheckReport.Model> work =
        file -> check(file, earlier.hasNext() ? earlier.next() : null);
    CheckReport report = new CheckReport(progress.each("checking", files, work));
    if (markdown != null) {
      WrittenFile.writeString(spec, markdown, report.markdown());
    }
    if (junit != null) {
      WrittenFile.writeString(spec, junit, CheckJunit.of(report));
    }
    int code = exitCode(report);
    print(json ? report.json(code) : Terminal.dressed(report.text()));
    hints.forEach(this::say);
    return code;
  }

  private static int exitCode(CheckReport report) {
    return switch (report.verdict()) {
      case WITHIN -> ExitCode.OK;
      case UNKNOWN -> ExitCode.NO_PLAN;
      case ABOVE -> ExitCode.ABOVE_LIMIT;
      case IMPOSSIBLE -> ExitCode.INFEASIBLE;
    };
  }

  private CheckReport.Model check(Path file, Path earlierPlan) {
    LoadedProblem planned = input.load(file, earlierPlan);
    PackingProblem problem = planned.problem();
    CheckReport.Earlier earlier = earlierPlan == null ? null : earlier(earlierPlan, problem);
    long limit = maxPeak == null ? earlier.peak() : maxPeak;
    if (earlier != null && earlier.added() == problem.size() && earlier.removed() > 0) {
      hints.add(earlierPlan + " has no buffer of " + file + "; is it the plan of another model?");
    }
    RunControl control = run.control();
    Incumbent lowest = lowest(planned, control);
    RunReport report = RunReport.of(Plan.of(lowest));
    Certificate proof = null;
    if (!report.hasPlacement() || report.peak() > limit) {
      Incumbent fitting = fitting(planned.withCapacity(limit), lowest, control);
      proof = fitting.infeasibility();
      if (fitting.placement() != null) {
        report = RunReport.of(Plan.of(fitting));
      }
    }
    PackingProblem capped = planned.withCapacity(limit).problem();
    CheckReport.Blocking blocking = proof == null ? null : blocking(capped, proof, control);
    Verdict verdict = verdict(report, limit, proof);
    if ((proof != null || verdict == Verdict.ABOVE) && planned.planningCase().hasNetwork()) {
      hints.add("see what makes it fit: stowage fit " + input.named() + " --capacity " + limit);
    }
    return new CheckReport.Model(
        file.toString(),
        problem.name(),
        verdict,
        limit,
        report.peak(),
        report.lowerBound(),
        report.bound().kind(),
        reason(verdict, report, limit, blocking, earlier),
        blocking,
        earlier,
        lowest.seconds());
  }

  private static Verdict verdict(RunReport report, long limit, Certificate proof) {
    if (report.hasPlacement() && report.peak() <= limit) {
      return Verdict.WITHIN;
    } else if (proof != null) {
      return Verdict.IMPOSSIBLE;
    }
    return report.hasPlacement() ? Verdict.ABOVE : Verdict.UNKNOWN;
  }

  /** The lowest plan that is found in a share of the time, as the model's run-time takes it. */
  private Incumbent lowest(LoadedProblem planned, RunControl control) {
    boolean whole = control.isDeterministic();
    RunControl share = whole ? control : control.within(FIRST_SHARE * control.secondsLeft());
    Incumbent found = progress.solve(planned.problem(), share, run.engines());
    return TfliteMicroPlacement.settled(planned, found, share);
  }

  /** The first plan within a capacity, or a proof that there is none. */
  private Incumbent fitting(LoadedProblem capped, Incumbent lowest, RunControl control) {
    Incumbent found;
    List<Memory> memories = capped.problem().memories();
    if (lowest.bestBound() > memories.get(memories.size() - 1).capacity()) {
      found = lowest.withoutPlacement();
      found.provenInfeasible(lowest.bound(0).certificate(), lowest.finder());
    } else {
      found = progress.solve(capped.problem(), control, run.engines().withFirstFit(true));
    }
    return TfliteMicroPlacement.settled(capped, found, control);
  }

  private static CheckReport.Blocking blocking(
      PackingProblem capped, Certificate proof, RunControl run) {
    RunControl share = run.isDeterministic() ? run : run.withOwnDeadline(SECONDS_TO_EXPLAIN);
    BlockingSet set = BlockingSet.of(capped, proof, share);
    boolean[] chosen = new boolean[capped.size()];
    set.buffers().forEach(i -> chosen[i] = true);
    return new CheckReport.Blocking(
        set.buffers().stream().map(capped::buffer).toList(),
        set.irreducible(),
        LoadBound.heaviest(capped, i -> chosen[i]).bytes(),
        set.needed(),
        set.reason());
  }

  private static String reason(
      Verdict verdict,
      RunReport report,
      long limit,
      CheckReport.Blocking blocking,
      CheckReport.Earlier earlier) {
    String text =
        switch (verdict) {
          case WITHIN ->
              "The peak %s leaves %s of the limit."
                  .formatted(ByteText.both(report.peak()), ByteText.both(limit - report.peak()));
          case UNKNOWN -> "Neither a plan nor a proof that there is none was found in time.";
          case ABOVE ->
              ("The lowest peak found is %s, %s above the limit; that no plan is within it is not"
                      + " proven (bound %s).")
                  .formatted(
                      ByteText.both(report.peak()),
                      ByteText.both(report.peak() - limit),
                      ByteText.both(report.lowerBound()));
          case IMPOSSIBLE ->
              impossible(Math.max(report.lowerBound(), blocking.needed()), limit, blocking);
        };
    return verdict == Verdict.WITHIN || earlier == null ? text : text + " " + difference(earlier);
  }

  private static String impossible(long least, long limit, CheckReport.Blocking blocking) {
    return blocking.needed() < 0
        ? "No plan is within the limit, nor within any: " + blocking.reason()
        : "No plan is within the limit: every one takes at least %s, %s too much. %s"
            .formatted(ByteText.both(least), ByteText.both(least - limit), because(blocking));
  }

  private static String because(CheckReport.Blocking blocking) {
    String needed = ByteText.both(blocking.needed());
    int count = blocking.buffers().size();
    String rest = blocking.irreducible() ? "; removing any one makes the rest fit." : ".";
    return count == 1
        ? "Buffer \"" + blocking.buffers().get(0).id() + "\" alone needs " + needed + "."
        : "These " + count + " buffers alone need " + needed + rest;
  }

  private static String difference(CheckReport.Earlier earlier) {
    String since = earlier.file() + " (peak " + ByteText.both(earlier.peak()) + ")";
    String grown = ByteText.both(Math.abs(earlier.grownBytes()));
    return "Since %s: %s%s added with %s, %s removed, %s resized by %s in all."
        .formatted(
            since,
            earlier.added(),
            earlier.added() == 1 ? " buffer" : " buffers",
            ByteText.both(earlier.addedBytes()),
            earlier.removed(),
            earlier.resized(),
            earlier.grownBytes() < 0 ? "-" + grown : grown);
  }

  private static CheckReport.Earlier earlier(Path file, PackingProblem problem) {
    PlanFile plan = PlanFile.read(file);
    long peak = plan.peak();
    if (peak == PlanFile.UNKNOWN) {
      throw new InputException(
          file, "", "gives no sizes, so its peak is not known; give a plan.json or plan.csv");
    }
    Map<String, PlanFile.Place> places = plan.places();
    int added = 0;
    long addedBytes = 0;
    int resized = 0;
    long grown = 0;
    for (Buffer buffer : problem.buffers()) {
      PlanFile.Place place = places.get(buffer.id());
      if (place == null) {
        added++;
        addedBytes += buffer.size();
      } else if (place.size() != buffer.size()) {
        resized++;
        grown += buffer.size() - place.size();
      }
    }
    int removed = places.size() - (problem.size() - added);
    return new CheckReport.Earlier(
        file.toString(), peak, added, addedBytes, removed, resized, grown);
  }
}

package stowage.cli.fit;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.input.InputOptions;
import stowage.cli.input.OutputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.plan.PlanFolder;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.WholeNumber;
import stowage.cli.terminal.Writes;
import stowage.exact.engine.EngineOptions;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitRequest;
import stowage.planning.fit.FitRun;
import stowage.planning.fit.Lever;
import stowage.planning.fit.price.FitCompute;
import stowage.report.format.StatusLine;

/** {@code stowage fit}: the least extra compute with which a network fits into its memory. */
@Writes({Writes.PLAN, "network.json", "order.csv", "fit.html", "curve.{csv,svg}"})
@Command(
    name = "fit",
    description = {
      "Makes a network fit: by another order, by sharing buffers, by executing runs of ops piece by"
          + " piece, by computing ops again, at the least extra compute, with a bound.",
      "--out writes network.json, order.csv, plan.csv, plan.json, plan.svg, plan.html and"
          + " fit.html; with --curve also curve.csv and curve.svg."
    })
public final class FitCommand extends BaseCommand {
  private static final double SECONDS_AFTERWARDS = 0.5;

  /** Times that all ops together may run, counted by their compute, where some run again. */
  private static final int MOST_TIMES = 256;

  @Mixin InputOptions input;
  @Mixin RunOptions run;
  @Mixin OutputOptions output;
  @Mixin ProgressOptions progress;

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Bytes of the memory that every placed buffer is to be within.")
  Long capacity;

  @Option(
      names = "--load-limit",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Most bytes live at a step; with --capacity both hold.")
  Long loadLimit;

  @Option(
      names = "--max-extra",
      paramLabel = "SHARE|COUNT",
      description = "The least peak with at most so much extra compute: 5%% or a count.")
  String maxExtra;

  @Option(names = "--curve", description = "The least extra compute for every peak.")
  boolean curve;

  @Option(
      names = "--levers",
      split = ",",
      paramLabel = "LEVER",
      description =
          "What may be changed: order, sharing, split, recompute (default: all but recompute).")
  List<Lever> levers = List.of(Lever.ORDER, Lever.SHARING, Lever.SPLIT);

  @Writes
  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write the model that fits, in the input's format or as .json.")
  Path write;

  @Override
  public Integer call() {
    long begin = System.nanoTime();
    Interruption interruption = Interruption.install(run::stop, () -> false);
    checkQuestion();
    ProblemLoader loader = new ProblemLoader(input);
    UsageException.when(
        loader.read() instanceof Input.Packing,
        input.input + " is a list of buffers; fit changes a network: use stowage plan");
    ProblemLoader.Unordered read = loader.loadUnordered();
    if (!FitCompute.isCountable(read.network(), 1)) {
      String what = "has 2^63 multiply-accumulates or more; costs at its ops would count instead";
      throw new InputException(input.input, "", what);
    }
    PlanFolder.prepare(output.out);
    List<String> remarks = new ArrayList<>();
    FitOutput files = new FitOutput(input, run, output, write, spec.commandLine(), remarks);
    FitRequest request = request(read.network(), read.liveness());
    files.checkTarget(request);
    boolean again = request.allows(Lever.RECOMPUTE);
    if (again && !FitCompute.isCountable(read.network(), MOST_TIMES)) {
      String what = "costs 2^55 or more in all, too much to count ops that run again by";
      throw new InputException(input.input, "", what + "; a larger unit at its ops would do");
    }
    if (request.maxExtra() > 0 && !maxExtra.contains("%") && request.maxExtra() <= 100) {
      remarks.add("--max-extra " + maxExtra + " is a count; " + maxExtra + "% is a share.");
    }
    RunControl control = run.control((System.nanoTime() - begin) / 1e9, SECONDS_AFTERWARDS);
    if (interruption.happened()) {
      control.stop();
    }
    FitAnswer answer;
    try (StatusLine shown = progress.during("fitting " + read.network().name(), control)) {
      answer = FitRun.of(request, control, progress::say);
    }
    if (answer.status() == Status.UNKNOWN && !again) {
      remarks.add("--levers order,sharing,split,recompute looks at computing ops again, too.");
    }
    if (answer.status() == Status.UNKNOWN && request.keepsOps() && request.allows(Lever.SPLIT)) {
      remarks.add(
          "Pieces for which TensorFlow Lite Micro keeps more than three quarters of the bytes saved"
              + " are left out.");
    }
    if (answer.status() == Status.INFEASIBLE && !request.allows(Lever.SPLIT)) {
      String more = again ? ",recompute" : "";
      remarks.add("--levers order,sharing,split" + more + " looks at pieces of ops, too.");
    }
    files.write(answer, read);
    int known = answer.fits() ? ExitCode.OK : ExitCode.NO_PLAN;
    boolean infeasible = answer.status() == Status.INFEASIBLE;
    return interruption.finished(infeasible ? ExitCode.INFEASIBLE : known);
  }

  private void checkQuestion() {
    UsageException.whenBelow(0, "--capacity", capacity);
    UsageException.whenBelow(0, "--load-limit", loadLimit);
    List<String> asked =
        Stream.of("--capacity", "--load-limit", "--max-extra", "--curve")
            .filter(spec.commandLine().getParseResult()::hasMatchedOption)
            .toList();
    boolean both = capacity != null && loadLimit != null;
    UsageException.when(
        asked.isEmpty(),
        "fit needs a question: --capacity BYTES, --load-limit BYTES, --max-extra 5% or --curve");
    UsageException.when(
        asked.size() > (both ? 2 : 1),
        String.join(", ", asked)
            + " are different questions; give one, or --capacity with --load-limit");
  }

  private FitRequest request(Network network, LivenessOptions liveness) {
    Set<Lever> allowed = EnumSet.copyOf(levers);
    return new FitRequest(
        network,
        FitRequest.shared(liveness, input.inPlace != null),
        allowed,
        capacity == null ? -1 : capacity,
        loadLimit == null ? -1 : loadLimit,
        maxExtra == null ? -1 : price(FitCompute.of(network)),
        curve,
        EngineOptions.defaults().withConfig(run.config()));
  }

  private long price(long compute) {
    String text = maxExtra.strip();
    boolean share = text.endsWith("%");
    String digits = share ? text.substring(0, text.length() - 1).strip() : text;
    BigDecimal price = WholeNumber.decimal(digits);
    boolean whole = share || price != null && price.stripTrailingZeros().scale() <= 0;
    if (share && price != null) {
      price = price.multiply(BigDecimal.valueOf(compute)).movePointLeft(2);
    }
    boolean fits = price != null && price.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
    if (whole && fits && price.signum() >= 0) {
      return price.longValue();
    }
    throw new UsageException(
        "--max-extra %s should be a share such as 5%% or a whole count such as %s"
            .formatted(maxExtra, compute / 20));
  }
}

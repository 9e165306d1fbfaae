package stowage.cli.input;

import java.util.List;
import picocli.CommandLine.Option;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.Seconds;
import stowage.cli.terminal.UsageException;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SolverConfigs;
import stowage.importer.io.Suggestion;
import stowage.packing.RunControl;
import stowage.report.FigureSize;
import stowage.report.RunSettings;

/** How long a run may take and what it may use. Shared by all commands that solve. */
@HelpGroup(HelpGroup.LIMITS)
public final class RunOptions {
  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Seconds.class,
      description = "Stop after this time, such as 10s, 500ms or 2m (default: ${DEFAULT-VALUE}s).",
      defaultValue = "60")
  public double timeLimit = 60;

  @Option(
      names = "--det-limit",
      paramLabel = "UNITS",
      description =
          "Stop after UNITS work units (1 unit is about 1 s of one thread); implies --deterministic"
              + " (default with it: the time limit's number).")
  public Double workLimit;

  @Option(names = "--threads", paramLabel = "N", description = "Threads (default: all cores).")
  public int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of every random choice (default: ${DEFAULT-VALUE}).")
  public long seed = 1;

  @Option(
      names = "--deterministic",
      description = "The same input and seed give the same placement: limits count work, not time.")
  boolean deterministic;

  @Option(
      names = "--config",
      paramLabel = "NAME|FILE",
      description =
          "Settings of CP-SAT (.textproto) and Choco (.json): a file, or a name such as default,"
              + " fast or exhaustive.")
  String config;

  /** The settings asked for, or the default ones. */
  public String config() {
    if (config == null) {
      return EngineOptions.DEFAULT_CONFIG;
    }
    try {
      SolverConfigs.check(config);
    } catch (IllegalArgumentException wrong) {
      String hint = Suggestion.hint(config, SolverConfigs.names());
      throw new UsageException("--config: " + wrong.getMessage() + hint);
    }
    return config;
  }

  /** How engines are set up: as they come, with the settings asked for. */
  public EngineOptions engines() {
    return EngineOptions.defaults().withConfig(config());
  }

  /** What a report repeats of these options; no planners stand for the portfolio. */
  public RunSettings settings(List<String> planners, FigureSize figureSize) {
    return new RunSettings(planners, seed, threads, isDeterministic(), figureSize);
  }

  /** Whether limits count work instead of time. */
  public boolean isDeterministic() {
    return deterministic || workLimit != null;
  }

  /** A million work units, each about a microsecond, make one of the user's. */
  private static final double WORK_UNITS = 1e6;

  /** Seconds that planning has at least, even where reading took longer than the whole limit. */
  private static final double LEAST_SECONDS = 0.5;

  /** The control of the run that has begun; null before. */
  private volatile RunControl running;

  /** Ends the run that has begun last, if one has, as a signal does. */
  public void stop() {
    RunControl control = running;
    if (control != null) {
      control.stop();
    }
  }

  /** The control these options ask for. */
  public RunControl control() {
    return control(0, 0);
  }

  /**
   * The control these options ask for, where the time limit is to hold for the seconds spent since
   * the start and those reserved for what comes after planning.
   */
  public RunControl control(double spent, double reserved) {
    UsageException.whenBelow(1, "--threads", threads);
    UsageException.whenBelow(0, "--time-limit", timeLimit);
    UsageException.whenBelow(0, "--det-limit", workLimit);
    double units = (workLimit == null ? timeLimit : workLimit) * WORK_UNITS;
    double left = Math.max(timeLimit - spent - reserved, Math.min(timeLimit, LEAST_SECONDS));
    running =
        isDeterministic()
            ? RunControl.ofWork(units > 9e18 ? Long.MAX_VALUE : (long) units, threads, seed)
            : RunControl.ofSeconds(left, threads, seed);
    return running;
  }
}

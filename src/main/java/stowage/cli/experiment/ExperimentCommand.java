package stowage.cli.experiment;

import picocli.CommandLine.Command;

/** {@code stowage experiment}: suites of runs, on one machine or a cluster, and what they show. */
@Command(
    name = "experiment",
    description = "Runs instances x planners x seeds, and makes tables and plots of the answers.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ExperimentPlanCommand.class,
      ExperimentRunCommand.class,
      ExperimentStatusCommand.class,
      ExperimentChunkCommand.class,
      ExperimentCollectCommand.class,
      ExperimentReportCommand.class,
      ExperimentSubmitCommand.class,
    })
public final class ExperimentCommand {}

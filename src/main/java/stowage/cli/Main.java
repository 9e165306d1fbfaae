package stowage.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IHelpFactory;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import stowage.cli.experiment.BenchCommand;
import stowage.cli.experiment.ExperimentCommand;
import stowage.cli.fit.FitCommand;
import stowage.cli.help.CompletionCommand;
import stowage.cli.help.GroupedHelp;
import stowage.cli.help.HelpCommand;
import stowage.cli.help.HelpTexts;
import stowage.cli.help.ListCommand;
import stowage.cli.help.ManPagesCommand;
import stowage.cli.help.SchemaCommand;
import stowage.cli.input.InputOptions;
import stowage.cli.network.AuditCommand;
import stowage.cli.network.ChipsCommand;
import stowage.cli.network.ConvertCommand;
import stowage.cli.network.DependenciesCommand;
import stowage.cli.network.ExportCommand;
import stowage.cli.network.GenerateCommand;
import stowage.cli.network.GenerateKernelCommand;
import stowage.cli.network.GroupCommand;
import stowage.cli.network.KernelCommand;
import stowage.cli.network.ShowCommand;
import stowage.cli.plan.BoundCommand;
import stowage.cli.plan.CheckCommand;
import stowage.cli.plan.CompareCommand;
import stowage.cli.plan.DiffCommand;
import stowage.cli.plan.ExplainCommand;
import stowage.cli.plan.MemoriesCommand;
import stowage.cli.plan.ModelWriter;
import stowage.cli.plan.PlanCommand;
import stowage.cli.plan.PlannersCommand;
import stowage.cli.plan.ScheduleCommand;
import stowage.cli.plan.VerifyCommand;
import stowage.cli.plan.WasteCommand;
import stowage.cli.serve.ServeCommand;
import stowage.cli.terminal.AnswerWriter;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.MemoryShortage;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.OutputGuard;
import stowage.cli.terminal.StandardOutput;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.WholeNumber;
import stowage.cli.terminal.WrongArgument;
import stowage.importer.io.InputException;
import stowage.network.InvalidNetworkException;
import stowage.packing.InvalidProblemException;
import stowage.report.format.NameText;

/** The program {@code stowage}: its commands, and how errors end. */
@Command(
    name = "stowage",
    description =
        "Plans, ahead of time and with a proof, where every buffer of a neural network is placed in"
            + " memory.",
    mixinStandardHelpOptions = true,
    resourceBundle = "stowage.cli.help.inputs",
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  private static final List<Class<?>> COMMANDS =
      List.of(
          PlanCommand.class,
          ServeCommand.class,
          VerifyCommand.class,
          CheckCommand.class,
          AuditCommand.class,
          BoundCommand.class,
          CompareCommand.class,
          DiffCommand.class,
          WasteCommand.class,
          DependenciesCommand.class,
          ExportCommand.class,
          BenchCommand.class,
          ConvertCommand.class,
          ExplainCommand.class,
          ShowCommand.class,
          GroupCommand.class,
          KernelCommand.class,
          GenerateCommand.class,
          GenerateKernelCommand.class,
          ScheduleCommand.class,
          FitCommand.class,
          PlannersCommand.class,
          ChipsCommand.class,
          ExperimentCommand.class,
          SchemaCommand.class,
          ListCommand.class,
          MemoriesCommand.class,
          HelpCommand.class,
          ManPagesCommand.class,
          TrainCommand.class,
          CompletionCommand.class);

  private static final Set<Class<?>> OVER_ALL =
      Set.of(HelpCommand.class, ManPagesCommand.class, TrainCommand.class, CompletionCommand.class);

  private static final Set<Class<?>> OF_NETWORKS =
      Set.of(ScheduleCommand.class, FitCommand.class, DependenciesCommand.class);

  /** Runs the program and ends the process with the command's exit code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    StandardOutput stdout = StandardOutput.install();
    MemoryShortage.reportInThreads();
    int code = run(arguments);
    System.out.flush();
    if (stdout.failure() != null) {
      System.err.println("stowage: stdout: cannot be written: " + stdout.failure().getMessage());
      code = code == ExitCode.OK ? ExitCode.BAD_INPUT : code;
    }
    System.err.flush();
    // Threads of solvers may still be ending; nothing of theirs is needed.
    System.exit(code);
  }

  static int run(String... arguments) {
    String[] words = Shortcuts.expanded(arguments);
    return commandLine(words)
        .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
        .execute(words);
  }

  private static void addWholeHelp(CommandLine commandLine) {
    if (commandLine.getCommandSpec().findOption("--help") != null) {
      commandLine
          .getCommandSpec()
          .addOption(
              OptionSpec.builder("--help-all")
                  .type(boolean.class)
                  .usageHelp(true)
                  .description("Show all options, values and environment variables, and exit.")
                  .build());
    }
    commandLine.getSubcommands().values().forEach(Main::addWholeHelp);
  }

  /**
   * The commands with their error handling; tests set where it prints. Where the command line names
   * a command that needs no others, that one alone is there, since reading the options of all takes
   * longer than a plan.
   */
  static CommandLine commandLine(String... arguments) {
    CommandLine commandLine = new CommandLine(new Main());
    Class<?> named = arguments.length == 0 ? null : named(arguments[0]);
    for (Class<?> command : named == null ? COMMANDS : List.<Class<?>>of(named)) {
      commandLine.addSubcommand(command);
    }
    addWholeHelp(commandLine);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    Handlers handlers = new Handlers(commandLine);
    for (CommandLine command : commandLine.getSubcommands().values()) {
      if (command.getCommand() instanceof PlanCommand plan) {
        plan.modelWriter(handlers);
      }
      if (command.getCommand() instanceof MemoriesCommand) {
        MemoriesCommand.describe(command.getCommandSpec());
      }
      if (OF_NETWORKS.contains(command.getCommand().getClass())) {
        boolean ordered = command.getCommand() instanceof DependenciesCommand;
        Set<String> more = ordered ? Set.of("--module") : Set.of("--module", "--schedule");
        InputOptions.hideOptionsOfBuffers(command.getCommandSpec(), more);
      }
    }
    commandLine.setHelpFactory(handlers);
    commandLine.setUsageHelpAutoWidth(true);
    WholeNumber.register(commandLine);
    commandLine.setExecutionExceptionHandler(handlers);
    commandLine.setExecutionStrategy(handlers);
    commandLine.setParameterExceptionHandler(handlers);
    return commandLine;
  }

  /**
   * What picocli calls back. It is a class and no lambdas, since picocli's classes are of Java 5: a
   * class-data archive leaves out those that a lambda's class links, and with them all that build
   * on them, and reading those takes a tenth of a second at every start.
   */
  private record Handlers(CommandLine commandLine)
      implements IHelpFactory,
          IExecutionStrategy,
          IExecutionExceptionHandler,
          IParameterExceptionHandler,
          ModelWriter {
    @Override
    public void write(InputOptions input, Path plan, Path copy, CommandSpec command) {
      ExportCommand.write(input, plan, copy, command);
    }

    @Override
    public Help create(CommandSpec command, ColorScheme colors) {
      return new GroupedHelp(command, colors);
    }

    /** Runs the command; picocli hands exceptions on, but no errors. */
    @Override
    public int execute(ParseResult parsed) {
      requireValues(parsed);
      commandLine.setOut(new AnswerWriter(commandLine.getOut()));
      boolean json = AnswerWriter.asksForJson(parsed.originalArgs());
      if (json) {
        Interruption.installEarly(commandLine.getOut());
      }
      try {
        OutputGuard.check(parsed);
        return new RunLast().execute(parsed);
      } catch (UsageException | OutputException wrong) {
        return handleExecutionException(wrong, commandLine, parsed);
      } catch (OutOfMemoryError | StackOverflowError error) {
        return say(commandLine, json, ExitCode.BAD_INPUT, MemoryShortage.text(error));
      }
    }

    @Override
    public int handleExecutionException(
        Exception failure, CommandLine command, ParseResult parsed) {
      boolean json = AnswerWriter.asksForJson(parsed.originalArgs());
      if (MemoryShortage.in(failure) != null) {
        String text = MemoryShortage.text(MemoryShortage.in(failure));
        return say(command, json, ExitCode.BAD_INPUT, text);
      }
      if (failure instanceof UsageException
          || (failure instanceof InputException wrong && wrong.isMisuse())) {
        return say(command, json, ExitCode.USAGE, failure.getMessage());
      }
      if (failure instanceof InputException
          || failure instanceof OutputException
          || failure instanceof InvalidProblemException
          || failure instanceof InvalidNetworkException) {
        return say(command, json, ExitCode.BAD_INPUT, failure.getMessage());
      }
      if (failure instanceof IOException io) {
        String file = io instanceof FileSystemException system ? system.getFile() + ": " : "";
        return say(command, json, ExitCode.BAD_INPUT, file + OutputException.reason(io));
      }
      int code = CommandLine.ExitCode.SOFTWARE;
      say(command, json, code, "unexpected failure, please report it: " + failure);
      failure.printStackTrace(command.getErr());
      return code;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] given) {
      CommandLine command = wrong.getCommandLine();
      PrintWriter err = command.getErr();
      boolean json = AnswerWriter.asksForJson(List.of(given));
      if (wrong.getMessage().startsWith("Missing required subcommand")) {
        command.usage(err);
        if (json) {
          AnswerWriter.error(command.getOut(), ExitCode.USAGE, "name a subcommand");
        }
        return ExitCode.USAGE;
      }
      String loose = WrongArgument.looseUnit(List.of(given));
      String unknown = loose != null ? loose : WrongArgument.unknown(wrong);
      String choice = unknown != null ? unknown : WrongArgument.choice(wrong);
      String message =
          choice != null ? choice : wrong.getMessage().lines().findFirst().orElse("wrong usage");
      message = message.replace("option option", "option"); // as picocli says it of NAME=VALUE
      say(command, json, ExitCode.USAGE, message);
      if (unknown != null || !CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err)) {
        err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
      }
      if (wrong instanceof CommandLine.MissingParameterException) {
        HelpTexts.examples(command.getCommandSpec()).stream()
            .limit(1)
            .forEach(example -> err.println("For example: " + example.strip()));
      }
      return ExitCode.USAGE;
    }
  }

  private static Class<?> named(String name) {
    for (Class<?> command : COMMANDS) {
      if (command.getAnnotation(Command.class).name().equals(name)) {
        return OVER_ALL.contains(command) ? null : command;
      }
    }
    return null;
  }

  /** Says what went wrong: on stderr, and on stdout where answers are JSON. */
  private static int say(CommandLine command, boolean json, int code, String message) {
    command.getErr().println("stowage: " + NameText.plain(message));
    if (json) {
      AnswerWriter.error(command.getOut(), code, message);
    }
    return code;
  }

  /**
   * Refuses lists without an entry, such as {@code --planner ,}, that would count as not given, and
   * units apart from their numbers, that would count as files.
   */
  private static void requireValues(ParseResult parsed) {
    String loose = WrongArgument.looseUnit(parsed.originalArgs());
    if (loose != null) {
      throw new ParameterException(parsed.commandSpec().commandLine(), loose);
    }
    for (ParseResult at = parsed; at != null; at = at.hasSubcommand() ? at.subcommand() : null) {
      for (OptionSpec option : at.matchedOptions()) {
        if (option.getValue() instanceof Collection<?> list && list.isEmpty()) {
          throw new ParameterException(
              at.commandSpec().commandLine(),
              option.longestName() + " names nothing; give it one " + option.paramLabel());
        }
      }
    }
  }

  /** The lines that say which version this is, and on what it runs. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String packaged = Main.class.getPackage().getImplementationVersion();
      // The release build makes manual pages before there is a jar that says the version.
      String version = packaged == null ? System.getProperty("stowage.version") : packaged;
      return new String[] {
        "stowage " + (version == null ? "(development)" : version),
        "Java %s, %s %s"
            .formatted(
                Runtime.version(), System.getProperty("os.name"), System.getProperty("os.arch"))
      };
    }
  }
}

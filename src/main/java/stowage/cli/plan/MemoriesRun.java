package stowage.cli.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProgressOptions;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.io.InputException;
import stowage.importer.io.Suggestion;
import stowage.importer.own.MemoryMapJson;
import stowage.liveness.PlanningCase;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.memory.MemoryMap;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.LoadedProblem;
import stowage.planning.RulesOfPlan;
import stowage.report.format.StatusLine;
import stowage.report.format.Table;
import stowage.report.memory.MemoriesReport;
import stowage.residency.LeastCapacity;
import stowage.residency.MisfitSet;
import stowage.residency.ResidencySolver;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyProblem;

/** A network over the memories of a map: {@code plan --memories} and {@code compare --memories}. */
final class MemoriesRun {
  private static final double RULE_SECONDS = 2;

  private final PlanningCase planned;
  private final String name;
  private final ResidencyProblem problem;
  private final ProgressOptions progress;
  private final CommandSpec command;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;

  private MemoriesRun(
      PlanningCase planned,
      ResidencyProblem problem,
      ProgressOptions progress,
      CommandSpec command,
      boolean json) {
    this.planned = planned;
    this.name = planned.network().name();
    this.problem = problem;
    this.progress = progress;
    this.command = command;
    this.out = command.commandLine().getOut();
    this.err = command.commandLine().getErr();
    this.json = json;
  }

  /** Aligns buffers as the fast memories of a map do, unless the user says otherwise. */
  static void align(InputOptions input, Path map) {
    List<MemoryMap.Space> fast = MemoryMapJson.read(map).fastSpaces();
    input.alignUnlessGiven(fast.stream().mapToLong(MemoryMap.Space::alignment).max().orElse(1));
  }

  /** A list of buffers in the memories of a map, each buffer in one for its whole live range. */
  static LoadedProblem inMemories(LoadedProblem list, Path map) {
    PackingProblem problem = list.problem();
    UsageException.when(
        problem.memories().size() > 1,
        "--memories: the input says itself which memories there are");
    MemoryMap read = MemoryMapJson.read(map, problem.memories().get(0).alignment());
    List<Memory> memories = new ArrayList<>();
    List<MemoryMap.Space> spaces = new ArrayList<>(read.fastSpaces());
    spaces.addAll(read.homes());
    spaces.removeIf(space -> !space.writable());
    for (MemoryMap.Space space : spaces) {
      memories.add(new Memory(space.name(), space.capacity(), space.alignment(), space.base(), 0));
    }
    return LoadedProblem.of(problem.withMemories(memories));
  }

  /** Refuses rules for ops that the network does not have. */
  private static void checkRules(MemoryMap memories, Network network, Path map) {
    List<String> known = network.ops().stream().map(Op::name).toList();
    List<String> named = new ArrayList<>();
    memories.rules().forEach(rule -> named.add(rule.op()));
    memories.compute().forEach(compute -> named.add(compute.op()));
    for (String op : named) {
      if (op != null && !known.contains(op)) {
        String what = "a rule names the op \"%s\", which the network does not have%s";
        throw new InputException(map, "", what, op, Suggestion.hint(op, known));
      }
    }
  }

  /** The problem of a network at its order over the memories of a map. */
  static ResidencyProblem problem(LoadedProblem planned, Path map, String objective) {
    UsageException.when(
        !planned.planningCase().hasNetwork(),
        "--memories places a network; a list of buffers has no ops that use them");
    UsageException.when(
        !planned.planningCase().isSequential(),
        "--memories plans ops that run once each, one after another: without --concurrency, loops"
            + " and branches");
    UsageException.when(
        !objective.equals("traffic") && !objective.equals("time"),
        "--objective " + objective + " should be traffic or time");
    MemoryMap memories = MemoryMapJson.read(map, planned.planningCase().options().alignment());
    checkRules(memories, planned.planningCase().network(), map);
    try {
      return ResidencyProblem.of(planned.planningCase(), memories, objective.equals("time"));
    } catch (InvalidNetworkException wrong) {
      throw new InputException(map, "", wrong.getMessage(), wrong);
    }
  }

  /** Reads the map. */
  static MemoriesRun of(
      LoadedProblem planned,
      Path map,
      String objective,
      ProgressOptions progress,
      CommandSpec command,
      boolean json) {
    ResidencyProblem problem = problem(planned, map, objective);
    return new MemoriesRun(planned.planningCase(), problem, progress, command, json);
  }

  /** Plans, prints and writes; gives the exit code. */
  int plan(RunControl control, Path folder) {
    long begin = System.nanoTime();
    ResidencyProblem.Misfit misfit = problem.misfit();
    ResidencySolver.Answer answer = null;
    try (StatusLine shown = during(control)) {
      if (misfit == null) {
        answer = ResidencySolver.solve(problem, control);
        misfit = answer.infeasible() ? MisfitSet.of(problem, control) : null;
      }
    }
    if (misfit != null) {
      return infeasible(misfit);
    }
    if (answer.plan() == null) {
      if (json) {
        print(MemoriesReport.head(problem.map().name(), Status.UNKNOWN));
      }
      err.println("stowage: no plan was found in time");
      return ExitCode.NO_PLAN;
    }
    MemoriesReport report = new MemoriesReport(name, problem);
    double seconds = (System.nanoTime() - begin) / 1e9;
    print(report.json(answer, seconds));
    if (folder != null) {
      AnswerFolder files = new AnswerFolder(folder);
      report.files(answer, seconds, RulesOfPlan.of(planned)).forEach(files::writeString);
      String names =
          "memories.html memories.json memories.svg residency.csv residency.h transfers.csv"
              + " order.txt";
      WrittenFile.sayFolder(command, folder, List.of(names.split(" ")));
    } else if (!json) {
      out.println("\n" + WrittenFile.ADD_OUT);
    }
    return ExitCode.OK;
  }

  /** Finds the least capacity of the fast memory for a limit of the price, and prints it. */
  int leastCapacity(RunControl control, long limit) {
    ResidencyProblem.Misfit misfit = problem.withFastCapacity(LeastCapacity.most(problem)).misfit();
    if (misfit != null) {
      return infeasible(misfit);
    }
    LeastCapacity least;
    try (StatusLine shown = during(control)) {
      least = LeastCapacity.of(problem, limit, control);
    }
    boolean found = least.capacity() >= 0;
    Status known = least.isProven(limit) ? Status.OPTIMAL : Status.FEASIBLE;
    Status status = found ? known : Status.UNKNOWN;
    String objective = problem.byTime() ? "time" : "traffic";
    ObjectNode text = MemoriesReport.head(problem.map().name(), status).put("objective", objective);
    if (least.limit() >= 0) {
      text.put("limit", least.limit());
    }
    if (found) {
      text.put("leastCapacity", least.capacity());
    }
    text.put("lowerBound", least.bound());
    if (!found && least.leastPrice() > least.limit()) {
      String unit = problem.byTime() ? " nanoseconds" : " bytes";
      String price = objective + " is " + ByteText.exact(least.leastPrice()) + unit;
      err.println("stowage: infeasible: with any capacity the " + price + " or more");
      text.put("status", Status.INFEASIBLE.name()).put("leastPrice", least.leastPrice());
      print(text);
      return ExitCode.INFEASIBLE;
    }
    print(text);
    return found ? ExitCode.OK : ExitCode.NO_PLAN;
  }

  private StatusLine during(RunControl control) {
    int ops = problem.ops().size();
    return progress.during("placing " + ByteText.count(ops, "op") + " over the memories", control);
  }

  private void print(ObjectNode answer) {
    out.println(
        json
            ? answer.toPrettyString()
            : new MemoriesReport(name, problem).words(answer).stripTrailing());
    out.flush();
  }

  private int infeasible(ResidencyProblem.Misfit misfit) {
    if (json) {
      print(MemoriesReport.misfitJson(problem.map().name(), misfit));
    }
    err.println("stowage: infeasible: " + MemoriesReport.misfit(misfit));
    return ExitCode.INFEASIBLE;
  }

  /** Compares the known rules with the optimum, until it is interrupted; gives the exit code. */
  int compare(
      RunControl control, Interruption interruption, CompareCommand.Format format, Path folder) {
    ResidencyProblem.Misfit misfit = problem.misfit();
    if (misfit != null) {
      return infeasible(misfit);
    }
    ObjectNode text = new ObjectMapper().createObjectNode();
    text.put("schemaVersion", 1).put("map", problem.map().name());
    text.put("objective", problem.byTime() ? "time" : "traffic");
    ArrayNode rows = text.putArray("rules");
    AccessTable table = new AccessTable(problem);
    ResidencySolver.Answer best;
    try (StatusLine shown = during(control)) {
      for (ResidencyGreedy rule : ResidencyGreedy.values()) {
        if (interruption.happened()) {
          break;
        }
        ResidencyChoice choice = rule.choose(table);
        add(rows, rule.label(), ResidencySolver.planned(problem, choice, 0, control, RULE_SECONDS));
      }
      best = ResidencySolver.solve(problem, control);
    }
    if (best.plan() != null || !interruption.happened()) {
      add(rows, "stowage", best.plan() == null ? null : best);
    }
    if (interruption.happened()) {
      err.println("stowage: interrupted; the answer has what was done before it");
    }
    text.put("lowerBound", best.bound());
    Table made = MemoriesReport.table(rows);
    if (folder != null) {
      AnswerFolder files = new AnswerFolder(folder);
      files.writeString("compare.json", text.toPrettyString() + "\n");
      files.writeString("compare.csv", made.csv());
      files.writeString("compare.md", made.markdown());
      WrittenFile.sayFolder(command, folder, List.of("compare.md", "compare.csv", "compare.json"));
    }
    switch (format) {
      case CSV -> out.print(made.csv());
      case MARKDOWN -> out.print(made.markdown());
      default -> print(text);
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void add(ArrayNode rows, String name, ResidencySolver.Answer answer) {
    ObjectNode row = rows.addObject().put("name", name);
    if (answer == null) {
      row.put("status", "no addresses within the capacity");
    } else {
      row.put("price", answer.price()).put("trafficBytes", answer.moved());
      row.put("nanoseconds", answer.nanoseconds());
    }
  }
}

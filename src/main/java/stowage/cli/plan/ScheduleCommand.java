package stowage.cli.plan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.input.InputOptions;
import stowage.cli.input.OutputOptions;
import stowage.cli.input.PrecedenceFile;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.OrderExport;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.LoadedProblem;
import stowage.planning.schedule.ScheduleRun;
import stowage.report.FigureSize;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.format.StatusLine;
import stowage.report.format.Table;
import stowage.report.format.Terminal;
import stowage.report.page.PageFrame;
import stowage.report.plan.RenderedPlan;
import stowage.report.schedule.CutSvg;
import stowage.report.schedule.LoadsSvg;
import stowage.report.schedule.NamedCut;
import stowage.report.schedule.ScheduleReport;
import stowage.schedule.order.SystemOrders;

/** {@code stowage schedule}: the order of ops that needs least memory, proven over all orders. */
@Writes({
  Writes.PLAN,
  "{order,orders/*}.csv",
  "{orders,cut}.svg",
  "schedule.html",
  "certificate.json"
})
@Command(
    name = "schedule",
    description = {
      "Finds the op order with the lowest peak, proves a bound over all orders, and plans the"
          + " buffers at it.",
      "--out writes order.csv, orders/NAME.csv for each real system, orders.svg, cut.svg,"
          + " schedule.html, plan.csv, plan.json, plan.svg, plan.html, and certificate.json for a"
          + " bound that is no op's cut."
    })
public final class ScheduleCommand extends BaseCommand {
  private static final double SECONDS_AFTERWARDS = 0.05;
  private static final String TFLITE_MICRO = "tflm";

  @Mixin InputOptions input;
  @Mixin RunOptions run;
  @Mixin OutputOptions output;
  @Mixin ProgressOptions progress;

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Bytes of the memory. The run ends at the first verified plan that fits, or once it is"
              + " proven that no order does.")
  Long capacity;

  @Writes
  @Option(
      names = "--write",
      paramLabel = "FILE",
      description =
          "Write the model with its ops in the order found: .onnx, .tflite or .mlir like the input,"
              + " or .json. It is read back and compared.")
  Path write;

  @Option(
      names = "--precedences",
      paramLabel = "FILE",
      description =
          "Precedences to keep besides the network's own: a CSV with the columns before and after,"
              + " names of ops.")
  Path precedences;

  private ProblemLoader.Unordered read;
  private final List<String> remarks = new ArrayList<>();
  private ScheduleReport.Head head;
  private ScheduleReport report;
  private ScheduleRun schedule;
  private List<LoadsSvg.Row> loads;
  private long start;

  @Override
  public Integer call() {
    long begin = System.nanoTime();
    Interruption interruption = Interruption.install(run::stop, () -> false);
    UsageException.whenBelow(0, "--capacity", capacity);
    read = new ProblemLoader(input).loadUnordered();
    PlanFolder.prepare(output.out);
    start = System.nanoTime();
    List<int[]> more = PrecedenceFile.read(precedences, read.network());
    long limit = capacity == null ? -1 : capacity;
    schedule = new ScheduleRun(read.network(), read.liveness(), more, limit);
    RunControl control = run.control((System.nanoTime() - begin) / 1e9, SECONDS_AFTERWARDS);
    if (interruption.happened()) {
      control.stop();
    }
    schedule.orderIncumbent().addListener(this::tell);
    String what = "ordering " + ByteText.count(read.network().ops().size(), "op");
    try (StatusLine shown = progress.during(what, control)) {
      schedule.findOrder(control);
      if (!schedule.infeasible()) {
        schedule.place(control, run.engines().withFirstFit(capacity != null));
      }
      schedule.certify(control);
    }
    return interruption.finished(answer());
  }

  private void tell(long load, long bound, String who) {
    progress.say("load " + ByteText.exact(load) + ", bound " + ByteText.exact(bound) + ": " + who);
  }

  /** Writes and prints the answer; gives the exit code. */
  private int answer() {
    double seconds = (System.nanoTime() - start) / 1e9;
    if (write != null && !schedule.infeasible()) {
      writeModel();
    }
    report = new ScheduleReport(schedule, seconds, head, remarks);
    try {
      if (output.out != null) {
        write();
        List<String> files = new ArrayList<>(List.of("schedule.html", "order.csv", "orders.svg"));
        if (schedule.placement() != null) {
          files.addAll(List.of("plan.html", "plan.json"));
        }
        WrittenFile.sayFolder(spec, output.out, files);
      }
    } finally {
      print(output.json ? report.json() : Terminal.dressed(report.text()));
    }
    if (output.out == null && !output.json) {
      print("\n" + WrittenFile.ADD_OUT + "\n");
    }
    if (report.status() == Status.INFEASIBLE) {
      say("see what makes it fit: stowage fit " + input.named() + " --capacity " + capacity);
      return ExitCode.INFEASIBLE;
    }
    return report.peak() == null ? ExitCode.NO_PLAN : ExitCode.OK;
  }

  /** Writes the model in the new order, and reads it back. */
  private void writeModel() {
    boolean micro = read.network().format().equals("tflite");
    int[] order = micro ? schedule.orderFor(TFLITE_MICRO) : schedule.bestOrder();
    if (micro) {
      tellHead(order);
    }
    try {
      remarks.add(OrderExport.write(input.input, read.network(), order, write));
    } catch (IOException failure) {
      throw new OutputException(write, failure);
    }
    InputOptions again = new InputOptions();
    again.input = write;
    again.dimensions = input.dimensions;
    Network back = new ProblemLoader(again).loadUnordered().network();
    List<String> wanted = made(read.network(), order);
    List<String> found = made(back, back.executionOrder());
    int moved = 0;
    for (int k = 0; k < Math.max(wanted.size(), found.size()); k++) {
      boolean same = k < wanted.size() && k < found.size() && wanted.get(k).equals(found.get(k));
      moved += same ? 0 : 1;
    }
    remarks.add(
        moved == 0
            ? write + " was read back: its ops are in the order found."
            : write
                + " was read back: "
                + ByteText.count(moved, "op")
                + " at another place than in the order found, because the file's format forbids it"
                + " there.");
  }

  /** What TFLite Micro's planner needs at the order that is written, and at the given one. */
  private void tellHead(int[] order) {
    long given = schedule.peak(TFLITE_MICRO, read.network().executionOrder());
    long written = schedule.peak(TFLITE_MICRO, order);
    if (given < 0 || written < 0) {
      return;
    }
    head = new ScheduleReport.Head(given, written);
    remarks.add(
        "TFLite Micro's own planner needs %s in the new order, %s in the original one."
            .formatted(ByteText.both(written), ByteText.both(given)));
    if (!Arrays.equals(order, schedule.bestOrder())) {
      remarks.add(
          "The order written is not that of order.csv, at which TFLite Micro's planner needs"
              + " more.");
    }
  }

  /** What the ops of an order make, op by op. */
  private static List<String> made(Network network, int[] order) {
    return Arrays.stream(order)
        .mapToObj(op -> String.join(" ", network.ops().get(op).presentOutputs()))
        .toList();
  }

  private void write() {
    if (schedule.placement() != null) {
      PlanningCase planningCase = schedule.planningCase();
      LoadedProblem planned = read.planned(planningCase.problem(), planningCase);
      Incumbent placement = schedule.placement();
      RunSettings settings = run.settings(List.of(), FigureSize.USUAL);
      RunFacts facts = RunFacts.of(placement.trace());
      RunReport made = RunReport.of(Plan.of(placement), planned, settings, facts, null);
      AnswerFolder.say(err(), PlanFolder.write(output.out, made, RenderedPlan.streamed(made), ""));
    }
    AnswerFolder folder = new AnswerFolder(output.out);
    folder.writeString("order.csv", csv(schedule.bestOrder()));
    folder.writeString("orders.svg", picture(LoadsSvg.WIDTH));
    String cut = NamedCut.picture(schedule, CutSvg.WIDTH);
    if (cut != null) {
      folder.writeString("cut.svg", cut);
    }
    folder.writeString("schedule.html", page(cut != null));
    PlanFolder.prepare(output.out.resolve("orders"));
    for (ScheduleRun.SystemLoad system : schedule.systems()) {
      folder.writeString("orders/" + system.name() + ".csv", csv(system.order()));
    }
    if (schedule.proof() != null) {
      folder.writeString("certificate.json", report.proofJson());
    }
    List<String> others = new ArrayList<>(List.of("cut.svg", "certificate.json"));
    SystemOrders.names().forEach(name -> others.add("orders/" + name + ".csv"));
    others.addAll(schedule.placement() == null ? PlanFolder.FILES : List.of());
    AnswerFolder.say(err(), folder.setAside(others));
  }

  /**
   * The loads of the given order, of the best and the worst system's as far as there was time for
   * any, and of ours.
   */
  private List<LoadsSvg.Row> loads() {
    List<ScheduleRun.SystemLoad> systems = new ArrayList<>(schedule.systems());
    ScheduleRun.SystemLoad given = systems.remove(0);
    systems.sort(Comparator.comparingLong(ScheduleRun.SystemLoad::load));
    List<LoadsSvg.Row> rows = new ArrayList<>();
    int all = systems.size();
    List<ScheduleRun.SystemLoad> shown =
        all == 0 ? List.of(given) : List.of(systems.get(all - 1), given, systems.get(0));
    for (ScheduleRun.SystemLoad one : shown) {
      rows.add(new LoadsSvg.Row(ScheduleReport.words(one), schedule.loads(one.order())));
    }
    rows.add(new LoadsSvg.Row("best found", schedule.loads(schedule.bestOrder())));
    return rows;
  }

  private String picture(double width) {
    loads = loads == null ? loads() : loads;
    return LoadsSvg.of(read.network().name(), schedule.loadBound(), loads, width);
  }

  /** The answer, the loads of the orders, the op that proves the bound, and all that is said. */
  private String page(boolean hasCut) {
    PageFrame page =
        PageFrame.of("Order of " + read.network().name())
            .status(report.status().name())
            .sentence(report.headline())
            .section("Live bytes of the orders", PageFrame.picture(this::picture));
    if (hasCut) {
      page.section(
          "What proves the bound", PageFrame.picture(width -> NamedCut.picture(schedule, width)));
    }
    Table orders = new Table().texts("order").figures("load", "above the bound");
    schedule.systems().forEach(one -> row(orders, ScheduleReport.words(one), one.load()));
    row(orders, "best found", schedule.load());
    return page.section("Orders", PageFrame.table(orders))
        .text("As in the terminal", report.text())
        .page();
  }

  private void row(Table orders, String name, long load) {
    double above = (load - schedule.loadBound()) / (double) Math.max(1, schedule.loadBound());
    orders.cells(name, ByteText.both(load), ByteText.percent(above));
  }

  private String csv(int[] order) {
    Table table = new Table().figures("position").texts("op");
    for (int k = 0; k < order.length; k++) {
      table.row(k, read.network().ops().get(order[k]).name());
    }
    return table.csv();
  }
}

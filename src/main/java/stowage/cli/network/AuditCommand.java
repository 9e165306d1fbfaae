package stowage.cli.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.compiler.openvino.PoolAudit;
import stowage.importer.InputFormats;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.io.ToolDump;
import stowage.importer.openvino.AllocationLog;
import stowage.importer.openvino.PoolDumpCsv;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.packing.ByteText;

@Command(
    name = "audit",
    description = {
      "Checks the memory pool of OpenVINO's GPU plugin from its own dump"
          + " (dump_runtime_memory_pool_net_N_iter_M.csv): sizes, users that share memory, totals.",
      "With the network that ran it also says which users are alive at once, and whether each got"
          + " what its result takes. Ends with 6 when the pool does not hold.",
      "A log of allocations (OV_GPU_Verbose, \"GPU_Debug: Allocate ...\") is checked line by line,"
          + " with the peak of each type of memory.",
      "A dump of a compiler or run-time (XLA's .pb, ExecuTorch's .pte, PyTorch's .pickle) is"
          + " checked module by module: whether the plan in it holds, and how far it is above the"
          + " most that is alive at once."
    },
    hidden = true)
public final class AuditCommand extends JsonCommand {
  private static final int SHOWN = 20;
  private static final List<String> MODELS = List.of(".tflite", ".onnx", ".mlir", ".xml", ".json");

  @Parameters(
      index = "0",
      paramLabel = "DUMP",
      description = "The pool's dump, a .csv; a log; or a dump with plans, such as .pb.")
  Path dump;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NETWORK",
      description = "The network that ran: .xml, .onnx, .json, ...")
  Path network;

  @Option(
      names = {"--concurrency", "--order"},
      paramLabel = "ORDER",
      description =
          "How its ops may run: in-order (default), out-of-order, branches, or streams=FILE.")
  String order = "in-order";

  @Option(
      names = "--in-place",
      paramLabel = "none|views|elementwise|optimal|onnxruntime|ggml|xnnpack|onnxsim",
      description = "Which of its tensors share one buffer (default: views).")
  LivenessOptions.InPlace inPlace = LivenessOptions.InPlace.VIEWS;

  @Option(
      names = "--dim",
      paramLabel = "NAME=VALUE",
      description = "Binds a free dimension of an ONNX or OpenVINO model; may be repeated.")
  Map<String, Long> dimensions = new LinkedHashMap<>();

  @Option(
      names = "--module",
      paramLabel = "NAME",
      description = "Of a dump with several modules, look at this one alone.")
  String module = "";

  @Override
  public Integer call() {
    DumpFormat format = InputFormats.dumpFormatOf(dump);
    if (format != null) {
      return auditDump(format);
    }
    UsageException.when(
        !module.isEmpty(), "--module is for a dump with several modules; leave it out");
    String name = dump.toString().toLowerCase(Locale.ROOT);
    if (MODELS.stream().anyMatch(name::endsWith)) {
      throw new InputException(
          dump, "", "is a model; audit reads dumps and logs: stowage verify MODEL checks its plan");
    }
    if (!name.endsWith(".csv")) {
      return auditLog(AllocationLog.read(dump));
    }
    PoolAudit audit = PoolAudit.of(PoolDumpCsv.read(dump), network == null ? null : planningCase());
    print(json ? json(audit) : text(audit));
    return audit.holds() ? ExitCode.OK : ExitCode.INVALID_PLAN;
  }

  private int auditDump(DumpFormat format) {
    UsageException.when(
        network != null, dump + " says itself what was alive; leave " + network + " out");
    ToolDump opened = format.open(dump, InputFormat.Options.ofModule(module));
    DumpFormat.indexOf(dump, opened, module);
    DumpAudit audit = new DumpAudit(dump, opened, module);
    print(json ? audit.json() : audit.plain());
    return audit.holds() ? ExitCode.OK : ExitCode.INVALID_PLAN;
  }

  private int auditLog(AllocationLog log) {
    UsageException.when(
        network != null, "a log of allocations names no op; leave " + network + " out");
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", 1).put("log", dump.getFileName().toString());
    root.put("holds", log.faults().isEmpty());
    ArrayNode types = root.putArray("types");
    StringBuilder text = new StringBuilder(log.faults().isEmpty() ? "valid: " : "invalid: ");
    text.append(dump.getFileName()).append('\n');
    log.types()
        .forEach(
            (name, type) -> {
              ObjectNode entry = types.addObject().put("name", name);
              entry.put("allocations", type.allocations()).put("bytes", type.bytes());
              entry.put("current", type.current()).put("max", type.largest());
              text.append(
                  String.format(
                      Locale.ROOT,
                      "  %-11s %s of %,d bytes, at most %,d at once, %,d at the end%n",
                      name,
                      ByteText.count(type.allocations(), "allocation"),
                      type.bytes(),
                      type.largest(),
                      type.current()));
            });
    ArrayNode faults = root.putArray("faults");
    log.faults().forEach(faults::add);
    append(text, log.faults());
    print(json ? root.toPrettyString() + "\n" : text.toString());
    return log.faults().isEmpty() ? ExitCode.OK : ExitCode.INVALID_PLAN;
  }

  private PlanningCase planningCase() {
    InputOptions options = new InputOptions();
    options.input = network;
    options.order = order;
    options.inPlace = inPlace;
    options.dimensions = dimensions;
    PlanningCase planningCase = new ProblemLoader(options).load().planningCase();
    UsageException.when(
        !planningCase.hasNetwork(),
        network + " is a list of buffers; the dump's network should be given");
    return planningCase;
  }

  private String text(PoolAudit audit) {
    StringBuilder text = new StringBuilder(audit.holds() ? "valid: " : "invalid: ");
    text.append(dump.getFileName()).append(", ");
    text.append(ByteText.count(audit.users(), "use")).append(" of ");
    text.append(ByteText.count(audit.allocations(), "allocation"));
    if (audit.known() >= 0) {
      text.append("; ").append(audit.known()).append(" of the users are known to ");
      text.append(network.getFileName());
    }
    text.append('\n');
    for (PoolAudit.Pool pool : audit.pools()) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %-17s %,d allocations, %,d bytes; requested %,d, efficiency %.3f, least use %.1f"
                  + " %%%n",
              pool.name(),
              pool.allocations(),
              pool.bytes(),
              pool.requested(),
              pool.efficiency(),
              100 * pool.least()));
    }
    audit
        .memories()
        .forEach(
            (name, bytes) ->
                text.append(String.format(Locale.ROOT, "  %-17s %,d bytes%n", name, bytes)));
    append(
        text,
        audit.faults().stream()
            .map(fault -> fault.kind().name().toLowerCase(Locale.ROOT) + ": " + fault.text())
            .toList());
    append(text, audit.warnings().stream().map(warning -> "warning: " + warning).toList());
    return text.toString();
  }

  private static void append(StringBuilder text, List<String> lines) {
    lines.stream().limit(SHOWN).forEach(line -> text.append("  ").append(line).append('\n'));
    if (lines.size() > SHOWN) {
      text.append("  and ").append(lines.size() - SHOWN).append(" more: see --json\n");
    }
  }

  private String json(PoolAudit audit) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", 1).put("dump", dump.getFileName().toString());
    root.put("network", network == null ? null : network.getFileName().toString());
    root.put("holds", audit.holds()).put("users", audit.users());
    root.put("knownUsers", audit.known() < 0 ? null : audit.known());
    root.put("allocations", audit.allocations());
    ArrayNode pools = root.putArray("pools");
    for (PoolAudit.Pool pool : audit.pools()) {
      ObjectNode entry = pools.addObject();
      entry.put("pool", pool.name()).put("allocations", pool.allocations());
      entry.put("bytes", pool.bytes()).put("requestedBytes", pool.requested());
      entry.put("efficiency", pool.efficiency()).put("leastUse", pool.least());
    }
    ObjectNode memories = root.putObject("memories");
    audit.memories().forEach(memories::put);
    ArrayNode faults = root.putArray("faults");
    for (PoolAudit.Fault fault : audit.faults()) {
      faults.addObject().put("kind", fault.kind().name()).put("text", fault.text());
    }
    audit.warnings().forEach(root.putArray("warnings")::add);
    return root.toPrettyString() + "\n";
  }
}

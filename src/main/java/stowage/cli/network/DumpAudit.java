package stowage.cli.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import stowage.importer.io.Input;
import stowage.importer.io.PackingBaseline;
import stowage.importer.io.ToolDump;
import stowage.packing.ByteText;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.report.RunReport;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.report.format.Table;

/**
 * Audit of the plans in a dump: whether those of its parts hold, and how far what the tool takes is
 * above the most that is alive at once, which no plan can go below.
 */
final class DumpAudit {
  private final Path file;
  private final String kind;
  private final List<ToolDump.Part> parts;
  private final List<Entry> entries = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /** The plan of one memory of one part. */
  private record Entry(
      ToolDump.Part part,
      String source,
      String memory,
      int buffers,
      long bytes,
      long load,
      String status) {

    boolean holds() {
      return status.equals(PackingBaseline.VALID);
    }
  }

  /** Audits a dump: a module of it, or all in which there is something planned. */
  DumpAudit(Path file, ToolDump dump, String module) {
    this.file = file;
    this.kind = dump.kind();
    this.parts = dump.parts();
    for (int k = 0; k < parts.size(); k++) {
      ToolDump.Part part = parts.get(k);
      boolean meant = module.isEmpty() ? part.weight() > 0 : k == dump.indexOf(module);
      if (meant) {
        add(part, dump.read(k));
      }
    }
  }

  private void add(ToolDump.Part part, Input.Packing packing) {
    packing.remarks().forEach(remark -> remarks.add(part.name() + ": " + remark));
    PackingProblem problem = packing.problem();
    PackingBaseline baseline = packing.baseline().orElseThrow();
    String status = baseline.status(problem);
    for (int m = 0; m < problem.memories().size(); m++) {
      int memory = m;
      IntPredicate here = i -> baseline.placement().memory(i) == memory;
      int count = (int) IntStream.range(0, problem.size()).filter(here).count();
      long load = LoadProfile.of(problem, here).maxLoad();
      String name = problem.memories().get(m).name();
      long bytes = baseline.bytes().get(m);
      entries.add(new Entry(part, baseline.source(), name, count, bytes, load, status));
    }
  }

  boolean holds() {
    return entries.stream().allMatch(Entry::holds);
  }

  String plain() {
    StringBuilder text = new StringBuilder(holds() ? "valid: " : "invalid: ");
    text.append(NameText.plain(String.valueOf(file.getFileName()))).append('\n');
    AlignedText table = new AlignedText("llrrrrl");
    table.row(kind, "memory", "buffers", "bytes taken", "max load", "above max load", "plan");
    for (Entry entry : entries) {
      String name = NameText.shortened(entry.part.name());
      String gap = ByteText.percent(RunReport.gap(entry.bytes, entry.load));
      String plan = entry.source + ", " + entry.status;
      table.row(name, entry.memory, entry.buffers, entry.bytes, entry.load, gap, plan);
    }
    text.append(table.text("  "));
    long idle = parts.stream().filter(part -> part.weight() == 0).count();
    if (idle > 0) {
      text.append("  ").append(idle).append(' ').append(kind);
      text.append(idle == 1 ? " has" : "s have").append(" no temporary memory\n");
    }
    remarks.forEach(remark -> text.append("  ").append(remark).append('\n'));
    return text.toString();
  }

  String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", 1).put("dump", String.valueOf(file.getFileName()));
    root.put("holds", holds());
    ArrayNode plans = root.putArray("plans");
    for (Entry entry : entries) {
      ObjectNode plan = plans.addObject().put("module", entry.part.name());
      plan.put("source", entry.source).put("memory", entry.memory).put("buffers", entry.buffers);
      plan.put("bytes", entry.bytes).put("maxLoad", entry.load).put("status", entry.status);
    }
    root.set("modules", modules(parts));
    remarks.forEach(root.putArray("remarks")::add);
    return root.toPrettyString() + "\n";
  }

  static ArrayNode modules(List<ToolDump.Part> parts) {
    ArrayNode list = new ObjectMapper().createArrayNode();
    for (ToolDump.Part part : parts) {
      ObjectNode entry = list.addObject().put("name", part.name());
      part.counts()
          .forEach((count, number) -> entry.put(NameText.camelCase(count.split(" ")), number));
    }
    return list;
  }

  /** The parts of a dump, as a table; one is marked as the one that was read. */
  static String table(ToolDump dump, int chosen) {
    List<ToolDump.Part> parts = dump.parts();
    String[] columns = parts.get(0).counts().keySet().toArray(String[]::new);
    Table table = new Table().texts("", dump.kind()).figures(columns);
    for (int k = 0; k < parts.size(); k++) {
      table.cells(k == chosen ? "*" : "", NameText.shortened(parts.get(k).name()));
      for (String column : columns) {
        table.cells(Table.Cell.of(parts.get(k).counts().getOrDefault(column, 0L)));
      }
    }
    return table.text("");
  }
}

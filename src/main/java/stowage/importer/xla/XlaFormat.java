package stowage.importer.xla;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.ToolDump;

/**
 * Modules that XLA compiled, with its buffer assignment and its heap simulator's traces: {@code
 * HloProto} and {@code xplane.pb}. {@link XlaProblem} says what becomes what.
 */
public final class XlaFormat extends DumpFormat {
  /** The format. */
  public XlaFormat() {
    super("XLA's buffer assignment as protobuf", Set.of(Feature.MODULES), ".pb");
  }

  @Override
  public ToolDump open(Path file, Options options) {
    return dump(file, XlaProto.read(file), "heap events");
  }

  /** The modules of a file by name, and the source of their live ranges. */
  static ToolDump dump(Path file, Map<String, XlaModule> named, String events) {
    List<ToolDump.Part> parts = new ArrayList<>();
    named.forEach((name, module) -> parts.add(part(name, module, events)));
    List<XlaModule> modules = List.copyOf(named.values());
    return new ToolDump("module", parts, part -> XlaProblem.of(file, modules.get(part)));
  }

  private static ToolDump.Part part(String name, XlaModule module, String events) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("logical buffers", module.logicalBuffers());
    counts.put("allocations", (long) module.allocations().size());
    counts.put(events, module.events());
    counts.put("temporary bytes", module.temporaryBytes());
    return new ToolDump.Part(name, module.name(), module.weight(), counts);
  }
}

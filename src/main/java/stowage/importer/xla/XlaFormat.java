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
 * HloProto} and {@code xplane.pb}, or one module as text, see {@link AssignmentText}. {@link
 * XlaProblem} says what becomes what.
 */
public final class XlaFormat extends DumpFormat {
  private final boolean text;

  /** The format of protobuf, or that of text. */
  public XlaFormat(boolean text) {
    super(
        "XLA's buffer assignment as " + (text ? "text" : "protobuf"),
        Set.of(Feature.MODULES),
        text ? ".txt" : ".pb");
    this.text = text;
  }

  @Override
  public boolean recognises(Path file) {
    return !text || AssignmentText.recognises(file);
  }

  @Override
  public ToolDump open(Path file, Options options) {
    Map<String, XlaModule> named = text ? AssignmentText.read(file) : XlaProto.read(file);
    List<ToolDump.Part> parts = new ArrayList<>();
    named.forEach((name, module) -> parts.add(part(name, module)));
    List<XlaModule> modules = List.copyOf(named.values());
    return new ToolDump("module", parts, part -> XlaProblem.of(file, modules.get(part)));
  }

  private ToolDump.Part part(String name, XlaModule module) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("logical buffers", module.logicalBuffers());
    counts.put("allocations", (long) module.allocations().size());
    counts.put(text ? "live ranges" : "heap events", module.events());
    counts.put("temporary bytes", module.temporaryBytes());
    return new ToolDump.Part(name, module.name(), module.weight(), counts);
  }
}

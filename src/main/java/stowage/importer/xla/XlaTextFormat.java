package stowage.importer.xla;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.ToolDump;

/** A module's buffer assignment as XLA writes it for people, see {@link AssignmentText}. */
public final class XlaTextFormat extends DumpFormat {
  /** The format. */
  public XlaTextFormat() {
    super("XLA's buffer assignment as text", Set.of(Feature.MODULES), ".txt");
  }

  @Override
  public boolean recognises(Path file) {
    return AssignmentText.recognises(file);
  }

  @Override
  public ToolDump open(Path file, Options options) {
    XlaModule module = AssignmentText.read(file);
    return XlaFormat.dump(file, Map.of(module.name(), module), "live ranges");
  }
}

package stowage.importer.xla;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.ToolDump;

/** A module's buffer assignment as XLA writes it for people, see {@link AssignmentText}. */
public final class XlaTextFormat implements DumpFormat {

  @Override
  public String label() {
    return "XLA's buffer assignment as text";
  }

  @Override
  public List<String> extensions() {
    return List.of(".txt");
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

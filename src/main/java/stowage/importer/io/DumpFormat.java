package stowage.importer.io;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A format of {@link ToolDump}s; read as an input it gives one part, which {@code --module}
 * chooses.
 */
public abstract class DumpFormat extends InputFormat {
  protected DumpFormat(String label, Set<Feature> features, String... extensions) {
    super(label, features, extensions);
  }

  /** Reads what all parts are; it is a fault when there is none, or the file is damaged. */
  public abstract ToolDump open(Path file, Options options);

  @Override
  public final Input.Packing read(Path file, Options options) {
    ToolDump dump = open(file, options);
    int part = indexOf(file, dump, options.module());
    return dump.read(part).among(dump, part);
  }

  /** The part that an option names; it is a fault when there is none. */
  public static int indexOf(Path file, ToolDump dump, String module) {
    int part = dump.indexOf(module);
    if (part < 0) {
      List<String> names = dump.parts().stream().map(ToolDump.Part::name).toList();
      String what = "there is no such %s%s";
      throw new InputException(
          file, "--module " + module, what, dump.kind(), Suggestion.advice(module, names));
    }
    return part;
  }
}

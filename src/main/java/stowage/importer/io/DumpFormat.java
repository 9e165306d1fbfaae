package stowage.importer.io;

import java.nio.file.Path;
import java.util.List;

/**
 * A format of {@link ToolDump}s; read as an input it gives one part, which {@code --module}
 * chooses.
 */
public interface DumpFormat extends InputFormat {

  /**
   * Reads what all parts are.
   *
   * @throws InputException when the file is not of this format, damaged, or has no part
   */
  ToolDump open(Path file, Options options);

  @Override
  default boolean hasModules() {
    return true;
  }

  @Override
  default Input.Packing read(Path file, Options options) {
    ToolDump dump = open(file, options);
    int part = indexOf(file, dump, options.module());
    return dump.read(part).among(dump, part);
  }

  /**
   * The part that an option names.
   *
   * @throws InputException when there is none of that name
   */
  static int indexOf(Path file, ToolDump dump, String module) {
    int part = dump.indexOf(module);
    if (part < 0) {
      List<String> names = dump.parts().stream().map(ToolDump.Part::name).toList();
      throw new InputException(
          file,
          "--module " + module,
          "there is no such " + dump.kind() + Suggestion.advice(module, names));
    }
    return part;
  }
}

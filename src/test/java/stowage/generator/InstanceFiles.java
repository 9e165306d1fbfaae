package stowage.generator;

import java.io.IOException;
import java.nio.file.Path;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;

/** Writes the instances that a folder's manifest lists, such as models/packing. */
final class InstanceFiles {
  private InstanceFiles() {}

  /** Makes the problem of one entry and writes it into a folder. */
  static void write(GeneratedInstances.Entry entry, Path folder) throws IOException {
    if (entry.file().endsWith(".json")) {
      PackingJson.write(folder.resolve(entry.file()), entry.generate());
    } else {
      PackingCsv.write(folder.resolve(entry.file()), entry.generate());
    }
  }

  /** Writes all of them again, from the project's folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of("models/packing");
    for (GeneratedInstances.Entry entry : GeneratedInstances.manifest(folder)) {
      write(entry, folder);
    }
  }
}

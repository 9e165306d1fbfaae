package stowage.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import stowage.importer.io.AtomicFiles;

/**
 * The folder that one run's answer goes to. What an earlier run left there under the same names is
 * replaced; a file that this run does not write is renamed to end in {@code .old}, or {@code .old2}
 * and so on, because a script that finds {@code plan.csv} next to an answer would take it for that
 * answer's plan.
 *
 * <p>Safe for several threads that write different files.
 */
public final class AnswerFolder {
  private static final String OLD = ".old";

  private final Path folder;
  private final Set<String> written = ConcurrentHashMap.newKeySet();

  public AnswerFolder(Path folder) {
    this.folder = folder;
  }

  /** Writes one file of the answer, whole or not at all. */
  public void write(String name, AtomicFiles.Content content) {
    Path file = folder.resolve(name);
    try {
      AtomicFiles.write(file, content);
    } catch (IOException failure) {
      throw new OutputException(file, failure);
    }
    written.add(name);
  }

  /** Writes a text as UTF-8; as {@link #write}. */
  public void writeString(String name, String text) {
    write(name, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Renames the files of an earlier run that are there under some names, except those that this run
   * has written. The result is the new names, within the folder.
   */
  public List<Path> setAside(Collection<String> names) {
    List<Path> renamed = new ArrayList<>();
    for (String name : names) {
      Path file = folder.resolve(name);
      if (written.contains(name) || !Files.isRegularFile(file)) {
        continue;
      }
      Path old = file.resolveSibling(file.getFileName() + OLD);
      for (int number = 2; Files.exists(old); number++) {
        old = file.resolveSibling(file.getFileName() + OLD + number);
      }
      try {
        Files.move(file, old);
      } catch (IOException failure) {
        throw new OutputException(file, failure);
      }
      renamed.add(old);
    }
    return renamed;
  }

  /** Says which files were renamed; nothing where there are none. */
  public static void say(PrintWriter err, List<Path> renamed) {
    if (!renamed.isEmpty()) {
      err.println(
          "stowage: an earlier run's files, which this run does not replace, are now "
              + String.join(", ", renamed.stream().map(Path::toString).toList()));
    }
  }
}

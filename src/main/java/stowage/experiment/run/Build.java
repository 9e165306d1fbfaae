package stowage.experiment.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was run: versions, and the commit where the program is in a git repository. */
public final class Build {
  private Build() {}

  /** Versions by name: {@code stowage}, {@code commit} and {@code java}. */
  public static Map<String, String> versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    String own = Build.class.getPackage().getImplementationVersion();
    versions.put("stowage", own == null ? "development" : own);
    versions.put("commit", commit(home()));
    versions.put("java", Runtime.version().toString());
    return versions;
  }

  /** The project's folder: what the launcher says, or else the current folder. */
  static Path home() {
    String home = System.getProperty("stowage.home");
    return home == null ? Path.of("").toAbsolutePath() : Path.of(home);
  }

  /** The commit a folder is at, with {@code +changes} where files differ from it. */
  static String commit(Path folder) {
    if (!Files.exists(folder.resolve(".git"))) {
      return "unknown";
    }
    String commit = git(folder, "rev-parse", "--short=12", "HEAD");
    if (commit == null || commit.isEmpty()) {
      return "unknown";
    }
    String changes = git(folder, "status", "--porcelain", "--untracked-files=no");
    return changes == null || changes.isEmpty() ? commit : commit + "+changes";
  }

  private static String git(Path folder, String... words) {
    List<String> command = new java.util.ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(words));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? text : null;
    } catch (IOException noGit) {
      return null;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}

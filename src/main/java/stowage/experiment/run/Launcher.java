package stowage.experiment.run;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How this program is started again: for workers, on other machines, and by a shell. */
public final class Launcher {
  private static final String MAIN = "stowage.cli.Main";

  private Launcher() {}

  /** Options of this JVM that a child of it should not take over: its memory, agents, debuggers. */
  private static final List<String> OWN_OPTIONS =
      List.of(
          ("-Xmx -Xms -XX:MaxRAM -XX:ArchiveClassesAtExit -XX:DumpLoadedClassList "
                  + "-javaagent -agentlib -Xrunjdwp -XX:OnError")
              .split(" "));

  /** This JVM with this class path, options and class-data archive, running another main class. */
  static List<String> java(List<String> options, String mainClass) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (OWN_OPTIONS.stream().noneMatch(option::startsWith)) {
        words.add(option);
      }
    }
    words.addAll(options);
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(mainClass);
    return words;
  }

  /**
   * The words that start this program on its command line: the launcher script where it was used,
   * which then does not look whether it has to be built.
   */
  public static List<String> program() {
    Path script = Build.home().resolve("stowage");
    if (System.getProperty("stowage.home") != null && Files.isExecutable(script)) {
      return List.of("env", "STOWAGE_NO_BUILD=1", script.toString());
    }
    return java(List.of(), MAIN);
  }
}

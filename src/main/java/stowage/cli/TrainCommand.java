package stowage.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.Worker;
import stowage.experiment.suite.SuiteJson;

/**
 * {@code stowage train}: does a little of what users do, so that a class-data archive made at its
 * exit holds the classes that every start needs. The launcher runs it once after a build.
 */
@Command(name = "train", hidden = true)
final class TrainCommand extends BaseCommand {
  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("stowage-train");
    try {
      Path buffers = folder.resolve("buffers.csv");
      Files.writeString(
          buffers, "id,lower,upper,size\na,0,4,3\nb,2,6,5\nc,4,9,4\nd,1,3,2\ne,5,8,3\nf,0,9,1\n");
      String out = Files.createDirectory(folder.resolve("out")).toString(); // as most users have it
      Main.run("plan", buffers.toString(), "--out", out, "--json");
      Main.run("plan", buffers.toString(), "--capacity", "1MiB");
      search(folder);
      experiment(folder);
    } finally {
      RunFolder.delete(folder);
    }
    return ExitCode.OK;
  }

  /**
   * Instances that simple orders do not close, within the time that the search has for itself: a
   * small one that it closes, and two so full that all searches come to their turn, of which the
   * second one has few buffers at a time.
   */
  private static void search(Path folder) {
    String small = folder.resolve("small.csv").toString();
    Main.run("generate", "near-capacity", "--buffers=60", "--seed=3", "--out", small);
    Main.run("plan", small, "--capacity=1MiB", "--json", "--out", folder.resolve("a").toString());
    String full = folder.resolve("full.csv").toString();
    String b = folder.resolve("b").toString();
    String[] live = {"--buffers=150", "--steps=30", "--largest=0.05"};
    Main.run("generate", "near-capacity", live[0], live[1], live[2], "--out", full);
    Main.run("plan", full, "--time-limit=1.4", "--out", b);
    Main.run("generate", "near-capacity", "--buffers=300", "--seed=14", "--out", full);
    Main.run("plan", full, "--time-limit=1.4", "--out", b);
  }

  private static void experiment(Path folder) throws IOException {
    Path suite = folder.resolve("suite.json");
    Files.writeString(
        suite,
        "{\"name\": \"train\", \"instances\": [{\"path\": \"buffers.csv\"}], \"planners\":"
            + " [\"search\"], \"limits\": {\"seconds\": 1, \"memoryMiB\": 64}}");
    String out = folder.resolve("experiment").toString();
    Main.run("experiment", "run", suite.toString(), "--out", out, "--quiet");
    Main.run("experiment", "run", suite.toString(), "--out", out, "--resume", "--json");
    Worker.listClasses(SuiteJson.read(suite, null).runs().get(0), folder);
  }
}

package stowage.experiment.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import stowage.experiment.suite.RunSpec;
import stowage.importer.io.AtomicFiles;
import stowage.text.ShellText;

/**
 * Submission of an experiment's open runs to Slurm, as job arrays: each task does a chunk of the
 * manifest, one run after the other, each in a worker process of its own, and asks for the cores,
 * memory and time that the suite's limits come to.
 *
 * <p>The folder must be on a file system that the nodes share. Nothing else is shared: records are
 * files of their own, so tasks need not know of each other, and a task that is killed or a node
 * that fails costs the runs in flight; submitting again does the rest.
 *
 * @param folder of an experiment, on a shared file system
 * @param chunk runs of each task
 * @param parallel tasks side by side; 0: as many as the cluster gives
 * @param extra words for sbatch, such as {@code --partition=long}
 */
public record SlurmSubmission(RunFolder folder, int chunk, int parallel, List<String> extra) {
  /** Tasks of one array; Slurm's own standard limit is 1001. */
  private static final int LARGEST_ARRAY = 1000;

  /** What starting a worker, reading the problem and ending late may take, in seconds. */
  private static final double SECONDS_AROUND_A_RUN = 30;

  /** Memory of the process that minds the worker. */
  private static final long MINDER_MIB = 512;

  private static final long MIB = 1L << 20;

  /** The chunks of the manifest in which something is left to do, by number. */
  public List<Integer> pending() throws IOException {
    List<RunSpec> runs = folder.planned();
    Set<String> done = folder.recorded();
    List<Integer> chunks = new ArrayList<>();
    for (int from = 0; from < runs.size(); from += chunk) {
      List<RunSpec> part = runs.subList(from, Math.min(runs.size(), from + chunk));
      if (part.stream().anyMatch(run -> !done.contains(run.id()))) {
        chunks.add(from / chunk);
      }
    }
    return chunks;
  }

  /** Writes the job's script into the folder and gives its path. */
  public Path writeScript() throws IOException {
    List<RunSpec> runs = folder.planned();
    int threads = runs.stream().mapToInt(RunSpec::threads).max().orElse(1);
    long memory =
        runs.stream().mapToLong(run -> run.limits().residentBytes()).max().orElse(0) / MIB;
    double seconds = 0;
    for (int from = 0; from < runs.size(); from += chunk) {
      List<RunSpec> part = runs.subList(from, Math.min(runs.size(), from + chunk));
      double around = part.size() * SECONDS_AROUND_A_RUN;
      seconds =
          Math.max(seconds, around + part.stream().mapToDouble(r -> r.limits().seconds()).sum());
    }
    Path logs = Files.createDirectories(folder.path().resolve("slurm"));
    Path script = logs.resolve("job.sh");
    String text =
        """
        #!/bin/sh
        #SBATCH --job-name=stowage
        #SBATCH --ntasks=1 --cpus-per-task=%s
        #SBATCH --mem=%sM
        #SBATCH --time=%s
        #SBATCH --output=%s/%%A_%%a.log
        exec %s experiment chunk %s $((STOWAGE_FIRST_CHUNK + SLURM_ARRAY_TASK_ID)) %s
        """
            .formatted(
                threads,
                memory + MINDER_MIB,
                (long) Math.ceil(seconds / 60) + 1,
                logs,
                ShellText.line(Launcher.program()),
                ShellText.quoted(folder.path().toString()),
                chunk);
    AtomicFiles.writeString(script, text);
    return script;
  }

  /** The calls of sbatch that hand in the given chunks, one for each array. */
  public List<List<String>> commands(Path script, List<Integer> chunks) {
    List<List<String>> commands = new ArrayList<>();
    int from = 0;
    while (from < chunks.size()) {
      int first = chunks.get(from);
      int to = from;
      while (to < chunks.size() && chunks.get(to) - first < LARGEST_ARRAY) {
        to++;
      }
      List<String> words = new ArrayList<>(List.of("sbatch", "--parsable"));
      words.add(
          "--array="
              + ranges(chunks.subList(from, to), first)
              + (parallel > 0 ? "%" + parallel : ""));
      words.add("--export=ALL,STOWAGE_FIRST_CHUNK=" + first);
      words.addAll(extra);
      words.add(script.toString());
      commands.add(words);
      from = to;
    }
    return commands;
  }

  /** Numbers less a first one, neighbours joined: {@code 0-3,7}. */
  private static String ranges(List<Integer> numbers, int first) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < numbers.size(); k++) {
      int start = numbers.get(k);
      while (k + 1 < numbers.size() && numbers.get(k + 1) == numbers.get(k) + 1) {
        k++;
      }
      text.append(text.length() == 0 ? "" : ",").append(start - first);
      if (numbers.get(k) > start) {
        text.append('-').append(numbers.get(k) - first);
      }
    }
    return text.toString();
  }

  /**
   * Submits the runs that are left, and returns the ids of the arrays.
   *
   * @throws IOException where there is no Slurm, or it refuses a job; with what it says, and the
   *     arrays that it took before
   */
  public List<String> submit() throws IOException {
    List<String> jobs = new ArrayList<>();
    for (List<String> command : commands(writeScript(), pending())) {
      try {
        jobs.add(sbatch(command));
      } catch (IOException refused) {
        throw jobs.isEmpty()
            ? refused
            : new IOException(
                refused.getMessage() + "; handed in before: job " + String.join(", ", jobs));
      }
    }
    return jobs;
  }

  private static String sbatch(List<String> command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException absent) {
      throw new IOException("sbatch is not on the PATH; run submit on a machine that has Slurm");
    }
    try {
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("Slurm did not take the job: " + said.replaceAll("\\s*\n\\s*", "; "));
      }
      return said.substring(said.lastIndexOf('\n') + 1).split(";")[0];
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while handing in", interrupted);
    }
  }
}

package stowage.experiment.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import stowage.experiment.suite.ExperimentJson;
import stowage.experiment.suite.RunSpec;
import stowage.experiment.suite.Suite;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * The folder of an experiment.
 *
 * <pre>
 * suite.json        the suite as it was
 * manifest.jsonl    one line per run
 * command.txt       the command that ran it
 * runs/ID.json      what came of a run: the journal, written whole or not at all
 * work/             folders of the runs in flight
 * </pre>
 *
 * <p>A record is written under a temporary name and moved, so a file that is there is whole,
 * whatever stops the program, and processes on several machines may share the folder: no file is
 * written by two of them.
 */
public record RunFolder(Path path) {
  private static final String RECORD = ".json";

  /** The folder at a path, which need not exist yet. */
  public RunFolder {
    path = path.toAbsolutePath().normalize();
  }

  /** The manifest's file. */
  public Path manifest() {
    return path.resolve("manifest.jsonl");
  }

  /** The copy of the suite. */
  public Path suite() {
    return path.resolve("suite.json");
  }

  /** The file that says the command. */
  public Path command() {
    return path.resolve("command.txt");
  }

  /** The command that does what is left. */
  public String next() throws IOException {
    String line = Files.readString(command()).strip();
    return line.contains(" --resume") ? line : line + " --resume";
  }

  /** The plan of a run as CSV; there where the run has one of not too many buffers. */
  public Path plan(String id) {
    return path.resolve("plans").resolve(id + ".csv");
  }

  private Path runs() {
    return path.resolve("runs");
  }

  private Path work() {
    return path.resolve("work");
  }

  /** Whether an experiment is here. */
  public boolean exists() {
    return Files.exists(manifest());
  }

  /**
   * Writes the suite and its manifest; records that are there stay.
   *
   * @return false when another process runs the experiment; then all stays as it is
   */
  public boolean plan(Suite suite, List<RunSpec> planned, String commandLine) throws IOException {
    try (FileLock lock = lock()) {
      if (lock == null) {
        return false;
      }
      Files.createDirectories(runs());
      Files.createDirectories(work());
      AtomicFiles.writeString(suite(), suite.text());
      AtomicFiles.writeString(command(), commandLine + "\n");
      AtomicFiles.writeString(manifest(), ExperimentJson.text(planned));
      return true;
    }
  }

  /** The planned runs; it is a fault when no experiment is here, or one without runs. */
  public List<RunSpec> planned() {
    if (!exists()) {
      throw new InputException(path, "", "is not an experiment; it should have a manifest.jsonl");
    }
    List<RunSpec> planned = ExperimentJson.lines(manifest(), RunSpec.class, "a run");
    if (planned.isEmpty()) {
      throw new InputException(
          manifest(), "", "has no runs; stowage experiment plan SUITE --out DIR writes it");
    }
    return planned;
  }

  /** The ids of the runs that have a record, planned or not. */
  public Set<String> recorded() throws IOException {
    Set<String> ids = new HashSet<>();
    if (Files.isDirectory(runs())) {
      try (Stream<Path> files = Files.list(runs())) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(RECORD) && !name.startsWith("."))
            .forEach(name -> ids.add(name.substring(0, name.length() - RECORD.length())));
      }
    }
    return ids;
  }

  /** When a record last came or went, or the runs were planned. */
  public FileTime lastChange() throws IOException {
    FileTime planned = Files.getLastModifiedTime(manifest());
    FileTime recorded =
        Files.isDirectory(runs()) ? Files.getLastModifiedTime(runs()) : FileTime.fromMillis(0);
    return planned.compareTo(recorded) > 0 ? planned : recorded;
  }

  /**
   * Reads the record of a planned run, under the names that instance and suite have in the plan; a
   * fault says that it is missing or damaged.
   */
  public RunRecord record(RunSpec run) {
    Path file = runs().resolve(run.id() + RECORD);
    String fault;
    try {
      RunRecord record = ExperimentJson.read(InputFiles.readAllBytes(file), RunRecord.class);
      if (record != null && run.id().equals(record.run().id())) {
        if (run.equals(record.run())) {
          return record;
        }
        ObjectNode named = ExperimentJson.MAPPER.valueToTree(record);
        named.set("run", ExperimentJson.MAPPER.valueToTree(run));
        return ExperimentJson.MAPPER.convertValue(named, RunRecord.class);
      }
      fault = "it is of another run";
    } catch (IllegalArgumentException damaged) {
      fault = damaged.getMessage();
    }
    throw new InputException(
        file, "", "is not the run's record: " + fault + "; without it --resume does the run again");
  }

  /** The records of the planned runs that are done, in the manifest's order. */
  public List<RunRecord> records() throws IOException {
    Set<String> done = recorded();
    return planned().stream().filter(run -> done.contains(run.id())).map(this::record).toList();
  }

  /** Writes the record of a run, whole or not at all. */
  void write(RunRecord record) throws IOException {
    byte[] bytes = ExperimentJson.MAPPER.writeValueAsBytes(record);
    AtomicFiles.write(runs().resolve(record.run().id() + RECORD), out -> out.write(bytes));
  }

  /** Keeps the plan that a worker left in its folder, if it did, in place of an earlier one. */
  void keepPlan(RunSpec run, Path scratch) throws IOException {
    Path made = scratch.resolve(Worker.PLAN);
    Files.deleteIfExists(plan(run.id()));
    if (Files.exists(made)) {
      Files.createDirectories(plan(run.id()).getParent());
      Files.move(made, plan(run.id()));
    }
  }

  /** Takes a record away, so that its run is done again. */
  void forget(String id) throws IOException {
    Files.deleteIfExists(runs().resolve(id + RECORD));
  }

  Path scratch(RunSpec run) throws IOException {
    Files.createDirectories(work());
    return Files.createTempDirectory(work(), run.id() + "-");
  }

  /** Clears away what killed runs left behind; only while the {@linkplain #lock lock} is held. */
  void clearWork() throws IOException {
    if (Files.isDirectory(work())) {
      try (Stream<Path> left = Files.list(work())) {
        for (Path one : left.toList()) {
          delete(one);
        }
      }
    }
    try (Stream<Path> files = Files.list(runs())) {
      for (Path temporary : files.filter(file -> file.toString().endsWith(".tmp")).toList()) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  /** Deletes a file or a folder with all in it. */
  public static void delete(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Locks the experiment on this machine until the process ends; null when another holds it. */
  FileLock lock() throws IOException {
    Files.createDirectories(path);
    FileChannel channel =
        FileChannel.open(
            path.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
      }
      return lock;
    } catch (OverlappingFileLockException sameProcess) {
      channel.close();
      return null;
    }
  }
}

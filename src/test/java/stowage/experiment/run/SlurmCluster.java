package stowage.experiment.run;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A Slurm cluster of one node, this machine, for the time of a test: munge, controller and node
 * with keys, ports and folders of their own, so that no other cluster is disturbed.
 *
 * <p>Where Slurm is not installed and the test may install packages (root on a Debian), it does so.
 * Where that cannot be, the test is skipped and says why.
 */
final class SlurmCluster implements AutoCloseable {
  private static final int INSTALL_SECONDS = 300;
  private static final int START_SECONDS = 60;

  private final Path folder;
  private final List<Process> daemons = new ArrayList<>();

  private SlurmCluster(Path folder) {
    this.folder = folder;
  }

  /** Starts a cluster whose files are in a folder. */
  static SlurmCluster start(Path folder) throws IOException, InterruptedException {
    if (!isInstalled()) {
      install();
    }
    SlurmCluster cluster = new SlurmCluster(folder);
    Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "end of Slurm"));
    try {
      cluster.startDaemons();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      cluster.close();
      throw failure;
    }
  }

  /** What Slurm's commands need in their environment to find this cluster. */
  Map<String, String> environment() {
    return Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString());
  }

  /** Runs one of Slurm's commands and gives what it says. */
  String command(String... words) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().putAll(environment());
    Process process = builder.start();
    process.getOutputStream().close();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    process.waitFor();
    return said;
  }

  private static boolean isInstalled() throws IOException, InterruptedException {
    return run(10, "sh", "-c", "command -v sbatch slurmctld slurmd munged") == 0;
  }

  private static void install() throws IOException, InterruptedException {
    boolean may = run(10, "sh", "-c", "test \"$(id -u)\" = 0 && command -v apt-get") == 0;
    if (!may) {
      abort("Slurm is not installed and this user may not install it: skipped");
    }
    String packages =
        "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq"
            + " --no-install-recommends slurm-wlm munge";
    if (run(INSTALL_SECONDS, "sh", "-c", packages) != 0 || !isInstalled()) {
      abort("Slurm is not installed and could not be installed: skipped");
    }
  }

  private static int run(int seconds, String... words) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      ExternalProgram.destroy(process.toHandle());
      return -1;
    }
    return process.exitValue();
  }

  private void startDaemons() throws IOException, InterruptedException {
    Path keys = Files.createDirectories(folder.resolve("munge"));
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rwx------"));
    byte[] key = new byte[128];
    new SecureRandom().nextBytes(key);
    Path keyFile = Files.write(keys.resolve("key"), key);
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("r--------"));
    Files.createDirectories(folder.resolve("state"));
    Files.createDirectories(folder.resolve("spool"));
    Files.writeString(folder.resolve("slurm.conf"), configuration());
    // munge wants its socket where everybody may look, and --force where the folder is not its own.
    daemon(
        "munged",
        "--foreground",
        "--force",
        "--key-file=" + keyFile,
        "--socket=" + folder.resolve("munge.socket"),
        "--pid-file=" + keys.resolve("pid"),
        "--log-file=" + keys.resolve("log"),
        "--seed-file=" + keys.resolve("seed"));
    daemon("slurmctld", "-D");
    daemon("slurmd", "-D");
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!command("sinfo", "-h", "-o", "%t").equals("idle")) {
      if (System.nanoTime() > until) {
        abort("Slurm does not come up here: skipped; its logs say:\n" + logs());
      }
      Thread.sleep(200);
    }
  }

  private void daemon(String... words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().putAll(environment());
    daemons.add(builder.redirectOutput(folder.resolve(words[0] + ".out").toFile()).start());
  }

  private String configuration() throws IOException {
    String host = InetAddress.getLocalHost().getHostName();
    return """
    ClusterName=stowage
    SlurmctldHost=HOST(127.0.0.1)
    SlurmctldPort=PORT1
    SlurmdPort=PORT2
    SlurmUser=USER
    SlurmdUser=USER
    AuthType=auth/munge
    AuthInfo=socket=FOLDER/munge.socket
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    JobAcctGatherType=jobacct_gather/none
    MpiDefault=none
    SelectType=select/cons_tres
    SelectTypeParameters=CR_Core
    ReturnToService=2
    SchedulerParameters=sched_interval=1
    StateSaveLocation=FOLDER/state
    SlurmdSpoolDir=FOLDER/spool
    SlurmctldPidFile=FOLDER/slurmctld.pid
    SlurmdPidFile=FOLDER/slurmd.pid
    SlurmctldLogFile=FOLDER/slurmctld.log
    SlurmdLogFile=FOLDER/slurmd.log
    NodeName=HOST NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
    PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
    """
        .replace("HOST", host)
        .replace("USER", System.getProperty("user.name"))
        .replace("PORT1", Integer.toString(freePort()))
        .replace("PORT2", Integer.toString(freePort()))
        .replace("FOLDER", folder.toString());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private String logs() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("munged.out", "slurmctld.out", "slurmd.out")) {
      Path log = folder.resolve(name);
      text.append(Files.exists(log) ? name + ": " + Files.readString(log) : "");
    }
    return text.toString();
  }

  /** Ends the daemons and their jobs. */
  @Override
  public synchronized void close() {
    cancelJobs();
    for (int k = daemons.size() - 1; k >= 0; k--) {
      Process daemon = daemons.get(k);
      List<ProcessHandle> jobs = daemon.descendants().toList();
      daemon.destroy();
      try {
        if (!daemon.waitFor(10, TimeUnit.SECONDS)) {
          daemon.destroyForcibly();
        }
      } catch (InterruptedException interrupted) {
        daemon.destroyForcibly();
        Thread.currentThread().interrupt();
      }
      jobs.forEach(ProcessHandle::destroyForcibly);
    }
    daemons.clear();
  }

  /** Jobs outlive the daemons otherwise. */
  private void cancelJobs() {
    if (daemons.stream().filter(Process::isAlive).count() < daemons.size() || daemons.isEmpty()) {
      return;
    }
    try {
      command("scancel", "--user=" + System.getProperty("user.name"));
      for (int tries = 0; tries < 50 && !command("squeue", "-h").isEmpty(); tries++) {
        Thread.sleep(100);
      }
    } catch (IOException gone) {
      // Then there is nothing to cancel.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

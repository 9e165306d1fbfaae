package stowage.importer.onnx;

import ai.onnxruntime.OrtEnvironment;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import stowage.natives.NativeCache;
import stowage.packing.Threads;

/**
 * Service that asks ONNX Runtime for shapes without trusting it. It is a large native library that
 * is fed with files from anywhere, so it runs in a child process: one that crashes, hangs or asks
 * for too much memory costs the child, and gives an error here.
 *
 * <p>The child is a JVM with little else on its class path. It is started when first needed, or
 * earlier by {@link #warmUp()} so that it starts while the file is read, and serves request after
 * request. A request has a limit of processor time, after which the child is ended ({@link
 * CpuTimeLimit}); a child has a bound on its address space where the system can set one ({@code
 * ulimit -v}). It gets models as bytes that contain no path, so it opens no file.
 */
final class ShapeService {
  /** What is said of a model that is not done in time. */
  static final String TOO_LONG =
      "it takes too long (-Dstowage.import.seconds=N allows N seconds of processor time for a"
          + " file)";

  /** What is said of a model that ends the child. */
  static final String CRASHED = "it crashes or runs out of memory";

  /** Virtual memory of the child; a JVM alone takes about 1.5 GiB of it, most of that untouched. */
  private static final long MOST_KIBIBYTES = 6L << 20;

  /** After so many requests a fresh child is taken, so that leaks do not add up. */
  private static final int MOST_REQUESTS = 500;

  private static final ShapeService INSTANCE = new ShapeService();

  private Process child;
  private DataOutputStream toChild;
  private DataInputStream fromChild;
  private int requests;
  private Thread ending;

  private ShapeService() {}

  static ShapeService instance() {
    return INSTANCE;
  }

  private static boolean isRuntimeThere() {
    return ShapeService.class.getResource("/ai/onnxruntime/OrtEnvironment.class") != null;
  }

  /** Starts the child in the background if there is none. */
  void warmUp() {
    Threads.start(
        "start of ONNX Runtime",
        () -> {
          try {
            if (isRuntimeThere()) {
              ensureChild();
            }
          } catch (IOException laterSaid) {
            // the request itself will fail in the same way, and say why
          }
        });
  }

  /**
   * The shapes of a model's outputs, by name.
   *
   * @param model a serialized model without external data
   * @param fold whether to fold constants from the start
   * @param limit what it may cost; what it did cost is taken from it
   * @throws ShapeProtocol.Failure when ONNX Runtime refuses the model, crashes, or takes too long
   */
  synchronized ShapeProtocol.Answer shapes(byte[] model, boolean fold, WorkLimit limit)
      throws ShapeProtocol.Failure {
    if (model.length > ShapeProtocol.LARGEST_MODEL) {
      throw new ShapeProtocol.Failure(
          "without its large constants the model still has " + model.length + " bytes");
    }
    long limitMillis = limit.forNextRequest();
    if (limitMillis <= 0) {
      throw new ShapeProtocol.Failure(TOO_LONG);
    }
    if (!isRuntimeThere()) {
      throw new ShapeProtocol.Failure(
          "this slim archive has no ONNX Runtime; use the full archive");
    }
    CpuTimeLimit watch = null;
    try {
      ensureChild();
      watch = new CpuTimeLimit(child, limitMillis);
      requests++;
      ShapeProtocol.write(toChild, new ShapeProtocol.Request(model, fold));
      return ShapeProtocol.readAnswer(fromChild);
    } catch (IOException broken) {
      boolean late = watch != null && watch.late();
      end();
      throw new ShapeProtocol.Failure(late ? TOO_LONG : CRASHED);
    } finally {
      if (watch != null) {
        limit.spend(watch.usedMillis());
        watch.close();
        if (watch.late()) {
          end(); // the answer may have come at the very moment the child was ended
        }
      }
    }
  }

  private synchronized void ensureChild() throws IOException {
    if (child != null && child.isAlive() && requests < MOST_REQUESTS) {
      return;
    }
    end();
    ProcessBuilder builder = new ProcessBuilder(command());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeIf(name -> name.startsWith("JAVA_TOOL_OPTIONS"));
    child = builder.start();
    toChild = new DataOutputStream(new BufferedOutputStream(child.getOutputStream()));
    fromChild = new DataInputStream(child.getInputStream());
    requests = 0;
    Process started = child;
    ending = new Thread(started::destroyForcibly);
    try {
      Runtime.getRuntime().addShutdownHook(ending);
    } catch (IllegalStateException shuttingDown) {
      started.destroyForcibly(); // no one will ask any more, and no hook would end the child
      throw new IOException("the program is ending", shuttingDown);
    }
  }

  private void end() {
    if (child == null) {
      return;
    }
    child.destroyForcibly();
    try {
      Runtime.getRuntime().removeShutdownHook(ending);
    } catch (IllegalStateException shuttingDown) {
      // the hook runs by itself then
    }
    child = null;
  }

  private static List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(Path.of("/bin/sh"))) {
      command.addAll(
          List.of(
              "/bin/sh",
              "-c",
              "ulimit -v \"$0\" 2>/dev/null; ulimit -c 0 2>/dev/null; exec \"$@\"",
              Long.toString(MOST_KIBIBYTES)));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            ("-Xmx512m -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
                    + " -XX:CompressedClassSpaceSize=32m -XX:ReservedCodeCacheSize=32m"
                    + " --enable-native-access=ALL-UNNAMED")
                .split(" ")));
    Path natives = natives();
    if (natives != null) {
      command.add("-Donnxruntime.native.path=" + natives);
    }
    command.addAll(
        List.of(
            "-cp",
            place(ShapeWorker.class) + File.pathSeparator + place(OrtEnvironment.class),
            ShapeWorker.class.getName()));
    return command;
  }

  private static String place(Class<?> type) throws IOException {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (java.net.URISyntaxException | RuntimeException nowhere) {
      throw new IOException("the place of " + type.getName() + " is not known", nowhere);
    }
  }

  /** Where ONNX Runtime's libraries are unpacked, or null to leave unpacking to itself. */
  private static Path natives() throws IOException {
    String folder = "ai/onnxruntime/native/" + NativeCache.platform() + "/";
    List<String> libraries =
        Stream.of("onnxruntime", "onnxruntime4j_jni")
            .map(name -> folder + System.mapLibraryName(name))
            .toList();
    String jar = Path.of(place(OrtEnvironment.class)).getFileName().toString();
    String version = jar.replaceFirst(".*?(\\d[\\w.]*?)(\\.jar)?$", "$1");
    return NativeCache.unpack("onnxruntime", version, libraries);
  }
}

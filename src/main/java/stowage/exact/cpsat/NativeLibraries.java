package stowage.exact.cpsat;

import com.google.ortools.Loader;
import com.sun.jna.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import stowage.exact.engine.Engine;
import stowage.natives.NativeCache;

/**
 * Loader of OR-Tools' native libraries, once in a process and only when a solver is really run.
 *
 * <p>Left alone, OR-Tools unzips 70 MB into the temporary folder at every start, and leaves them
 * there when the process is killed. Here they are unzipped once a version into {@link NativeCache},
 * from where they load in a few hundredths of a second; where that has no folder that is the user's
 * alone, OR-Tools' own way is taken.
 */
public final class NativeLibraries {
  private static final String FOLDER = "ortools-" + Platform.RESOURCE_PREFIX;

  /** On Windows a library finds those it needs only when they are loaded already: in this order. */
  private static final List<String> WINDOWS_ORDER =
      List.of(
          ("zlib1 bz2 abseil_dll re2 libutf8_validity libprotobuf highs libscip ortools "
                  + "jniortools")
              .split(" "));

  /** The version of OR-Tools. */
  public static final String VERSION = Engine.versionOf("com.google.ortools/" + FOLDER);

  private static boolean loaded;

  private NativeLibraries() {}

  /** Loads the libraries unless they are loaded already. */
  public static synchronized void load() {
    if (loaded) {
      return;
    }
    if (!loadFromCache(NativeCache.folder())) {
      Loader.loadNativeLibraries();
    }
    loaded = true;
  }

  private static boolean loadFromCache(Path cache) {
    try {
      URL resource = NativeLibraries.class.getClassLoader().getResource(FOLDER + "/");
      if (resource == null || !(resource.openConnection() instanceof JarURLConnection connection)) {
        return false;
      }
      connection.setUseCaches(false);
      try (JarFile jar = connection.getJarFile()) {
        Path folder = unpacked(jar, cache);
        if (folder == null) {
          return false;
        }
        loadAll(folder);
        return true;
      }
    } catch (IOException | UncheckedIOException | SecurityException unusable) {
      return false;
    } catch (UnsatisfiedLinkError broken) {
      return false; // such as a cache on a file system that forbids running from it
    }
  }

  private static void loadAll(Path folder) {
    if (Platform.isWindows()) {
      for (String name : WINDOWS_ORDER) {
        Path library = folder.resolve(System.mapLibraryName(name));
        if (Files.exists(library)) {
          System.load(library.toString());
        }
      }
    } else {
      System.load(folder.resolve(System.mapLibraryName("jniortools")).toString());
    }
  }

  /** The folder of a jar's libraries, unpacked if need be; null where others may write to it. */
  static Path unpacked(JarFile jar, Path cache) {
    String name = Path.of(jar.getName()).getFileName().toString().replaceAll("\\.jar$", "");
    List<NativeCache.Library> libraries =
        jar.stream()
            .filter(entry -> !entry.isDirectory() && entry.getName().startsWith(FOLDER + "/"))
            .map(
                entry ->
                    new NativeCache.Library(
                        entry.getName().substring(entry.getName().lastIndexOf('/') + 1),
                        entry.getSize(),
                        () -> jar.getInputStream(entry)))
            .toList();
    return NativeCache.unpack(
        cache, "ortools", name.substring(name.lastIndexOf('-') + 1), libraries);
  }
}

package stowage.exact.cpsat;

import com.google.ortools.Loader;
import com.sun.jna.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Loads OR-Tools' native libraries, once in a process and only when a solver is really run.
 *
 * <p>Left alone, OR-Tools unzips 70 MB into the temporary folder at every start, and leaves them
 * there when the process is killed. Here they are unzipped once a version into a folder of the
 * user's, from where they load in a few hundredths of a second:
 *
 * <ol>
 *   <li>{@code $STOWAGE_CACHE/natives/VERSION} where the variable is set, else {@code
 *       $XDG_CACHE_HOME/stowage/natives/VERSION}, else {@code ~/.cache/stowage/natives/VERSION};
 *   <li>unzipped under a temporary name beside it and renamed when complete, so that a folder of
 *       that name is always whole, whatever stops the process and however many start at once;
 *   <li>where the folder cannot be written, OR-Tools' own way is taken.
 * </ol>
 */
public final class NativeLibraries {
  private static final String FOLDER = "ortools-" + Platform.RESOURCE_PREFIX;

  /** On Windows a library finds those it needs only when they are loaded already: in this order. */
  private static final List<String> WINDOWS_ORDER =
      List.of(
          "zlib1",
          "bz2",
          "abseil_dll",
          "re2",
          "libutf8_validity",
          "libprotobuf",
          "highs",
          "libscip",
          "ortools",
          "jniortools");

  private static boolean loaded;

  private NativeLibraries() {}

  /** Loads the libraries unless they are loaded already. */
  public static synchronized void load() {
    if (loaded) {
      return;
    }
    if (!loadFromCache(
        cacheFolder(System.getenv("STOWAGE_CACHE"), System.getenv("XDG_CACHE_HOME")))) {
      Loader.loadNativeLibraries();
    }
    loaded = true;
  }

  /** The folder that holds all versions. */
  static Path cacheFolder(String own, String cacheHome) {
    if (own != null && !own.isBlank()) {
      return Path.of(own, "natives");
    }
    Path home =
        cacheHome != null && !cacheHome.isBlank()
            ? Path.of(cacheHome)
            : Path.of(System.getProperty("user.home"), ".cache");
    return home.resolve("stowage").resolve("natives");
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

  /**
   * The folder with the libraries of a jar, unpacked now unless it was before; null where it cannot
   * be written.
   */
  static Path unpacked(JarFile jar, Path cache) throws IOException {
    Path jarFile = Path.of(jar.getName());
    String version = jarFile.getFileName().toString().replaceAll("\\.jar$", "");
    Path folder = cache.resolve(version).toAbsolutePath();
    if (Files.isDirectory(folder)) {
      return folder;
    }
    Path fresh;
    try {
      Files.createDirectories(cache);
      fresh = Files.createTempDirectory(cache, version + ".unpacking");
    } catch (FileSystemException unwritable) {
      return null;
    }
    try {
      extract(jar, fresh);
      try {
        Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException | FileAlreadyExistsException other) {
        // Another process was first, or this one cannot rename.
      } catch (FileSystemException notEmpty) {
        if (!Files.isDirectory(folder)) {
          throw notEmpty;
        }
      }
      return Files.isDirectory(folder) ? folder : null;
    } finally {
      delete(fresh);
    }
  }

  private static void extract(JarFile jar, Path target) throws IOException {
    for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
      JarEntry entry = entries.nextElement();
      if (entry.isDirectory() || !entry.getName().startsWith(FOLDER + "/")) {
        continue;
      }
      Path file = target.resolve(entry.getName().substring(FOLDER.length() + 1)).normalize();
      if (!file.startsWith(target)) {
        throw new IOException("entry " + entry.getName() + " points out of the jar");
      }
      Files.createDirectories(file.getParent());
      try (InputStream in = jar.getInputStream(entry)) {
        Files.copy(in, file);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}

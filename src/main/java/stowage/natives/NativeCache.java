package stowage.natives;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cache of native libraries, unpacked from jars into a folder of the user's cache, once for each
 * version. Libraries that unpack themselves do so at every start, which takes longer than all the
 * rest of a short run, and leave the copies behind when a run is killed.
 *
 * <p>The folder is {@code <cache>/<name>-<version>-<platform>}, where the cache is {@code
 * $STOWAGE_CACHE}, or {@code stowage} in {@code $XDG_CACHE_HOME} or else in {@code ~/.cache} (on
 * Windows in {@code %LOCALAPPDATA%}). It is owned by the user and writable by no one else, for code
 * is loaded from it; a cache that others may write to is not used. Each file is written under a
 * temporary name and moved, so that runs side by side and killed ones do no harm; one whose length
 * differs from the jar's is rewritten.
 */
public final class NativeCache {
  private NativeCache() {}

  /** A library in a jar: its file's name in the cache, its size in bytes, and what opens it. */
  public record Library(String name, long bytes, Content content) {}

  /** Source of a library's bytes. */
  @FunctionalInterface
  public interface Content {
    InputStream open() throws IOException;
  }

  /**
   * Makes sure that libraries are in the user's cache.
   *
   * @param name of the software, such as {@code onnxruntime}
   * @param version of the software
   * @param resources the libraries' names on the class path, without a leading slash
   * @return the folder that holds them under their last names, or null when they cannot be kept
   *     there, so that the caller must do without
   */
  public static Path unpack(String name, String version, List<String> resources) {
    return unpack(folder(), name, version, onClassPath(resources));
  }

  /** Libraries on the class path, by name; null where one cannot be read there. */
  static List<Library> onClassPath(List<String> resources) {
    List<Library> libraries = new ArrayList<>();
    try {
      for (String resource : resources) {
        URL source = NativeCache.class.getClassLoader().getResource(resource);
        if (source == null) {
          return null;
        }
        String name = resource.substring(resource.lastIndexOf('/') + 1);
        URLConnection first = uncached(source);
        libraries.add(
            new Library(
                name, first.getContentLengthLong(), () -> uncached(source).getInputStream()));
        first.getInputStream().close();
      }
      return libraries;
    } catch (IOException unreadable) {
      return null;
    }
  }

  private static URLConnection uncached(URL source) throws IOException {
    URLConnection connection = source.openConnection();
    connection.setUseCaches(false);
    return connection;
  }

  /**
   * Makes sure that libraries are in a cache.
   *
   * @param cache such as {@link #folder}; null for none
   * @param libraries null where they cannot be read
   * @return as for {@link #unpack(String, String, List)}
   */
  public static Path unpack(Path cache, String name, String version, List<Library> libraries) {
    if (cache == null || libraries == null) {
      return null;
    }
    Path folder = cache.resolve(name + "-" + version + "-" + platform());
    try {
      createPrivately(folder);
      if (!ours(folder)) {
        return null;
      }
      for (Library library : libraries) {
        copy(library, folder.resolve(library.name()));
      }
      return folder;
    } catch (IOException | UncheckedIOException | SecurityException notKept) {
      return null;
    }
  }

  /** This machine's system and processor, such as {@code linux-x64}. */
  public static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String shortSystem = system.contains("win") ? "win" : system.contains("mac") ? "osx" : "linux";
    String shortProcessor =
        switch (processor) {
          case "amd64", "x86_64" -> "x64";
          case "arm64" -> "aarch64";
          default -> processor;
        };
    return shortSystem + "-" + shortProcessor;
  }

  /** The user's cache; null where the user has no folder of their own. */
  public static Path folder() {
    String chosen = System.getenv("STOWAGE_CACHE");
    if (chosen != null && !chosen.isEmpty()) {
      return Path.of(chosen);
    }
    String user = System.getenv(platform().startsWith("win") ? "LOCALAPPDATA" : "XDG_CACHE_HOME");
    if (user != null && !user.isEmpty()) {
      return Path.of(user, "stowage");
    }
    String home = System.getProperty("user.home");
    return home == null || home.isEmpty() || home.equals("?")
        ? null
        : Path.of(home, ".cache", "stowage");
  }

  private static void createPrivately(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Files.createDirectories(folder.getParent());
    try {
      if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectory(folder);
      }
    } catch (FileAlreadyExistsException meanwhile) {
      // another run was faster
    }
  }

  /** Whether the folder belongs to this user and no one else may write into it. */
  private static boolean ours(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return true;
    }
    String rights =
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS));
    Path probe = Files.createTempFile(folder, "owner", ".tmp");
    try {
      return rights.charAt(4) == '-'
          && rights.charAt(7) == '-'
          && Files.getOwner(folder).equals(Files.getOwner(probe));
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  private static void copy(Library library, Path target) throws IOException {
    if (Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
        && Files.size(target) == library.bytes()) {
      return;
    }
    Path temporary = Files.createTempFile(target.getParent(), "unpacking", ".tmp");
    try {
      try (InputStream in = library.content().open()) {
        Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
      }
      // in one step: a plain move deletes the target first, and fails where another run just did
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}

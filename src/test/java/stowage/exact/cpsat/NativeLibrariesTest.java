package stowage.exact.cpsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.sun.jna.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.natives.NativeCache;

class NativeLibrariesTest extends FolderTest {
  @Test
  void manyAtOnceUnpackOneWholeFolder() throws Exception {
    Path file = jar();
    Path cache = folder.resolve("cache");
    Path whole = cache.resolve("ortools-1.0-" + NativeCache.platform());
    var pool = Executors.newFixedThreadPool(4);
    List<Callable<Path>> calls = new ArrayList<>();
    for (int k = 0; k < 8; k++) {
      calls.add(
          () -> {
            try (JarFile jar = new JarFile(file.toFile())) {
              return NativeLibraries.unpacked(jar, cache);
            }
          });
    }
    for (Future<Path> done : pool.invokeAll(calls)) {
      assertEquals(whole, done.get());
    }
    pool.shutdown();
    assertEquals("hello", Files.readString(whole.resolve("libhello.so")));
    assertEquals(List.of("libhello.so"), names(whole), "nothing half unpacked is left behind");
  }

  @Test
  void aCacheThatCannotBeWrittenIsNoError() throws IOException {
    Path file = jar();
    Path blocked = file("file", "in the way");
    try (JarFile jar = new JarFile(file.toFile())) {
      assertNull(NativeLibraries.unpacked(jar, blocked.resolve("natives")));
    }
    assertFalse(Files.isDirectory(blocked));
  }

  @Test
  void aFolderThatOthersMayWriteToIsNotLoadedFrom() throws IOException {
    Assumptions.assumeTrue(
        folder.getFileSystem().supportedFileAttributeViews().contains("posix"), "no POSIX rights");
    try (JarFile jar = new JarFile(jar().toFile())) {
      Path unpacked = NativeLibraries.unpacked(jar, folder.resolve("cache"));
      assertEquals(unpacked, NativeLibraries.unpacked(jar, folder.resolve("cache")));
      Files.setPosixFilePermissions(unpacked, PosixFilePermissions.fromString("rwxrwxrwx"));
      assertNull(NativeLibraries.unpacked(jar, folder.resolve("cache")));
    }
  }

  private Path jar() throws IOException {
    Path file = folder.resolve("natives-1.0.jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("ortools-" + Platform.RESOURCE_PREFIX + "/libhello.so"));
      jar.write("hello".getBytes(StandardCharsets.UTF_8));
      jar.closeEntry();
    }
    return file;
  }
}

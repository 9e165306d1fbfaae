package stowage.natives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.FolderTest;

class NativeCacheTest {
  private static final String RESOURCE = "stowage/natives/NativeCache.class";

  @TempDir Path cache;

  private Path unpack(String... resources) {
    return NativeCache.unpack(cache, "some", "1.0", NativeCache.onClassPath(List.of(resources)));
  }

  private static byte[] original() throws IOException {
    try (InputStream in = NativeCache.class.getResourceAsStream("NativeCache.class")) {
      return in.readAllBytes();
    }
  }

  @Test
  void aLibraryIsUnpackedOnceAndMendedWhenCutShort() throws IOException {
    Path folder = unpack(RESOURCE);
    Path library = folder.resolve("NativeCache.class");
    assertEquals(cache.resolve("some-1.0-" + NativeCache.platform()), folder);
    assertArrayEquals(original(), Files.readAllBytes(library));

    Files.setLastModifiedTime(library, FileTime.fromMillis(1000));
    unpack(RESOURCE);
    assertEquals(FileTime.fromMillis(1000), Files.getLastModifiedTime(library));

    Files.write(library, new byte[10]);
    unpack(RESOURCE);
    assertArrayEquals(original(), Files.readAllBytes(library));
    assertEquals(List.of(library), FolderTest.files(folder, ""));
  }

  /** The length said is wrong, so that every run replaces the file that others just moved there. */
  @Test
  void runsSideBySideReplaceOneFileAndNoneFails() throws Exception {
    var library =
        new NativeCache.Library("some.so", 6, () -> new ByteArrayInputStream(new byte[5]));
    List<Callable<Boolean>> runs =
        Collections.nCopies(
            2000, () -> NativeCache.unpack(cache, "some", "1.0", List.of(library)) != null);
    var pool = Executors.newFixedThreadPool(4);
    try {
      for (var run : pool.invokeAll(runs)) {
        assertTrue(run.get());
      }
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void whatCannotBeKeptIsDoneWithout() throws IOException {
    assertNull(unpack("no/such/library.so"));
    assertNull(NativeCache.unpack(null, "some", "1.0", NativeCache.onClassPath(List.of(RESOURCE))));
    Path file = Files.createFile(cache.resolve("file"));
    assertNull(NativeCache.unpack(file, "some", "1.0", NativeCache.onClassPath(List.of(RESOURCE))));
  }

  @Test
  void aFolderThatOthersMayWriteToIsNotTrusted() throws IOException {
    Assumptions.assumeTrue(
        cache.getFileSystem().supportedFileAttributeViews().contains("posix"), "no POSIX rights");
    Path folder = unpack(RESOURCE);
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertNull(unpack(RESOURCE));
  }
}

package stowage.natives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(library), files.toList());
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

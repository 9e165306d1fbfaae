package stowage.importer.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;

class AtomicFilesTest extends FolderTest {
  @Test
  void replacesAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFiles.writeString(file, "one");
    AtomicFiles.writeString(file, "two");
    assertEquals("two", Files.readString(file));
    assertEquals(List.of("a.txt"), names(folder));
  }

  @Test
  void keepsTheOldContentWhenWritingFails() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFiles.writeString(file, "one");
    AtomicFiles.Content full =
        out -> {
          out.write('x');
          throw new IOException("disk full");
        };
    assertThrows(IOException.class, () -> AtomicFiles.write(file, full));
    assertEquals("one", Files.readString(file));
    assertEquals(List.of("a.txt"), names(folder));
  }

  @Test
  void keepsSymbolicLinks() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFiles.writeString(file, "one");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    AtomicFiles.writeString(link, "two");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("two", Files.readString(file));
  }

  @Test
  void saysWhenTheFolderIsMissingOrTheTargetIsOne() throws IOException {
    assertThrows(IOException.class, () -> AtomicFiles.writeString(folder.resolve("no/a.txt"), "x"));
    Path taken = Files.createDirectory(folder.resolve("taken"));
    assertThrows(IOException.class, () -> AtomicFiles.writeString(taken, "x"));
    assertEquals(List.of("taken"), names(folder));
  }
}

package stowage.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.cli.Stowage;

class MemoryShortageTest extends FolderTest {
  @Test
  void aHeapThatIsTooSmallIsOneLineAndExitCodeThree() throws Exception {
    StringBuilder rows = new StringBuilder("id,lower,upper,size\n");
    for (int i = 0; i < 200_000; i++) {
      rows.append("buffer-of-a-long-name-").append(i).append(",0,9,1\n");
    }
    Path input = file("large.csv", rows);
    Path err = folder.resolve("err.txt");
    List<String> words = new ArrayList<>(Stowage.process("-Xmx20m"));
    words.addAll(List.of("plan", input.toString(), "--json"));
    Process process =
        new ProcessBuilder(words)
            .redirectOutput(folder.resolve("out.txt").toFile())
            .redirectError(err.toFile())
            .start();
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it does not end");
    String told = Files.readString(err);
    assertEquals(3, process.exitValue(), told);
    assertEquals(1, told.lines().count(), told);
    assertTrue(told.startsWith("stowage: not enough memory: the heap may take"), told);
    assertTrue(told.contains("STOWAGE_JAVA_OPTS"), told);
  }

  @Test
  void aShortageIsFoundBehindWhatWrapsIt() {
    OutOfMemoryError shortage = new OutOfMemoryError("Java heap space");
    assertSame(shortage, MemoryShortage.in(new CompletionException(shortage)));
    assertNull(MemoryShortage.in(new IllegalStateException("another fault")));
  }

  @Test
  void eachKindOfMemoryHasItsOption() {
    assertTrue(MemoryShortage.text(new StackOverflowError()).contains("-Xss"));
    assertTrue(MemoryShortage.text(new OutOfMemoryError("Java heap space")).contains("-Xmx"));
    String threads =
        MemoryShortage.text(new OutOfMemoryError("unable to create native thread: limit reached"));
    assertTrue(threads.contains("unable to create native thread"), threads);
  }
}

package stowage;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.function.Executable;
import stowage.importer.io.InputException;

/** Checks of what is said where something is refused. */
public final class Refusals {
  private Refusals() {}

  /** Checks that an exception is thrown whose message has all of some words; gives it. */
  public static <T extends Throwable> T says(Class<T> type, Executable asked, String... words) {
    T thrown = assertThrows(type, asked);
    String message = thrown.getMessage();
    List.of(words).forEach(word -> assertTrue(message.contains(word), message));
    return thrown;
  }

  /** Checks that an input is refused with a message that has all of some words. */
  public static InputException input(Executable read, String... words) {
    return says(InputException.class, read, words);
  }

  /** The same of a file, in one line that begins with its name. */
  public static String file(Path file, Executable read, String... words) {
    String message = input(read, words).getMessage();
    assertTrue(message.startsWith(file.toString()), message);
    assertFalse(message.contains("\n") || message.contains("line -1"), message);
    return message;
  }
}

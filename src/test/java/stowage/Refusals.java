package stowage;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** Checks of what is said where something is refused. */
public final class Refusals {
  private Refusals() {}

  /** Checks that an exception is thrown whose message has all of some words. */
  public static void says(Class<? extends Throwable> type, Executable asked, String... words) {
    String message = assertThrows(type, asked).getMessage();
    List.of(words).forEach(word -> assertTrue(message.contains(word), message));
  }
}

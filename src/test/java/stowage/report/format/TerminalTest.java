package stowage.report.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
  @Test
  void wrapsBelowTheTextOfALabel() {
    String text = "OPTIMAL: a name\n  because   one two three four five six\n  gap       0 %\n";
    assertEquals(
        "OPTIMAL: a name\n  because   one two three four five\n            six\n  gap       0 %\n",
        Terminal.wrapped(text, 36));
    assertEquals(text, Terminal.wrapped(text, 200));
  }

  @Test
  void aWordThatDoesNotFitStaysWhole() {
    String word = "x".repeat(60);
    assertEquals("  " + word + " y", Terminal.wrapped("  " + word + " y", 40));
  }

  @Test
  void environmentSaysWidthAndColour() {
    assertEquals(50, Terminal.columns(Map.of("COLUMNS", "50")));
    assertTrue(Terminal.colours(Map.of("TERM", "xterm")));
    assertFalse(Terminal.colours(Map.of("TERM", "xterm", "NO_COLOR", "1")));
    assertTrue(Terminal.colours(Map.of("TERM", "xterm", "NO_COLOR", "")));
    assertFalse(Terminal.rewrites(Map.of("TERM", "dumb")));
  }

  @Test
  void cutsWhatIsShownNotWhatColours() {
    assertEquals("ab", StatusLine.cut("abc", 2));
    assertEquals("\u001b[1mab\u001b[0m", StatusLine.cut("\u001b[1mabc\u001b[0m", 2));
    assertEquals("abc", StatusLine.cut("abc", 3));
  }

  @Test
  void namesOfOneScreenLineAreShownAsTheyAre() {
    assertEquals("conv/ä", NameText.shortened("conv/ä"));
    assertEquals("x".repeat(40), NameText.shortened("x".repeat(40)));
  }

  @Test
  void longNamesAreCut() {
    assertEquals(
        "x".repeat(17) + "…" + "y".repeat(22), NameText.shortened("x".repeat(50) + "y".repeat(22)));
  }

  @Test
  void nothingSteersTheTerminal() {
    assertEquals("a?[2Jb??", NameText.plain("a\u001b[2Jb\r\n"));
  }
}

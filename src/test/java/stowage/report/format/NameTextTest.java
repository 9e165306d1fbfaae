package stowage.report.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NameTextTest {
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

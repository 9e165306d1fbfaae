package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Turns of phrase that had to be read twice and must not come back, in code and documents, and what
 * comments of classes begin with.
 */
class PlainWordsTest {
  private static final List<String> TURNS =
      List.of(
          """
          how is said behind | gone gains | moved gains | another may still not | is held up by
          may be gone on with | and gone on with | what the peak may take
          extents that may change | is none of the problem | problem's own words | are notified of
          work has begun that takes | as high as the bytes they move | the bound's step:
          others at least as large | in each other's way | too small a stretch of addresses
          must be placed side by side | by a method of its own | without any library of others
          join by themselves | what stays where it is? | what reusing memory serialises
          up to a twentieth of them left out | place in time is fixed | one answer a line
          one json object a line | a test case a model | one line a run | threads a run
          planning in a process that stays | what they say, and what they are worth
          holds a plan's peak up | how far any plan could still go
          how far any order could still go | may be so much higher | a process that stays:
          compare knows all, too | the exponent says little | planners that give one plan and end
          without circles | least peak of memory | of each kind the best | are also sized by it
          what no capacity betters | seconds before anything comes of it | that there is none of
          is one more than | the bound's step | no one of them lowers | each resting on the next
          says cp-sat | at the order written | has to run, and whatever has run
          hold at each step only what | traffic not proven lowest | all caches together
          by its rules | which is never looked up | does a suite's runs
          each about a second of one thread | without any one of them the others
          the order in which computations call | one class a format
          """
              .split(" \\| |\n"));

  /** Verbs with which a comment of a class would begin that says what it does, not what it is. */
  private static final String VERBS =
      """
      Adds Anneals Asks Breaks Brings Builds Checks Collects Compares Computes Converts Covers Decides \
      Divides Does Draws Ends Estimates Evaluates Finds Follows Gives Goes Hands Has Holds Improves Is \
      Keeps Lays Looks Makes Measures Opens Parses Passes Prints Proves Puts Raises Reads Replaces \
      Rewrites Says Searches Shows Solves Sorts Spreads Takes Tells Turns Unpacks Weighs Works Writes""";

  @Test
  void commentsOfClassesSayWhatTheyAre() throws IOException {
    Pattern comment =
        Pattern.compile(
            "/\\*\\*\\s*(?:\\*\\s+)?(%s)\\b(?:(?!\\*/).)*\\*/\\s+(?:@[^\\n]*\\s+)*"
                    .formatted(VERBS.replace(' ', '|'))
                + "(?:[a-z-]+ )*(?:class|interface|record|enum) \\w+",
            Pattern.DOTALL);
    List<String> found = new ArrayList<>();
    for (Path file : FolderTest.files(Path.of("src/main/java"), ".java")) {
      Matcher verb = comment.matcher(Files.readString(file));
      while (verb.find()) {
        found.add(file + ": " + verb.group(1));
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void noneOfTheTurnsIsBack() throws IOException {
    List<String> found = new ArrayList<>();
    for (String root : List.of("src/main", "docs", "README.md", "CONTRIBUTING.md", "python")) {
      for (Path file : FolderTest.files(Path.of(root), "")) {
        if (file.toString().matches(".*\\.(java|md|txt|html|js|py|h)")
            && !file.endsWith(Path.of("internals", "seeds.md"))) {
          String text = flat(Files.readString(file));
          for (String turn : TURNS) {
            if (text.contains(turn)) {
              found.add(file + ": " + turn);
            }
          }
        }
      }
    }
    assertEquals(List.of(), found);
  }

  /**
   * Small letters on one line, so that a phrase is found across the breaks of lines and strings.
   */
  private static String flat(String text) {
    return text.replaceAll("\"\\s*\\+\\s*\"", "")
        .replaceAll("\\s*\\n\\s*(\\*|//|#)?\\s*", " ")
        .toLowerCase(Locale.ROOT);
  }
}

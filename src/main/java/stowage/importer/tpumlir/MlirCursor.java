package stowage.importer.tpumlir;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import stowage.importer.io.InputException;

/**
 * A place in an MLIR text, and the words that can be read from there. There is no separate lexer:
 * what a character means depends on where it is (in {@code tensor<1x3xf16>} {@code x3xf16} is no
 * name).
 */
final class MlirCursor {
  /** A byte's two digits after a backslash, another escape, or text without any. */
  private static final Pattern PIECE =
      Pattern.compile("\\\\([0-9a-fA-F]{2})|\\\\(.)|[^\\\\]+", Pattern.DOTALL);

  private static final String ESCAPES = "nt\"\\";
  private static final String ESCAPED = "\n\t\"\\";

  /** How deeply values may be nested; real files need about ten. */
  private static final int DEEPEST = 200;

  private final Path file;
  private final String text;
  private final int[] lineStarts;
  private int at;
  private int depth;

  MlirCursor(Path file, String text) {
    this.file = file;
    this.text = text;
    IntStream ends = IntStream.range(0, text.length()).filter(k -> text.charAt(k) == '\n');
    this.lineStarts = IntStream.concat(IntStream.of(0), ends.map(k -> k + 1)).toArray();
  }

  MlirCursor over(String other) {
    return new MlirCursor(file, other);
  }

  /** The index of the next character that is neither blank nor in a comment. */
  int position() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '/' && at + 1 < text.length() && text.charAt(at + 1) == '/') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        at++;
      } else {
        break;
      }
    }
    return at;
  }

  String between(int start, int end) {
    return text.substring(start, end);
  }

  /** The index right after what was read last. */
  int end() {
    return at;
  }

  boolean atEnd() {
    return position() == text.length();
  }

  /** The next character, 0 at the end. */
  char peek() {
    position();
    return next();
  }

  /** Whether a text is next; it is not read. */
  boolean sees(String wanted) {
    return text.startsWith(wanted, position());
  }

  /** Whether a word is next and is not the start of a longer one; it is not read. */
  boolean seesWord(String word) {
    int next = position();
    return text.startsWith(word, next)
        && (next + word.length() == text.length() || !isWord(text.charAt(next + word.length())));
  }

  /** Reads a text if it is next. */
  boolean accept(String wanted) {
    boolean there = sees(wanted);
    at += there ? wanted.length() : 0;
    return there;
  }

  /** Reads a word if it is next. */
  boolean acceptWord(String word) {
    boolean there = seesWord(word);
    at += there ? word.length() : 0;
    return there;
  }

  /** Reads a text that must be next. */
  void expect(String wanted, String where) {
    if (!accept(wanted)) {
      throw fault("\"" + wanted + "\" is expected " + where);
    }
  }

  /** Reads a character that must follow without a blank. */
  void expectNext(char wanted, String where) {
    if (next() != wanted) {
      throw fault("'" + wanted + "' is expected " + where);
    }
    at++;
  }

  /** The character right after what was read, without passing over blanks; 0 at the end. */
  char next() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  /** Reads what commas separate up to a closing character, which is not read. */
  void list(char closer, Runnable element) {
    while (peek() != closer) {
      element.run();
      if (!accept(",")) {
        break;
      }
    }
  }

  /** The same with its brackets. */
  void list(String open, char closer, String what, Runnable element) {
    expect(open, "before " + what);
    list(closer, element);
    expect(String.valueOf(closer), "after " + what);
  }

  void skip() {
    at++;
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Passes over {@code <..>} if it is right here. */
  void skipParameters(String what) {
    if (next() == '<') {
      skip();
      balanced(">", what);
      skip();
    }
  }

  static boolean isWord(int c) {
    boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || isDigit(c) || c == '_' || c == '$' || c == '.';
  }

  /** Reads letters, digits, {@code _}, {@code $} and {@code .}; at least one. */
  String word(String what) {
    position();
    String word = run(MlirCursor::isWord);
    if (word.isEmpty()) {
      throw fault(what + " expected");
    }
    return word;
  }

  /** Reads characters of a kind, as many as there are, without passing over blanks first. */
  private String run(IntPredicate kind) {
    int start = at;
    while (kind.test(next())) {
      at++;
    }
    return text.substring(start, at);
  }

  /** Reads a name after a sigil such as {@code %}, where {@code -} may be too. */
  String suffix(char sigil, String what) {
    position();
    expectNext(sigil, "where " + what + " begins");
    String name = run(c -> isWord(c) || c == '-');
    if (name.isEmpty()) {
      throw fault("a name should follow '" + sigil + "'");
    }
    return name;
  }

  /** Reads digits, as many as there are, without passing over blanks first. */
  String digits() {
    return run(MlirCursor::isDigit);
  }

  /** Reads what a pattern matches right here; empty where it matches nothing. */
  String match(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    String found = matcher.lookingAt() ? matcher.group() : "";
    at += found.length();
    return found;
  }

  /** Reads a text in quotation marks; {@code \\XY} in it is a byte of UTF-8. */
  String string() {
    position();
    expectNext('"', "where a text begins");
    int start = at;
    boolean plain = true;
    while (next() != '"') {
      if (next() == 0 || next() == '\n') {
        throw fault("a text in quotation marks should end with one");
      }
      plain &= next() != '\\';
      at += next() == '\\' ? 2 : 1;
    }
    String written = text.substring(start, at++);
    return plain ? written : unescaped(written);
  }

  private String unescaped(String written) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Matcher piece = PIECE.matcher(written);
    while (piece.find()) {
      String escape = piece.group(2);
      if (piece.group(1) != null) {
        bytes.write(Integer.parseInt(piece.group(1), 16));
      } else if (escape == null) {
        bytes.writeBytes(piece.group().getBytes(StandardCharsets.UTF_8));
      } else if (ESCAPES.contains(escape)) {
        bytes.write(ESCAPED.charAt(ESCAPES.indexOf(escape)));
      } else {
        int start = piece.start();
        String shown = written.substring(start, Math.min(start + 3, written.length()));
        throw fault("\"" + shown + "\" is not an escape of MLIR");
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Passes over anything up to one of some characters outside of brackets and texts; gives it. */
  String balanced(String stops, String what) {
    int start = position();
    StringBuilder open = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at);
      if (open.isEmpty() && stops.indexOf(c) >= 0) {
        return text.substring(start, at);
      }
      if (c == '"') {
        string();
        continue;
      }
      if (c == '-' && at + 1 < text.length() && text.charAt(at + 1) == '>') {
        at += 2;
        continue;
      }
      int closer = "<([{".indexOf(c);
      if (closer >= 0) {
        open.append(">)]}".charAt(closer));
      } else if (">)]}".indexOf(c) >= 0) {
        if (open.isEmpty() || open.charAt(open.length() - 1) != c) {
          throw fault("'" + c + "' closes nothing in " + what);
        }
        open.setLength(open.length() - 1);
      }
      at++;
    }
    throw fault(what + " should end");
  }

  /** Reads something nested, refusing nesting deeper than any real file's. */
  <T> T nested(Supplier<T> reader) {
    if (++depth > DEEPEST) {
      throw fault("nesting is deeper than " + DEEPEST);
    }
    T result = reader.get();
    depth--;
    return result;
  }

  /** The line of an index, counted from 1. O(log lines). */
  int line(int index) {
    int found = Arrays.binarySearch(lineStarts, index);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** An error at the next word. */
  InputException fault(String what) {
    int from = position();
    int to = from;
    while (to < text.length() && to < from + 20 && text.charAt(to) > ' ') {
      to++;
    }
    String found = to > from ? ", not \"" + text.substring(from, to) + "\"" : "";
    return fault(line(from), what + (from < text.length() ? found : ", but the file ends there"));
  }

  InputException fault(int line, String what, Object... arguments) {
    return InputException.atLine(file, line, what, arguments);
  }
}

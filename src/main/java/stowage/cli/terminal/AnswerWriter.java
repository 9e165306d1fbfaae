package stowage.cli.terminal;

import com.fasterxml.jackson.databind.node.TextNode;
import java.io.PrintWriter;
import java.util.List;

/**
 * Stdout of one command, which knows whether anything of an answer was written: an error is a JSON
 * object there where one was asked for and no answer has begun.
 */
public final class AnswerWriter extends PrintWriter {
  private boolean begun;

  /** A writer to another one, which is flushed with it. */
  public AnswerWriter(PrintWriter out) {
    super(out, true);
  }

  @Override
  public void write(int character) {
    begun = true;
    super.write(character);
  }

  @Override
  public void write(char[] text, int offset, int length) {
    begun |= length > 0;
    super.write(text, offset, length);
  }

  @Override
  public void write(String text, int offset, int length) {
    begun |= length > 0;
    super.write(text, offset, length);
  }

  /** Whether a command line asks for answers in JSON. */
  public static boolean asksForJson(List<String> arguments) {
    return arguments.contains("--json");
  }

  /** Writes an error of one line as a JSON object, unless an answer has begun on this writer. */
  public static void error(PrintWriter out, int code, String message) {
    if (out instanceof AnswerWriter answer && answer.begun) {
      return;
    }
    out.println(
        "{\"schemaVersion\": 1, \"error\": {\"code\": %s, \"message\": %s}}"
            .formatted(code, TextNode.valueOf(message)));
    out.flush();
  }
}

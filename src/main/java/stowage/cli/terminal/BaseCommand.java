package stowage.cli.terminal;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Command that prints and ends with an exit code; all have {@code --help} and {@code --version}.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class BaseCommand implements Callable<Integer> {
  @Spec protected CommandSpec spec;

  /** Where the answer goes. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where all else goes. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  protected final void print(String answer) {
    out().print(answer);
    out().flush();
  }

  /** Prints an answer that ends with one line's end. */
  protected final void printLines(String answer) {
    print(answer.stripTrailing() + "\n");
  }

  /** Says something that is not the answer, in a line. */
  protected final void say(String message) {
    err().println("stowage: " + message);
  }
}

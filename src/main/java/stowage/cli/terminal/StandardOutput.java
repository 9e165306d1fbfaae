package stowage.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The process's stdout and stderr, in UTF-8 whatever the locale: JSON has to be, and names of
 * tensors must not turn into question marks where a container sets no locale.
 *
 * <p>Print streams swallow failures, so that a full disk would look like success; this remembers
 * the first one. A reader that has closed its end, such as {@code head}, is none.
 */
public final class StandardOutput extends OutputStream {
  private static final int BUFFER_BYTES = 1 << 13;

  private final OutputStream sink;
  private volatile IOException failure;

  /** Passes on what is written. */
  public StandardOutput(OutputStream sink) {
    this.sink = sink;
  }

  /** Replaces {@link System#out} and {@link System#err} by what remembers whether stdout failed. */
  public static StandardOutput install() {
    StandardOutput out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    System.setOut(
        new PrintStream(
            new BufferedOutputStream(out, BUFFER_BYTES), false, StandardCharsets.UTF_8));
    System.setErr(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    return out;
  }

  /** What went wrong first, or null when everything was taken or the reader had enough. */
  public IOException failure() {
    return failure;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      sink.write(bytes, from, length);
    } catch (IOException failed) {
      if (failure == null && !isClosedByReader(failed)) {
        failure = failed;
      }
      throw failed;
    }
  }

  @Override
  public void flush() throws IOException {
    sink.flush();
  }

  /** The words of the C library, which Java passes on; it has no type of its own for this. */
  private static boolean isClosedByReader(IOException failed) {
    String message = String.valueOf(failed.getMessage());
    return message.contains("Broken pipe") || message.contains("pipe is being closed");
  }
}

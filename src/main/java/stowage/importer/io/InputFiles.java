package stowage.importer.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** Opening of input files, with one line on why one cannot be opened or read. */
public final class InputFiles {
  /** No name, or what exporters call every model. */
  private static final Pattern EXPORTERS_NAME =
      Pattern.compile("|main|main_graph|torch[-_]jit([-_]export)?|tf2onnx|[0-9a-f]{32}");

  /** First bytes of packed files, and the tool. */
  private static final String[][] ARCHIVES = {
    {"1f8b", "gzip"}, {"504b0304", "zip"}, {"fd377a58", "xz"}, {"28b52ffd", "zstd"},
  };

  /** First bytes as text of Latin-1, what the file then is, and the extension of its format. */
  private static final String[][] KINDS = {
    {"....TFL3.*", "a TFLite model", ".tflite"},
    {"....ET\\d\\d.*", "an ExecuTorch program", ".pte"},
    {"\\x80[\\x02-\\x05].*", "a pickle", ".pickle"},
    {"\\x08[\\x01-\\x20][\\x12\\x3a].*", "an ONNX model", ".onnx"},
    {"\\s*<(\\?xml|net).*", "XML", ".xml"},
    {"\\s*\\{\\s*\".*", "JSON", ".json"},
  };

  /** Of larger folders no names are compared. */
  private static final int MOST_BESIDE = 1000;

  private InputFiles() {}

  /** Opens a file for reading; the stream is not buffered. A fault says why it cannot. */
  public static InputStream open(Path file) {
    if (Files.isDirectory(file)) {
      throw new InputException(file, "", "is a folder; it should be a file");
    }
    try {
      return Files.newInputStream(file);
    } catch (IOException failure) {
      throw unreadable(file, failure);
    }
  }

  /** The bytes of a whole file; it is a fault when an array cannot hold them (2 GiB). */
  public static byte[] readAllBytes(Path file) {
    try (InputStream in = open(file)) {
      long size = Files.size(file);
      if (size > Integer.MAX_VALUE - 8) {
        throw new InputException(file, "", "has " + size + " bytes; at most 2 GiB can be read");
      }
      return in.readAllBytes();
    } catch (IOException failure) {
      throw unreadable(file, failure);
    }
  }

  /** The text of a whole file; a fault names the first byte that is no UTF-8. */
  public static String readText(Path file) {
    ByteBuffer bytes = ByteBuffer.wrap(readAllBytes(file));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException malformed) {
      int at = bytes.position();
      String before = new String(bytes.array(), 0, at, StandardCharsets.ISO_8859_1);
      String where = "line " + (before.chars().filter(letter -> letter == '\n').count() + 1);
      String byteText = String.format("byte %d (0x%02x)", at + 1, bytes.get(at));
      String what = byteText + " is not UTF-8 text; the file should be UTF-8";
      throw new InputException(file, where, what, malformed);
    }
  }

  /** What a file calls its content; the file's stem where that is no name of its own. */
  public static String nameOr(String name, Path file) {
    return EXPORTERS_NAME.matcher(name).matches() ? stem(file) : name;
  }

  /** The name of a file without its last extension. */
  public static String stem(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** The first bytes of a file; fewer where it has no more. */
  public static byte[] start(Path file, int bytes) {
    try (InputStream in = open(file)) {
      return in.readNBytes(bytes);
    } catch (IOException failure) {
      throw unreadable(file, failure);
    }
  }

  /** The tool a file is packed with, by its first bytes; empty when it is not, or is not known. */
  public static String archive(Path file) {
    if (!Files.isRegularFile(file)) {
      return ""; // a pipe gives its first bytes only once
    }
    String hex = HexFormat.of().formatHex(start(file, 4));
    for (String[] known : ARCHIVES) {
      if (hex.startsWith(known[0])) {
        return known[1];
      }
    }
    return "";
  }

  /** Refuses a file whose first bytes are those of a format with another extension than these. */
  public static void checkKind(Path file, List<String> extensions) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    String start = new String(start(file, 64), StandardCharsets.ISO_8859_1);
    for (String[] kind : KINDS) {
      if (start.matches("(?s)" + kind[0]) && !extensions.contains(kind[2])) {
        throw new InputException(
            file,
            "",
            "is %s by its first bytes, not %s: let its name end in %s, or add --format %s",
            kind[1],
            String.join(" or ", extensions),
            kind[2],
            kind[2].substring(1));
      }
    }
  }

  /** The error for a failure to open or read a file. */
  public static InputException unreadable(Path file, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return missing(file, failure);
    }
    if (failure instanceof AccessDeniedException) {
      return new InputException(file, "", "may not be read (permission denied)", failure);
    }
    return new InputException(file, "", "cannot be read: " + failure.getMessage(), failure);
  }

  /** The error for a missing file; it names a file of the same folder with a similar name. */
  public static InputException missing(Path file, Throwable cause) {
    if (Files.isSymbolicLink(file)) {
      return new InputException(file, "", "is a symbolic link to a file that is not there", cause);
    }
    String[] beside = file.toAbsolutePath().getParent().toFile().list();
    String hint = "";
    if (beside != null && beside.length <= MOST_BESIDE) {
      Arrays.sort(beside);
      hint = Suggestion.hint(String.valueOf(file.getFileName()), List.of(beside));
    }
    return new InputException(file, "", "no such file" + hint, cause);
  }
}

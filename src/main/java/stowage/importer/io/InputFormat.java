package stowage.importer.io;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import stowage.importer.InputFormats;

/** A file format that can be read; all of them are in {@link InputFormats#formats()}. */
public interface InputFormat {

  /** What a user calls it, such as {@code buffers as CSV}. */
  String label();

  /** The extensions of its files, in lower case with the dot. */
  List<String> extensions();

  /**
   * Whether the file's content is of this format; asked only when several formats share an
   * extension.
   *
   * @throws InputException when the file cannot be read at all
   */
  default boolean recognises(Path file) {
    return true;
  }

  /** Whether {@link Options#scratch} may complete files of this format. */
  default boolean takesScratch() {
    return false;
  }

  /** Whether files of this format may have several parts, of which {@code --module} takes one. */
  default boolean hasModules() {
    return false;
  }

  /** Whether files of this format may leave dimensions free, which {@code --dim} binds. */
  default boolean bindsDimensions() {
    return false;
  }

  /**
   * Reads a file.
   *
   * @throws InputException with one line that says what is wrong, and where
   */
  Input read(Path file, Options options);

  /**
   * How files are read.
   *
   * @param ignoreOffsets whether fixed offsets of buffers are dropped
   * @param dimensions values for free dimensions of networks, by name
   * @param scratch a file that says the scratch memory of a network's ops where the network's own
   *     format has no place for it, or null
   * @param extension in place of the file's own, in lower case with the dot; empty for its own
   * @param module the part to read of a file that has several; empty for the one with the most in
   *     it
   */
  record Options(
      boolean ignoreOffsets,
      Map<String, Long> dimensions,
      Path scratch,
      String extension,
      String module) {
    /** Everything as it is in the file. */
    public static final Options DEFAULT = new Options(false, Map.of());

    /** The same with another file of scratch memory. */
    public Options withScratch(Path other) {
      return new Options(ignoreOffsets, dimensions, other, extension, module);
    }

    /** Options without a file of scratch memory, for a file whose extension says its format. */
    public Options(boolean ignoreOffsets, Map<String, Long> dimensions) {
      this(ignoreOffsets, dimensions, null, "", "");
    }

    /** Options that name the part of a dump to read. */
    public static Options ofModule(String module) {
      return new Options(false, Map.of(), null, "", module);
    }

    /** Copies the map. */
    public Options {
      dimensions = Map.copyOf(dimensions);
    }
  }
}

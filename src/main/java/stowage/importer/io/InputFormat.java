package stowage.importer.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.InputFormats;
import stowage.network.Network;

/** A file format that can be read; all of them are in {@link InputFormats#formats()}. */
public abstract class InputFormat {
  private final String label;
  private final Set<Feature> features;
  private final List<String> extensions;

  /** What some formats have. */
  public enum Feature {
    /** {@link Options#scratch} may complete files. */
    SCRATCH,
    /** Files may have several parts, of which {@code --module} takes one. */
    MODULES,
    /** Files may leave dimensions free, which {@code --dim} binds. */
    DIMENSIONS,
    /** A copy of a file may hold a plan. */
    PLANS
  }

  /**
   * A format as a user calls it, such as {@code buffers as CSV}, with the extensions of its files,
   * in lower case with the dot.
   */
  protected InputFormat(String label, Set<Feature> features, String... extensions) {
    this.label = label;
    this.features = features;
    this.extensions = List.of(extensions);
  }

  /** What a user calls it. */
  public final String label() {
    return label;
  }

  /** The extensions of its files, in lower case with the dot. */
  public final List<String> extensions() {
    return extensions;
  }

  public final boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Whether the file's content is of this format; asked only when several share an extension. */
  public boolean recognises(Path file) {
    return true;
  }

  /**
   * Reads a file.
   *
   * @throws InputException with one line that says what is wrong, and where
   * @throws stowage.network.InvalidNetworkException where the network contradicts itself; {@link
   *     InputFormats} names the file
   */
  public abstract Input read(Path file, Options options);

  /**
   * Writes a copy of a model with a plan in it.
   *
   * @return tensors of the plan that the file has no place for
   * @throws InputException when the model or the plan cannot be used, or the format takes no plan
   */
  public List<String> writePlan(Path model, Planned plan, Path target) throws IOException {
    throw takesNoPlan(model);
  }

  /**
   * What a copy of a model lacks where it is written to, in a sentence; empty for nothing.
   *
   * @throws InputException when the model cannot be read
   */
  public String lacking(Path model, Path target) {
    return "";
  }

  /** The error for a model whose format has not {@link Feature#PLANS}. */
  public static InputException takesNoPlan(Path model) {
    return new InputException(
        model,
        "",
        "its format has no place for a plan; .onnx, .tflite, .mlir, .pte and dsa-solver's .json"
            + " have, and stowage export --format c writes a C header for any");
  }

  /**
   * Writes a copy of a model with its ops in another order, by the wanted place of the op that
   * makes a tensor, unless the format fixes it; gives what makes the run-time keep it, in words.
   */
  public String writeOrder(Path model, Map<String, Integer> places, Path target)
      throws IOException {
    throw new InputException(
        model,
        "",
        "its format does not fix the order of ops; .onnx, .tflite and .mlir files can be written,"
            + " and any network as .json");
  }

  /**
   * A plan to write into a model.
   *
   * @param network what was planned; formats other than ONNX need none
   * @param module the method that is planned of an ExecuTorch program; empty for all
   * @param offsets bytes from the start of the memory, by tensor; by buffer for ExecuTorch
   * @param memories the number of its memory by buffer, from 1 on, where an ExecuTorch program is
   *     to have others than before; else empty
   * @param bytes what is used in all
   */
  public record Planned(
      Network network,
      String module,
      Map<String, Long> offsets,
      Map<String, Integer> memories,
      long bytes) {}

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
  public record Options(
      boolean ignoreOffsets,
      Map<String, Long> dimensions,
      Path scratch,
      String extension,
      String module) {
    /** Everything as it is in the file. */
    public static final Options DEFAULT = new Options(false, Map.of());

    /** The same with other values for free dimensions. */
    public Options withDimensions(Map<String, Long> other) {
      return new Options(ignoreOffsets, other, scratch, extension, module);
    }

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

    public Options {
      dimensions = Map.copyOf(dimensions);
    }
  }
}

package stowage.importer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import stowage.importer.dsa.DsaFormat;
import stowage.importer.executorch.PteFormat;
import stowage.importer.inductor.InductorFormat;
import stowage.importer.inductor.OutputCodeFormat;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;
import stowage.importer.io.InputFormat.Feature;
import stowage.importer.io.JsonCursor;
import stowage.importer.io.Suggestion;
import stowage.importer.onnx.OnnxFormat;
import stowage.importer.openvino.OpenVinoFormat;
import stowage.importer.own.NetworkJson;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;
import stowage.importer.pytorch.SnapshotFormat;
import stowage.importer.tflite.TfliteFormat;
import stowage.importer.tpumlir.TpuMlirFormat;
import stowage.importer.xla.XlaFormat;

/**
 * Reader of any input file: the format is given by the extension, and by the content where several
 * formats share one. A new format is one more entry of {@link #FORMATS}.
 */
public final class InputFormats {
  private static final Path STDIN = Path.of("-");

  /** Fields of which the first says what a JSON file is: buffers, or a network. */
  private static final List<String> JSON_MARKS =
      Stream.concat(Stream.of(PackingJson.MARK), NetworkJson.MARKS.stream()).toList();

  /** The same, with a field that answers have before any of these. */
  private static final List<String> JSON_KINDS =
      Stream.concat(JSON_MARKS.stream(), Stream.of("lowerBound")).toList();

  /** What another JSON file is, by a field that it has, and where it belongs. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "placements", "a plan; give the problem first and the plan after it",
          "ungroupedBytes", "an answer of stowage group; give the network",
          "Nodes", "a kernel graph: stowage kernel FILE",
          "instances", "a suite of experiments: stowage experiment run FILE --out DIR",
          "laneBytes", "a chip: stowage group NETWORK --chip FILE",
          "mustBeFast", "a memory map: stowage memories NETWORK FILE",
          "rules", "a memory map: stowage memories NETWORK FILE");

  private static final List<InputFormat> FORMATS =
      List.of(
          format(
              "buffers as CSV",
              ".csv",
              file -> true,
              (file, options) -> PackingCsv.readInput(file, options.ignoreOffsets())),
          new InductorFormat(),
          new PteFormat(),
          new OutputCodeFormat(),
          new SnapshotFormat(),
          format(
              "buffers as JSON",
              ".json",
              file -> first(file, JSON_KINDS::contains).equals(PackingJson.MARK),
              (file, options) ->
                  new Input.Packing(PackingJson.read(file, options.ignoreOffsets()))),
          format(
              "a network as JSON",
              ".json",
              file -> NetworkJson.MARKS.contains(first(file, JSON_KINDS::contains)),
              (file, options) -> new Input.Graph(NetworkJson.read(file))),
          new DsaFormat(),
          new OnnxFormat(),
          new TfliteFormat(),
          new OpenVinoFormat(),
          new TpuMlirFormat(),
          new XlaFormat(false),
          new XlaFormat(true));

  private InputFormats() {}

  private static InputFormat format(
      String label,
      String extension,
      Predicate<Path> recogniser,
      BiFunction<Path, InputFormat.Options, Input> reader) {
    return new InputFormat(label, Set.of(), extension) {
      @Override
      public boolean recognises(Path file) {
        return recogniser.test(file);
      }

      @Override
      public Input read(Path file, Options options) {
        return reader.apply(file, options);
      }
    };
  }

  /** Reads a file with everything as it is there. */
  public static Input read(Path file) {
    return read(file, InputFormat.Options.DEFAULT);
  }

  /** The extensions of all formats, in lower case with the dot, sorted. */
  public static List<String> extensions() {
    return FORMATS.stream()
        .flatMap(format -> format.extensions().stream())
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Reads a file, or a pipe; {@code -} is standard input. A fault says what is wrong with it, also
   * that its format leaves none of the given dimensions free.
   */
  public static Input read(Path file, InputFormat.Options options) {
    return withFile(file, options.extension(), readable -> readFile(readable, options));
  }

  /**
   * Reads a file, or what a pipe holds, by a reader that may open it several times.
   *
   * @param file the file, a pipe, or {@code -} for standard input
   * @param extension of the format, with the dot; empty where the file's name says
   * @param reader is given a file that exists while it runs
   * @throws InputException when a pipe cannot be read or its format is not known, or by the reader
   */
  public static <T> T withFile(Path file, String extension, Function<Path, T> reader) {
    boolean stdin = file.equals(STDIN);
    boolean pipe = Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    if (!stdin && !pipe) {
      return reader.apply(file);
    }
    if (extension.isEmpty() && candidates(nameOf(file)).isEmpty()) {
      throw unknownExtension(file, nameOf(file));
    }
    Path copy = null;
    try {
      copy = copyOfPipe(file, stdin, extension);
      return reader.apply(copy);
    } catch (InputException failure) {
      throw copy == null ? failure : failure.about(copy, file);
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    } finally {
      remove(copy);
    }
  }

  /** Reads a pipe to its end first, so that the copy exists for no longer than reading takes. */
  private static Path copyOfPipe(Path given, boolean stdin, String extension) throws IOException {
    byte[] bytes;
    try (InputStream in = stdin ? System.in : InputFiles.open(given)) {
      bytes = in.readNBytes(Integer.MAX_VALUE - 8);
      if (in.read() >= 0) {
        throw new InputException(given, "", "has more than 2 GiB, which no pipe may have");
      }
    }
    String name = stdin ? "stdin" : String.valueOf(given.getFileName());
    Path folder = Files.createTempDirectory("stowage-input-");
    return Files.write(folder.resolve(name.endsWith(extension) ? name : name + extension), bytes);
  }

  private static void remove(Path copy) {
    try {
      if (copy != null) {
        Files.deleteIfExists(copy);
        Files.deleteIfExists(copy.getParent());
      }
    } catch (IOException left) {
      // The system clears its folder of temporary files; the answer is right all the same.
    }
  }

  private static Input readFile(Path file, InputFormat.Options options) {
    InputFormat format = formatOf(file, options.extension());
    options
        .dimensions()
        .forEach(
            (name, value) -> {
              String option = "--dim " + name + "=" + value;
              if (value < 0) {
                throw new InputException(file, option, "the value should be 0 or more");
              }
              refuse(file, format, Feature.DIMENSIONS, option, "has no free dimension");
            });
    if (options.scratch() != null) {
      String option = "--scratch " + options.scratch();
      refuse(file, format, Feature.SCRATCH, option, "needs no log of scratch memory");
    }
    if (!options.module().isEmpty()) {
      refuse(file, format, Feature.MODULES, "--module " + options.module(), "has no modules");
    }
    return InputException.checked(file, "", () -> format.read(file, options));
  }

  private static void refuse(
      Path file, InputFormat format, Feature needed, String option, String why) {
    if (!format.has(needed)) {
      throw new InputException(file, option, "is %s, which %s", format.label(), why);
    }
  }

  /** The format of a file; it is a fault that none is known. */
  public static InputFormat formatOf(Path file) {
    return formatOf(file, "");
  }

  /**
   * Checks, before a plan is made, that the model's format can hold it and that the copy's name
   * ends like one of that format, or like none that is known; else it fails with an {@link
   * InputException}.
   */
  public static void checkCopy(Path model, Path copy) {
    InputFormat format = formatOf(model);
    if (!format.has(Feature.PLANS)) {
      throw InputFormat.takesNoPlan(model);
    }
    String name = nameOf(copy);
    boolean other = name.endsWith(".h") || extensions().stream().anyMatch(name::endsWith);
    if (other && format.extensions().stream().noneMatch(name::endsWith)) {
      throw new InputException(
          copy, "", "should end in %s like the model", String.join(" or ", format.extensions()));
    }
  }

  /** The format of a file in which a tool says what it did with memory; null for any other file. */
  public static DumpFormat dumpFormatOf(Path file) {
    boolean known =
        candidates(nameOf(file)).stream()
            .filter(format -> format instanceof DumpFormat)
            .anyMatch(format -> !Files.isRegularFile(file) || format.recognises(file));
    return known && formatOf(file) instanceof DumpFormat dumps ? dumps : null;
  }

  private static InputFormat formatOf(Path file, String extension) {
    if (!Files.exists(file)) {
      throw InputFiles.missing(file, null);
    }
    if (Files.isDirectory(file)) {
      throw new InputException(file, "", "is a folder; it should be a file");
    }
    String archive = InputFiles.archive(file);
    if (!archive.isEmpty()) {
      throw new InputException(file, "", "is packed with " + archive + "; unpack it first");
    }
    String name = extension.isEmpty() ? nameOf(file) : extension;
    List<InputFormat> candidates = candidates(name);
    if (candidates.isEmpty()) {
      throw unknownExtension(file, name);
    }
    InputFiles.checkKind(file, candidates.stream().flatMap(f -> f.extensions().stream()).toList());
    // The content decides between formats of one extension; a lone one says itself what is wrong.
    for (InputFormat format : candidates) {
      if (candidates.size() == 1 || format.recognises(file)) {
        return format;
      }
    }
    String other = name.endsWith(".json") ? first(file, OTHERS::containsKey) : "";
    if (!other.isEmpty()) {
      throw new InputException(file, "", "is " + OTHERS.get(other));
    }
    String labels = String.join(", ", candidates.stream().map(InputFormat::label).toList());
    String advice = name.endsWith(".json") ? jsonAdvice(file) : "";
    throw new InputException(file, "", "matches none of these formats: " + labels + advice);
  }

  private static String nameOf(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
  }

  private static List<InputFormat> candidates(String name) {
    return FORMATS.stream()
        .filter(format -> format.extensions().stream().anyMatch(name::endsWith))
        .toList();
  }

  /** Which field identifies what a JSON file is, and which one may be meant to be it. */
  private static String jsonAdvice(Path file) {
    String advice = "; a field \"" + String.join("\" or \"", JSON_MARKS) + "\" would say";
    String given = first(file, name -> Suggestion.nearest(name, JSON_MARKS) != null);
    return given.isEmpty()
        ? advice
        : "%s; is \"%s\" meant to be \"%s\"?"
            .formatted(advice, given, Suggestion.nearest(given, JSON_MARKS));
  }

  private static InputException unknownExtension(Path file, String name) {
    int dot = name.lastIndexOf('.');
    String fault =
        dot > 0 ? "extension \"" + name.substring(dot) + "\" is not known" : "has no extension";
    String what = "%s; known are %s; where the name does not say, --format does";
    return new InputException(file, "", what, fault, String.join(", ", extensions()));
  }

  /** The first wanted field of a JSON file's outermost object; empty where it has none. */
  private static String first(Path file, Predicate<String> wanted) {
    String[] found = {""};
    try (JsonCursor json = new JsonCursor(file)) {
      json.object(
          null,
          name -> {
            found[0] = wanted.test(name) ? name : "";
            if (found[0].isEmpty()) {
              json.skip();
            }
            return found[0].isEmpty();
          });
    }
    return found[0];
  }
}

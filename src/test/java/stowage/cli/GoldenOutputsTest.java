package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.importer.executorch.PteBuilder;
import stowage.importer.onnx.OnnxSamples;
import stowage.importer.openvino.OpenVinoSamples;
import stowage.importer.pytorch.SnapshotSamples;
import stowage.importer.tflite.TfliteSamples;
import stowage.importer.tpumlir.TpuMlirSamples;
import stowage.importer.xla.XlaSamples;

/**
 * Every byte that the commands print and write, as SHA-256, against an earlier version's: {@code
 * data.txt} has those of JSON, CSV, models and exit codes, {@code pages.txt} those of text and
 * pictures. Times, versions and folders are left out. Every answer in JSON is as its schema says.
 * What was found is kept in {@code target/golden}; {@code .ci/golden} renews the files, see
 * CONTRIBUTING.md.
 */
class GoldenOutputsTest extends FolderTest {
  private static final Path PROJECT = Path.of(System.getProperty("user.dir"));
  private static final Path GOLDEN = PROJECT.resolve("src/test/resources/stowage/cli/golden");
  private static final Path FOUND = PROJECT.resolve("target/golden");

  /** What may differ between two runs of one version, and what replaces it. */
  private static final Map<Pattern, String> BLANKED = new LinkedHashMap<>();

  static {
    blank("(\"\\w*([sS]econds|RssBytes)\"\\s*:\\s*)-?[0-9.eE+-]+", "$1*");
    blank("(\"versions\"\\s*:\\s*)\\{[^}]*\\}", "$1*");
    blank("[ (]*\\b\\d+([.,]\\d+)* (s|ms|seconds)\\b", " *");
    blank("(?m)^(seconds) +[0-9.]+$", "$1 *");
    blank("\\d+ cores, Java \\d+", "* cores, Java *");
    blank("(<th>(java|ortools|choco|stowage)</th><td>)[^<]*", "$1*");
    blank("(?m)^( *(java|ortools|choco|stowage) +).*$", "$1*");
  }

  /** Commands that write times: of these only the answer and the exit code count. */
  private static final String TIMED =
      "experiment (run|chunk|collect|status|plan) [@%]/(suite|ran|planned).*--json";

  /** DuckDB's files, and the picture that has times in it. */
  private static final String UNSTABLE = ".*(\\.(duckdb|parquet)|compare\\.svg)";

  /** Lines whose answers have schemas that no golden one has, or parts of one. */
  private static final List<String> MORE =
      List.of(
          "fit ~/models/networks/tiny.json --capacity 1MiB --json --det-limit 1",
          "kernel ~/models/kernels/matmul-4x4x4.json --json --det-limit 0.3",
          "explain @/small.csv --capacity 1MiB --json",
          "plan @/other.csv --ignore-offsets --warm-start @/plan.csv --stable --json",
          "check @/small.csv --max-peak 1MiB --json",
          "generate-kernel matmul --size 2,2,2,8,2,2 --out %/kernel.json --json",
          "diff @/plan.csv @/plan.csv --json",
          "plan @/small.csv --slack 1% --json",
          "plan @/small.csv --nonsense --json",
          "verify @/small.csv @/absent.json --json",
          "nonsense --json");

  private final AnswerSchemas schemas = new AnswerSchemas();
  private Path written;
  private Path samples;

  private static void blank(String pattern, String by) {
    BLANKED.put(Pattern.compile(pattern), by);
  }

  @Test
  void everyByteIsAsItWas() throws IOException {
    written = Files.createDirectory(folder.resolve("written"));
    samples = Files.createDirectory(folder.resolve("samples"));
    writeSamples();
    Map<String, String> data = new TreeMap<>();
    Map<String, String> pages = new TreeMap<>();
    Map<Path, String> before = new HashMap<>();
    changed(before);
    clear();
    for (String row : rows()) {
      String name = row.substring(0, row.indexOf(' '));
      String line = row.substring(name.length()).strip();
      Stowage run = run(line);
      Map<String, byte[]> outputs = new LinkedHashMap<>();
      outputs.put("out", run.out().getBytes(StandardCharsets.UTF_8));
      Map<String, byte[]> others = changed(before);
      if (!line.matches(TIMED)) {
        outputs.put("err", run.err().getBytes(StandardCharsets.UTF_8));
        outputs.putAll(others);
      }
      data.put(name + " exit", String.valueOf(run.code()));
      for (Map.Entry<String, byte[]> output : outputs.entrySet()) {
        byte[] bytes = blanked(output.getKey(), output.getValue());
        if (bytes.length > 0) {
          boolean isPage = isPage(output.getKey(), bytes);
          (isPage ? pages : data).put(name + " " + output.getKey(), hash(bytes));
          Path kept = FOUND.resolve(name).resolve(output.getKey());
          Files.createDirectories(kept.getParent());
          Files.write(kept, bytes);
        }
      }
    }
    String renewed = System.getProperty("stowage.golden", "");
    List<String> changes = new ArrayList<>();
    MORE.forEach(this::run);
    changes.addAll(schemas.faults(written));
    compare("data.txt", data, renewed.equals("all"), changes);
    compare("pages.txt", pages, !renewed.isEmpty(), changes);
    assertTrue(
        changes.isEmpty(),
        () ->
            String.join("\n", changes)
                + "\nSee target/golden; .ci/golden renews text and pictures,"
                + " .ci/golden --data the rest too.");
  }

  /** Runs a line; an answer in JSON is held against its schema. */
  private Stowage run(String line) {
    List<String> words = List.of(line.split("\\s+"));
    Stowage run = Stowage.run(words.stream().map(this::full).toArray());
    if (words.contains("--json")) {
      schemas.look(words, run);
    }
    return run;
  }

  /** The command lines of both files. */
  private static List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String file : List.of("cases.txt", "outputs.txt")) {
      for (String row : Files.readAllLines(GOLDEN.resolve(file))) {
        if (!row.isBlank() && !row.startsWith("#")) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private String full(String word) {
    return word.replace("@/", GOLDEN.resolve("input") + "/")
        .replace("%/", written + "/")
        .replace("^/", samples + "/")
        .replace("~/", PROJECT + "/");
  }

  /** The files that are new or have changed since the last look. */
  private Map<String, byte[]> changed(Map<Path, String> before) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (Path file : files(written, "")) {
      byte[] bytes = Files.readAllBytes(file);
      String hash = hash(bytes);
      if (!hash.equals(before.put(file, hash)) && !file.toString().matches(UNSTABLE)) {
        files.put(written.relativize(file).toString(), bytes);
      }
    }
    return files;
  }

  private byte[] blanked(String name, byte[] bytes) {
    if (name.matches(".*\\.(onnx|tflite|pte)")) {
      return bytes;
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    text = text.replace(GOLDEN.resolve("input").toString(), "@");
    text = text.replace(written.toString(), "%").replace(samples.toString(), "^");
    text = text.replace(PROJECT.toString(), "~");
    if (name.equals("out") && text.matches("(?s)[^{\\[].*[@%^~]/.*")) {
      // Columns are as wide as the folders' names, and lines are wrapped after them.
      text = text.replaceAll("(?<=\\S) {2,}", "  ").replaceAll("\n {12,}(?=\\S)", " ");
    }
    if (name.endsWith(".csv")) {
      text = withoutSeconds(text);
    }
    for (Map.Entry<Pattern, String> each : BLANKED.entrySet()) {
      text = each.getKey().matcher(text).replaceAll(each.getValue());
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A table without the columns of times. */
  private static String withoutSeconds(String csv) {
    String[] lines = csv.split("\n", -1);
    List<String> header = List.of(lines[0].split(","));
    for (int k = 1; k < lines.length; k++) {
      String[] cells = lines[k].split(",", -1);
      for (int c = 0; c < Math.min(cells.length, header.size()); c++) {
        cells[c] = header.get(c).matches(".*[sS]econds") ? "*" : cells[c];
      }
      lines[k] = String.join(",", cells);
    }
    return String.join("\n", lines);
  }

  private static boolean isPage(String name, byte[] bytes) {
    return name.equals("out")
        ? bytes[0] != '{' && bytes[0] != '['
        : name.equals("err") || name.matches(".*\\.(svg|html|txt|md|tex)");
  }

  private static void compare(
      String file, Map<String, String> found, boolean renew, List<String> changes)
      throws IOException {
    Path kept = GOLDEN.resolve(file);
    if (renew) {
      List<String> lines = new ArrayList<>();
      found.forEach((name, hash) -> lines.add(name + " " + hash));
      Files.write(kept, lines);
      return;
    }
    Map<String, String> expected = new TreeMap<>();
    for (String line : Files.readAllLines(kept)) {
      int end = line.lastIndexOf(' ');
      expected.put(line.substring(0, end), line.substring(end + 1));
    }
    for (String name : expected.keySet()) {
      if (!found.containsKey(name)) {
        changes.add(file + ": " + name + " is gone");
      }
    }
    found.forEach(
        (name, hash) -> {
          if (!expected.containsKey(name)) {
            changes.add(file + ": " + name + " is new");
          } else if (!expected.get(name).equals(hash)) {
            changes.add(file + ": " + name + " has changed");
          }
        });
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void clear() throws IOException {
    if (Files.exists(FOUND)) {
      try (Stream<Path> files = Files.walk(FOUND)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** One file of every binary or foreign format, as the importers' own tests make them. */
  private void writeSamples() throws IOException {
    write("onnx.onnx", OnnxSamples.all());
    write("tflite.tflite", TfliteSamples.all());
    write("openvino.xml", OpenVinoSamples.all());
    write("tpumlir.mlir", TpuMlirSamples.all());
    write("executorch.pte", PteBuilder.samples());
    write("snapshot.pickle", SnapshotSamples.samples());
    write("xla.xplane.pb", XlaSamples.protobufs());
    write("xla-buffer-assignment.txt", XlaSamples.texts());
    copy(GOLDEN.resolve("input/run"), written.resolve("run"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  private void write(String name, List<byte[]> contents) throws IOException {
    for (int k = 0; k < contents.size(); k++) {
      Files.write(samples.resolve(k + "-" + name), contents.get(k));
    }
  }
}

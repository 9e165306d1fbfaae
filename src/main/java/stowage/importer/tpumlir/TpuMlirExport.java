package stowage.importer.tpumlir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;

/**
 * Writes a plan into a TPU-MLIR file: the addresses in the types of all values that are planned,
 * and the size of the memory they take. Everything else stays letter by letter.
 */
public final class TpuMlirExport {
  private static final Pattern SIZE = Pattern.compile("module\\.neuron_size = (\\d+)");
  private static final Pattern ADDRESS = Pattern.compile(",\\s*(-?\\d+)\\s*:\\s*[su]?i64\\s*>$");

  private TpuMlirExport() {}

  /**
   * Writes a copy of a file with a plan in it.
   *
   * @param source a file that carries addresses
   * @param offsets bytes from the start of the activations' memory, by tensor; tensors that do not
   *     are there keep their addresses
   * @param bytes what the activations take in all
   * @param target the file to write
   * @throws InputException when the source cannot be read, carries no addresses, or knows no such
   *     tensor
   * @throws IOException when the file cannot be written
   */
  public static void write(Path source, Map<String, Long> offsets, long bytes, Path target)
      throws IOException {
    TpuMlirReader.Result read = TpuMlirReader.read(source);
    OptionalLong base = read.module().neuronAddress();
    if (base.isEmpty()) {
      throw new InputException(
          source,
          "",
          "carries no addresses (module.neuron_addr); only a file that does can take others");
    }
    Map<String, Long> addresses = new HashMap<>();
    Map<String, TpuValue> values = new HashMap<>();
    read.module().inputs().forEach(value -> values.put(value.name(), value));
    read.module().ops().forEach(op -> op.outputs().forEach(v -> values.put(v.name(), v)));
    offsets.forEach(
        (name, offset) -> {
          TpuValue value = values.get(name);
          if (value == null || !value.present()) {
            throw new InputException(
                source, "tensor \"" + name + "\"", "is in the plan, but not in the file");
          }
          addresses.put(value.id(), Math.addExact(base.getAsLong(), offset));
        });
    String written = rewritten(source, read, addresses, bytes);
    AtomicFiles.writeString(target, written);
  }

  private static String rewritten(
      Path source, TpuMlirReader.Result read, Map<String, Long> addresses, long bytes) {
    // From place in the text to what is there instead; sorted, so that one pass is enough.
    TreeMap<Integer, Replacement> replacements = new TreeMap<>();
    for (TpuMlirReader.TypeUse use : read.uses()) {
      Long address = addresses.get(use.value());
      if (address == null) {
        continue;
      }
      Replacement replacement =
          new Replacement(use.type().end(), withAddress(use.type().text(), address));
      Replacement other = replacements.put(use.type().start(), replacement);
      if (other != null && !other.equals(replacement)) {
        throw new InputException(
            source,
            "",
            "a function is called more than once; its tensors can have one address only");
      }
    }
    Matcher size = SIZE.matcher(read.text());
    while (size.find()) {
      replacements.put(size.start(1), new Replacement(size.end(1), Long.toString(bytes)));
    }
    StringBuilder written = new StringBuilder();
    int from = 0;
    for (Map.Entry<Integer, Replacement> entry : replacements.entrySet()) {
      written.append(read.text(), from, entry.getKey()).append(entry.getValue().text());
      from = entry.getValue().end();
    }
    return written.append(read.text(), from, read.text().length()).toString();
  }

  private record Replacement(int end, String text) {}

  private static String withAddress(String type, long address) {
    Matcher old = ADDRESS.matcher(type);
    return old.find()
        ? type.substring(0, old.start(1)) + address + type.substring(old.end(1))
        : type.substring(0, type.length() - 1) + ", " + address + " : i64>";
  }
}

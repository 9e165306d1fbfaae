package stowage.importer.own;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan over several memories as C tables: where each tensor is, during which steps, and what is
 * copied between memories. For run-times such as TensorFlow Lite Micro that take no such plan from
 * the model's file.
 */
public final class PlacesTables {
  private PlacesTables() {}

  /**
   * Where a tensor is: its memory's number, the address of its first byte with the memory's base,
   * its bytes, and the steps from {@code from} to before {@code to}.
   */
  public record Place(String tensor, int memory, long address, long bytes, int from, int to) {}

  /** A tensor that is copied from one memory to another, at a step. */
  public record Copy(String tensor, int from, int to, int step, long bytes) {}

  /**
   * The tables in C: an enum of memories, {@code NAME_PLACES} and {@code NAME_COPIES} with their
   * counts. A table without rows has one that its count leaves out, since C has no empty arrays.
   *
   * @param memories names by number
   */
  public static String c(
      String name, List<String> memories, List<Place> places, List<Copy> copies) {
    String prefix = CHeader.identifier(name);
    StringBuilder text = new StringBuilder();
    text.append("/* ").append(CHeader.comment(name)).append(": tensors in several memories. */\n");
    text.append("#ifndef ").append(prefix).append("_PLACES_H\n");
    text.append("#define ").append(prefix).append("_PLACES_H\n\n#include <stdint.h>\n\nenum {\n");
    Map<String, Integer> known = new LinkedHashMap<>();
    for (int m = 0; m < memories.size(); m++) {
      String memory = prefix + "_IN_" + CHeader.identifier(memories.get(m));
      known.put(known.containsKey(memory) ? memory + "_" + m : memory, m);
    }
    known.forEach(
        (memory, m) -> text.append("  ").append(memory).append(" = ").append(m).append(",\n"));
    text.append("};\n\n");
    List<String> labels = List.copyOf(known.keySet());
    text.append(
        "/* Steps count ops; a tensor is there from its first step to before its end. */\n");
    table(
        text,
        prefix + "_PLACES",
        "const char *tensor; int memory; uint64_t address, bytes; int32_t first_step, end_step;",
        places.stream()
            .map(
                p ->
                    "%s, %s, %su, %su, %s, %s"
                        .formatted(
                            literal(p.tensor()),
                            labels.get(p.memory()),
                            p.address(),
                            p.bytes(),
                            p.from(),
                            p.to()))
            .toList());
    table(
        text,
        prefix + "_COPIES",
        "const char *tensor; int from, to; int32_t step; uint64_t bytes;",
        copies.stream()
            .map(
                c ->
                    "%s, %s, %s, %s, %su"
                        .formatted(
                            literal(c.tensor()),
                            labels.get(c.from()),
                            labels.get(c.to()),
                            c.step(),
                            c.bytes()))
            .toList());
    return text.append("#endif\n").toString();
  }

  private static void table(StringBuilder text, String label, String fields, List<String> rows) {
    CHeader.define(text, label + "_COUNT", rows.size());
    text.append("static const struct {\n  ").append(fields).append("\n} ").append(label);
    text.append("[] = {\n");
    rows.forEach(row -> text.append("  {").append(row).append("},\n"));
    text.append(rows.isEmpty() ? "  {0}\n" : "").append("};\n\n");
  }

  /** A C string; bytes beyond ASCII as octal escapes of their UTF-8. */
  private static String literal(String text) {
    StringBuilder literal = new StringBuilder("\"");
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b >= ' ' && b < 127 && b != '"' && b != '\\' && b != '?';
      literal.append(plain ? String.valueOf((char) b) : String.format("\\%03o", b & 0xff));
    }
    return literal.append('"').toString();
  }
}

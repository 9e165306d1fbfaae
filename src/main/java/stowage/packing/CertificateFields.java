package stowage.packing;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Fields of a certificate in JSON answers: its kind, whether it was checked, what it says with the
 * user's own ids, and the reason in plain words.
 */
public final class CertificateFields {
  private CertificateFields() {}

  /** {@return the fields in order: strings, numbers, booleans, null, and lists and maps of them} */
  public static Map<String, Object> of(
      PackingProblem problem, Certificate certificate, boolean checked, String reason) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", certificate.kind());
    fields.put("checked", checked);
    fields.put("reason", reason);
    if (certificate.memory() >= 0) {
      fields.put("memory", problem.memories().get(certificate.memory()).name());
    }
    fields.putAll(certificate.fields(problem));
    if (certificate.memory() >= 0) {
      fields.put(
          "buffers",
          Arrays.stream(certificate.buffers()).mapToObj(i -> problem.buffer(i).id()).toList());
    }
    return fields;
  }

  /** Two fields, in this order. */
  static Map<String, Object> both(String field, Object value, String second, Object other) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(field, value);
    fields.put(second, other);
    return fields;
  }

  /** One field, and the names of the other memories that buffers may be in, if there are any. */
  static Map<String, Object> withAlternatives(
      PackingProblem problem, long alternatives, String field, long value) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(field, value);
    List<String> names =
        IntStream.range(0, problem.memories().size())
            .filter(m -> (alternatives >> m & 1) != 0)
            .mapToObj(m -> problem.memories().get(m).name())
            .toList();
    if (alternatives != 0) {
      fields.put("alternatives", names);
    }
    return fields;
  }
}

package stowage.packing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fields of a certificate in JSON answers: its kind, whether it was checked, what it says with the
 * user's own ids, and the reason in plain words.
 */
public final class CertificateFields {
  private CertificateFields() {}

  /**
   * The fields in their order; values are strings, numbers, booleans, null, and lists and maps of
   * them.
   *
   * @param checked whether {@link BoundVerifier} accepts it
   * @param reason why the bound holds, in words
   */
  public static Map<String, Object> of(
      PackingProblem problem, Certificate certificate, boolean checked, String reason) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", certificate.kind());
    fields.put("checked", checked);
    fields.put("reason", reason);
    if (certificate.memory() >= 0) {
      fields.put("memory", problem.memories().get(certificate.memory()).name());
    }
    putOwn(fields, problem, certificate);
    if (certificate.memory() >= 0) {
      List<String> buffers = new ArrayList<>();
      for (int buffer : certificate.buffers()) {
        buffers.add(problem.buffer(buffer).id());
      }
      fields.put("buffers", buffers);
    }
    return fields;
  }

  private static void putOwn(
      Map<String, Object> fields, PackingProblem problem, Certificate certificate) {
    if (certificate instanceof Certificate.MaxLoad load) {
      fields.put("step", load.step());
      putAlternatives(fields, problem, load.alternatives());
    } else if (certificate instanceof Certificate.Alignment alignment) {
      fields.put("alignment", alignment.alignment());
      putAlternatives(fields, problem, alignment.alternatives());
    } else if (certificate instanceof Certificate.Banks banks) {
      fields.put("bankSize", problem.memories().get(banks.memory()).bankSize());
    } else if (certificate instanceof Certificate.BankFilling filling) {
      fields.put("bankSize", problem.memories().get(filling.memory()).bankSize());
      fields.put("threshold", filling.threshold());
    } else if (certificate instanceof Certificate.SubsetSum holes) {
      fields.put("step", holes.step());
    } else if (certificate instanceof Certificate.Energy energy) {
      fields.put("step", energy.step());
    } else if (certificate instanceof Certificate.Window window) {
      fields.put("start", window.steps().start());
      fields.put("end", window.steps().end());
    } else if (certificate instanceof Certificate.EngineWord word) {
      fields.put("engine", word.engine());
      fields.put("agreed", word.agreed());
      fields.put("statistics", word.statistics());
    }
  }

  private static void putAlternatives(
      Map<String, Object> fields, PackingProblem problem, long mask) {
    List<String> names = new ArrayList<>();
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((mask >> m & 1) != 0) {
        names.add(problem.memories().get(m).name());
      }
    }
    if (mask != 0) {
      fields.put("alternatives", names);
    }
  }
}

package stowage.report.format;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import stowage.packing.Certificate;
import stowage.packing.PackingProblem;

/**
 * A certificate as JSON: its kind, whether it was checked, what it says with the user's own ids,
 * and the reason in plain words.
 */
public final class CertificateJson {
  private CertificateJson() {}

  /** Writes a certificate as an object. */
  public static void write(
      JsonGenerator json,
      PackingProblem problem,
      Certificate certificate,
      boolean checked,
      String reason)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", certificate.kind());
    json.writeBooleanField("checked", checked);
    json.writeStringField("reason", reason);
    int memory = certificate.memory();
    if (memory >= 0) {
      json.writeStringField("memory", problem.memories().get(memory).name());
    }
    if (certificate instanceof Certificate.MaxLoad load) {
      json.writeNumberField("step", load.step());
      if (load.alternatives() != 0) {
        writeAlternatives(json, problem, load.alternatives());
      }
    } else if (certificate instanceof Certificate.Alignment alignment) {
      json.writeNumberField("alignment", alignment.alignment());
      if (alignment.alternatives() != 0) {
        writeAlternatives(json, problem, alignment.alternatives());
      }
    } else if (certificate instanceof Certificate.Banks banks) {
      json.writeNumberField("bankSize", problem.memories().get(banks.memory()).bankSize());
    } else if (certificate instanceof Certificate.BankFilling filling) {
      json.writeNumberField("bankSize", problem.memories().get(filling.memory()).bankSize());
      json.writeNumberField("threshold", filling.threshold());
    } else if (certificate instanceof Certificate.SubsetSum holes) {
      json.writeNumberField("step", holes.step());
    } else if (certificate instanceof Certificate.Energy energy) {
      json.writeNumberField("step", energy.step());
    } else if (certificate instanceof Certificate.Window window) {
      json.writeNumberField("start", window.steps().start());
      json.writeNumberField("end", window.steps().end());
    } else if (certificate instanceof Certificate.EngineWord word) {
      writeWord(json, word);
    }
    if (memory >= 0) {
      json.writeArrayFieldStart("buffers");
      for (int buffer : certificate.buffers()) {
        json.writeString(problem.buffer(buffer).id());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void writeAlternatives(
      JsonGenerator json, PackingProblem problem, long alternatives) throws IOException {
    json.writeArrayFieldStart("alternatives");
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((alternatives >> m & 1) != 0) {
        json.writeString(problem.memories().get(m).name());
      }
    }
    json.writeEndArray();
  }

  private static void writeWord(JsonGenerator json, Certificate.EngineWord word)
      throws IOException {
    json.writeStringField("engine", word.engine());
    json.writeStringField("agreed", word.agreed());
    json.writeObjectFieldStart("statistics");
    for (var figure : word.statistics().entrySet()) {
      json.writeNumberField(figure.getKey(), figure.getValue());
    }
    json.writeEndObject();
  }
}

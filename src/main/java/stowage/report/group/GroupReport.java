package stowage.report.group;

import stowage.importer.io.Input;
import stowage.liveness.BaselineCheck;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.network.Chip;
import stowage.onchip.Grouping;
import stowage.onchip.layer.Precision;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;

/**
 * What {@code stowage group} describes a run.
 *
 * @param baseline as the file's compiler grouped and placed it; null when the file does not say
 * @param lmem how addresses were found: {@code document}, {@code today}, {@code exact}
 * @param gmem of the tensors between groups
 * @param baselineGmem as the file has it; null when the file does not say
 */
public record GroupReport(
    Grouping grouping,
    Grouping baseline,
    String lmem,
    Gmem gmem,
    Gmem baselineGmem,
    double seconds) {

  /** Whether activations are 32-bit floats, and no compiler has chosen that for the chip. */
  public boolean isInFloats() {
    return baseline == null && "f32".equals(Precision.of(grouping.graph().network()));
  }

  /**
   * A plan of GMEM: its peak in bytes (-1: none), the bytes that no plan is below, and what is
   * known of it; of the plan in a file {@code VALID} or what is wrong with it.
   */
  public record Gmem(long peak, long lowerBound, String status) {
    /** The plan that a compiled file carries, and the max load of its tensors; null for none. */
    public static Gmem ofFile(Input.Graph file, Chip chip) {
      if (file.baseline().isEmpty()) {
        return null;
      }
      BaselineCheck check = BaselineCheck.of(file.network(), file.baseline().get());
      LivenessOptions options =
          LivenessOptions.defaults()
              .withAlignments(chip.activationAlignment(), chip.weightAlignment())
              .withInputs(check.inputs());
      PackingProblem problem = Liveness.of(file.network(), options).problem();
      return new Gmem(check.peak(), LoadProfile.of(problem).maxLoad(), check.status());
    }
  }
}

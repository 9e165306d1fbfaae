package stowage.cli.plan;

import java.util.List;
import stowage.cli.input.LoadedProblem;
import stowage.compiler.tflite.TfliteMicro;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;

/** What there is to say of a plan for TFLite Micro besides the plan. */
final class TfliteMicroText {
  private TfliteMicroText() {}

  /** Sentences for the answer; none where TFLite Micro does not run the network. */
  static List<String> remarks(LoadedProblem planned, Incumbent incumbent) {
    if (!planned.isForTfliteMicro()) {
      return List.of();
    }
    long own =
        TfliteMicro.of(planned.planningCase().network(), planned.placedByRuntime()).ownHead();
    String head =
        "TFLite Micro's own planner takes "
            + ByteText.plain(own)
            + " bytes"
            + (incumbent.placement() != null && incumbent.bestFigure() > own
                ? ", less than this plan."
                : ".");
    boolean scratch =
        planned.planningCase().network().ops().stream().anyMatch(op -> op.scratchBytes() > 0);
    return scratch
        ? List.of(head)
        : List.of(
            head,
            "Scratch memory is not included, the file does not contain it: --scratch LOG adds it.");
  }
}

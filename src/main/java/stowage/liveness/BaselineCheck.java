package stowage.liveness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import stowage.network.Baseline;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/**
 * Check of the plan that a network's file carries.
 *
 * <p>Files do not say whether graph inputs stay to the end (as TPU-MLIR keeps them) or give way
 * after their last use, so a plan is judged by the stricter rule first, and by the other one where
 * it breaks that; the result says by which. Which ops work in place is given by the caller.
 *
 * <p>Every tensor must have a place, and no two that are alive together may share bytes. The one
 * exception are views, where the tool knows them: tensors of one buffer, by our rules for views,
 * that have the same distances as they have in that buffer count as one. So a tool that does not
 * use a view where we would is not called wrong, and one that puts unrelated tensors together is. A
 * plan that breaks both rules is judged by the bytes needed at each step, as those of pieces are,
 * whose slices and concatenations are in place: see {@link Liveness#inBands}.
 *
 * @param source who made the plan
 * @param peak the highest byte it uses, sizes rounded up as the tool does
 * @param inputs by which rule for graph inputs it was judged: {@code KEEP} where it satisfies that
 *     one, else {@code FREE}
 * @param status {@code VALID}, or one sentence that says what is wrong
 */
public record BaselineCheck(
    String source, long peak, LivenessOptions.Inputs inputs, String status) {
  /** The status of a plan with nothing wrong. */
  public static final String VALID = "VALID";

  /** Whether nothing is wrong. */
  public boolean valid() {
    return status.equals(VALID);
  }

  /** Checks a plan; of ops, views alone may work in place. */
  public static BaselineCheck of(Network network, Baseline baseline) {
    return of(network, baseline, LivenessOptions.InPlace.VIEWS, Set.of());
  }

  /**
   * Checks a plan. O(n log n) for n tensors, and the square of how many a buffer has.
   *
   * @param inPlace which ops may work in place: elementwise ones only where it says so; views, if
   *     the tool knows them, whatever it says
   * @param left tensors that are left to the run-time and need have no place
   */
  public static BaselineCheck of(
      Network network, Baseline baseline, LivenessOptions.InPlace inPlace, Set<String> left) {
    BaselineCheck kept = of(network, baseline, inPlace, LivenessOptions.Inputs.KEEP, left);
    if (kept.valid()) {
      return kept;
    }
    BaselineCheck freed = of(network, baseline, inPlace, LivenessOptions.Inputs.FREE, left);
    if (!freed.valid() && left.isEmpty()) {
      // An input that is kept shares no memory with results, which others then share otherwise.
      for (LivenessOptions.Inputs inputs :
          List.of(LivenessOptions.Inputs.FREE, LivenessOptions.Inputs.KEEP)) {
        LivenessOptions options =
            LivenessOptions.defaults()
                .withInputs(inputs)
                .withAlignments(Math.max(1, baseline.alignment()), 1)
                .withInPlace(LivenessOptions.InPlace.OPTIMAL)
                .withVariables(LivenessOptions.Variables.OUTSIDE);
        int[] order = network.executionOrder();
        if (holds(Liveness.inBands(network, order, options), baseline)
            || holds(Liveness.of(network, order, options), baseline)) {
          return new BaselineCheck(freed.source, freed.peak, inputs, VALID);
        }
      }
    }
    return freed;
  }

  /**
   * Whether a plan holds of which all tensors that may be one buffer have the distances they have
   * in it: no two buffers, their sizes rounded up as the tool does, share bytes at a step that
   * needs them of both.
   */
  private static boolean holds(PlanningCase shared, Baseline baseline) {
    long[] offsets = new long[shared.contents().size()];
    for (int b = 0; b < offsets.length; b++) {
      Long start = null;
      for (PlanningCase.Part part : shared.parts(b)) {
        Long offset = baseline.offsets().get(part.tensor());
        boolean placed = shared.problem().buffer(b).size() > 0;
        if (placed && (offset == null || (start != null && start != offset - part.offset()))) {
          return false;
        }
        start = placed ? (Long) (offset - part.offset()) : start;
      }
      offsets[b] = start == null ? 0 : start;
      if (offsets[b] < 0) {
        return false;
      }
    }
    return Verifier.isValid(shared.problem(), Placement.of(offsets));
  }

  private static BaselineCheck of(
      Network network,
      Baseline baseline,
      LivenessOptions.InPlace inPlace,
      LivenessOptions.Inputs inputs,
      Set<String> left) {
    LivenessOptions options = LivenessOptions.defaults().withInputs(inputs).withAlignments(1, 1);
    PlanningCase single = Liveness.of(network, options.withInPlace(LivenessOptions.InPlace.NONE));
    boolean asGiven =
        inPlace.compareTo(LivenessOptions.InPlace.BANDS) > 0
            || inPlace == LivenessOptions.InPlace.ELEMENTWISE;
    PlanningCase shared =
        baseline.views()
            ? Liveness.of(
                network, options.withInPlace(asGiven ? inPlace : LivenessOptions.InPlace.VIEWS))
            : single;
    Map<String, LiveRange> lives = new HashMap<>();
    for (int b = 0; b < single.problem().size(); b++) {
      for (PlanningCase.Part part : single.parts(b)) {
        lives.put(part.tensor(), single.problem().buffer(b).live());
      }
    }
    List<Buffer> buffers = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    List<String> without = new ArrayList<>();
    for (PlanningCase.BufferContents contents : shared.contents()) {
      rectangles(network, baseline, contents, lives, buffers, offsets, without);
    }
    long peak = 0;
    for (int b = 0; b < buffers.size(); b++) {
      peak = Math.max(peak, offsets.get(b) + buffers.get(b).size());
    }
    if (network.format().equals("tflite")) {
      // TFLite Micro rounds up the size of each tensor, wherever that begins.
      long unit = LivenessOptions.defaultsOf("tflite").alignment();
      for (Map.Entry<String, Long> place : baseline.offsets().entrySet()) {
        long bytes = network.tensor(place.getKey()).bytes();
        long size = WeightLayout.roundedUp(0, bytes, unit, place.getKey());
        peak = Math.max(peak, place.getValue() + size);
      }
    }
    without.removeAll(left);
    if (!without.isEmpty()) {
      return new BaselineCheck(
          baseline.source(),
          peak,
          inputs,
          without.size() + " tensors have no place, \"" + without.get(0) + "\" is one");
    }
    PackingProblem problem = PackingProblem.of(network.name(), buffers);
    Placement placement = Placement.of(offsets.stream().mapToLong(Long::longValue).toArray());
    List<Violation> violations = Verifier.violations(problem, placement);
    return new BaselineCheck(
        baseline.source(), peak, inputs, violations.isEmpty() ? VALID : violations.get(0).text());
  }

  /**
   * Puts together those tensors of a buffer that have the same distances as they have in it: of
   * their hull what those alive need at each step. O(their number squared).
   */
  private static void rectangles(
      Network network,
      Baseline baseline,
      PlanningCase.BufferContents contents,
      Map<String, LiveRange> lives,
      List<Buffer> buffers,
      List<Long> offsets,
      List<String> without) {
    Map<Long, List<PlanningCase.Part>> byStart = new TreeMap<>();
    for (PlanningCase.Part part : contents.parts()) {
      Tensor tensor = network.tensor(part.tensor());
      if (tensor.kind() != Tensor.Kind.ACTIVATION || tensor.bytes() == 0) {
        continue;
      }
      Long offset = baseline.offsets().get(part.tensor());
      if (offset == null) {
        without.add(part.tensor());
      } else {
        byStart.computeIfAbsent(offset - part.offset(), start -> new ArrayList<>()).add(part);
      }
    }
    byStart.forEach(
        (start, parts) -> {
          long low = Long.MAX_VALUE;
          long high = 0;
          TreeSet<Integer> steps = new TreeSet<>();
          for (PlanningCase.Part part : parts) {
            LiveRange live = lives.get(part.tensor());
            low = Math.min(low, part.offset());
            high = Math.max(high, part.offset() + network.tensor(part.tensor()).bytes());
            steps.addAll(List.of(live.start(), live.end()));
          }
          String id = parts.get(0).tensor();
          long unit = baseline.alignment();
          long size = WeightLayout.roundedUp(0, high - low, unit, id);
          List<Gap> gaps = new ArrayList<>();
          for (int from : steps.headSet(steps.last())) {
            long first = size;
            long last = 0;
            for (PlanningCase.Part part : parts) {
              if (lives.get(part.tensor()).contains(from)) {
                first = Math.min(first, part.offset() - low);
                long end = part.offset() - low + network.tensor(part.tensor()).bytes();
                last = Math.max(last, WeightLayout.roundedUp(0, end, unit, id));
              }
            }
            if (last - first < size) {
              LiveRange range = new LiveRange(from, steps.higher(from));
              gaps.add(new Gap(range, Math.min(first, last), last));
            }
          }
          Buffer whole = new Buffer(id, size, steps.first(), steps.last());
          buffers.add(whole.withGaps(gaps));
          offsets.add(start + low);
        });
  }
}

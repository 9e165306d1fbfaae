package stowage.importer.own;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import stowage.packing.ByteText;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.ReuseCost;
import stowage.packing.Score;
import stowage.packing.Status;

/**
 * What a plan says of itself, checked against the problem as its file says it, with its capacities,
 * and the plan's own peak; {@code found} collects what is false.
 */
record ClaimCheck(
    PlanClaim claim, PackingProblem problem, Placement placement, long actual, List<String> found) {
  /** What is false, one sentence each; {@code valid} when the placement is one of the problem. */
  List<String> contradictions(boolean valid) {
    if (claim.peak != null && claim.peak != actual) {
      say("its peak is " + claim.peak + " bytes; it is " + orNone(actual));
    }
    for (int m = 0; m < problem.memories().size(); m++) {
      checkMemory(m, valid);
    }
    checkNames();
    if (valid) {
      checkStatus();
    }
    checkBound();
    if (placement != null) {
      checkReuse();
      checkFigures();
    }
    Long buffers = claim.buffers;
    if (buffers != null && buffers != problem.size()) {
      say("it has " + buffers + " buffers; it has " + problem.size());
    }
    return found;
  }

  private void say(String what, Object... figures) {
    found.add("the plan says that " + (figures.length == 0 ? what : what.formatted(figures)));
  }

  /** A peak; one below 0 is that of no placement. */
  private static String orNone(long peak) {
    return peak < 0 ? "none" : String.valueOf(peak);
  }

  private void checkMemory(int m, boolean valid) {
    Memory memory = problem.memories().get(m);
    String of = " of memory \"" + memory.name() + "\" is ";
    long here = placement == null ? -1 : placement.peak(problem, m);
    Long said = claim.memoryPeaks.get(memory.name());
    if (said != null && said != here) {
      say("the peak" + of + said + " bytes; it is " + orNone(here));
    }
    Long bound = claim.memoryBounds.get(memory.name());
    if (valid && bound != null && bound > here) {
      say("the peak" + of + "at least " + bound + " bytes; here it is " + here);
    }
    Long capacity = claim.capacities.get(memory.name());
    if (capacity != null && memory.isBounded() && capacity != memory.capacity()) {
      say("the capacity" + of + capacity + " bytes; it is " + memory.capacity());
    } else if (capacity != null && here > capacity && !claim.countsOverflow()) {
      say("the capacity" + of + capacity + " bytes; its peak there is " + here);
    }
  }

  /** Memories are the problem's; what is said of the last one twice is the same. */
  private void checkNames() {
    List<String> names = problem.memories().stream().map(Memory::name).toList();
    Set<String> others = new TreeSet<>(claim.memories);
    names.forEach(others::remove);
    if (!others.isEmpty()) {
      say("its memories are %s; the problem's are %s", claim.memories, names);
    }
    String last = names.get(names.size() - 1);
    Long capacity = claim.capacities.get(last);
    if (claim.capacity != null && capacity != null && !claim.capacity.equals(capacity)) {
      say("its capacity is %s bytes, and that of \"%s\" %s", claim.capacity, last, capacity);
    }
    Long bound = claim.memoryBounds.get(last);
    if (bound != null && claim.lowerBound != null && bound > claim.lowerBound) {
      say("the bound of \"%s\" is %s bytes; proven is %s", last, bound, claim.lowerBound);
    }
    claim.boasts.forEach(kind -> say("its proof, %s, is checked; such a proof cannot be", kind));
  }

  private void checkStatus() {
    if (claim.lowerBound != null && claim.lowerBound > actual) {
      say("no peak is below " + claim.lowerBound + " bytes; its own peak is " + actual);
    }
    if (claim.status == Status.INFEASIBLE) {
      say("the problem is INFEASIBLE; the plan itself is valid");
    }
    if (claim.status == Status.UNKNOWN) {
      say("it is UNKNOWN whether there is a plan; the plan itself is valid");
    }
  }

  private void checkBound() {
    Long bound = claim.lowerBound;
    if (claim.isByPeak() && claim.status == Status.OPTIMAL && bound != null && bound < actual) {
      say("it is OPTIMAL; its bound of " + bound + " bytes is below its peak of " + actual);
    }
    String kind = claim.boundKind;
    if (kind != null && claim.certificate != null && !kind.equals(claim.certificate.kind())) {
      say("its bound is of kind " + kind + "; its certificate is " + claim.certificate.kind());
    }
    Double gap = claim.gap;
    if (gap != null && bound != null) {
      double right =
          actual < 0 ? Double.NaN : actual == bound ? 0 : (double) (actual - bound) / bound;
      if (!(Math.abs(gap - right) <= 1e-9 * Math.max(1, right))) {
        say("its gap is " + ByteText.percent(gap) + "; it is " + ByteText.percent(right));
      }
    }
  }

  private void checkFigures() {
    if (claim.figures.isEmpty()) {
      return;
    }
    Objective all = Objective.of(claim.asked(problem), List.of(Goal.values()));
    Score score = all.score(problem, placement);
    List<String> names = all.parts().stream().map(Objective.Figure::name).toList();
    for (Map.Entry<String, Long[]> figure : claim.figures.entrySet()) {
      String name = figure.getKey();
      Long value = figure.getValue()[0];
      Long bound = figure.getValue()[1];
      if (!names.contains(name)) {
        say("it was lowered by \"" + name + "\", which is no figure of the problem");
        continue;
      }
      long right = score.figure(names.indexOf(name));
      if (value != null && value != right) {
        say("its " + name + " is " + value + "; it is " + right);
      } else if (bound != null && bound > right) {
        say("no plan has less " + name + " than " + bound + "; it has " + right);
      } else if (claim.status == Status.OPTIMAL
          && name.equals(claim.firstGoal())
          && bound != null
          && bound < right) {
        say("it is OPTIMAL; its bound of the %s, %s, is below %s", name, bound, right);
      }
    }
  }

  private void checkReuse() {
    long paid = ReuseCost.of(problem, placement);
    if (claim.cost != null && claim.cost != paid) {
      say("it pays %s for reuse; it pays %s", claim.cost, paid);
    }
    Map<Long, Long> really = new HashMap<>();
    ReuseCost.paid(problem, placement)
        .forEach(pair -> really.put((long) pair.first() << 32 | pair.second(), pair.weight()));
    if (claim.paid != null && !claim.paid.equals(really)) {
      String others = claim.paid.size() == really.size() ? ", others or at other weights" : "";
      found.add(
          "the plan lists %s pairs as paid for; it pays for %s%s"
              .formatted(claim.paid.size(), really.size(), others));
    }
    if (claim.costBound != null && claim.costBound > paid) {
      say("no plan pays less than %s; it pays %s", claim.costBound, paid);
    }
    if (claim.costBound != null && claim.costBound > 0 && claim.costCertificate == null) {
      say("no plan pays less than %s; it names no proof", claim.costBound);
    }
    boolean open = paid > 0 && (claim.costBound == null || claim.costBound < paid);
    if (claim.firstGoal().equals("reuse") && claim.status == Status.OPTIMAL && open) {
      String what = "it is OPTIMAL; its bound of the price, %s, is below its price of %s";
      say(what, claim.costBound, paid);
    }
  }
}

package stowage.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.PlanningCase;
import stowage.liveness.StatePairs;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Incumbent;
import stowage.packing.InvalidProblemException;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.Rounding;
import stowage.packing.RunControl;

/**
 * Several models in one memory, as one packing problem.
 *
 * <p><b>One after the other</b> ({@link Run#SEQUENTIAL}): the steps of the models follow each
 * other, so what one model needs while it runs is free for the next. State that survives between
 * runs (variables, and inputs and outputs that are one place) is held throughout, so no model
 * touches that of another.
 *
 * <p><b>Side by side</b> ({@link Run#CONCURRENT}): at any step of one model any step of another may
 * run, so no buffer of one shares a byte with a buffer of another, whatever their live ranges. Then
 * the models' parts need not be interleaved: take any plan, and of two models leave out the bytes
 * of the other one. What is left of each is a plan of that model alone, so the plan has at least
 * the sum of their peaks, which parts laid end to end have too (where sizes are multiples of the
 * alignment, as those of networks are).
 *
 * <p>Example: a of 3 KiB and b of 5 KiB without state take 5 KiB in turn and 8 KiB side by side.
 */
public final class SharedArena {
  private static final long MOST_PAIRS = 4_000_000;

  /** The part of the time in which the models are planned one by one. */
  private static final double OWN_SHARE = 0.5;

  private final List<Model> models;
  private final Run run;
  private final PackingProblem problem;
  private final int[] first;
  private final List<boolean[]> states = new ArrayList<>();

  /** How models run. */
  public enum Run {
    /** One after the other. */
    SEQUENTIAL("one after the other"),
    /** Side by side, at any pace. */
    CONCURRENT("side by side");

    private final String words;

    Run(String words) {
      this.words = words;
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    public String words() {
      return words;
    }
  }

  /**
   * A model.
   *
   * @param name unique among the models; begins the ids of its buffers
   * @param file where it was read
   * @param planningCase its network, and its own problem in one memory
   */
  public record Model(String name, String file, PlanningCase planningCase) {
    private PackingProblem problem() {
      return planningCase.problem();
    }
  }

  /**
   * Puts models into one memory. O(buffers), and O(pairs of buffers) side by side.
   *
   * @throws InvalidProblemException when a model has several memories, or the models side by side
   *     have more pairs of buffers than can be kept apart
   */
  public SharedArena(List<Model> models, Run run) {
    this.models = List.copyOf(models);
    this.run = run;
    this.first = new int[models.size() + 1];
    int total = 0;
    for (int m = 0; m < models.size(); m++) {
      Model model = models.get(m);
      if (model.problem().memories().size() != 1) {
        throw new InvalidProblemException(
            "model \"" + model.name() + "\" has several memories; a shared arena is one");
      }
      first[m + 1] = first[m] + model.problem().size();
      states.add(states(model));
      total += steps(model);
    }
    List<Buffer> buffers = new ArrayList<>();
    int step = 0;
    for (int m = 0; m < models.size(); m++) {
      PackingProblem own = models.get(m).problem();
      for (int b = 0; b < own.size(); b++) {
        boolean held = run == Run.SEQUENTIAL && states.get(m)[b];
        buffers.add(shifted(models.get(m), b, held ? new LiveRange(0, total) : null, step));
      }
      step += steps(models.get(m));
    }
    String name = String.join(" + ", models.stream().map(Model::name).toList());
    this.problem =
        PackingProblem.of(name, buffers)
            .withConflicts(conflicts())
            .withRelations(Relations.none().withReuse(prices()));
  }

  private List<Relations.Reuse> prices() {
    List<Relations.Reuse> prices = new ArrayList<>();
    for (int m = 0; m < models.size(); m++) {
      for (Relations.Reuse price : models.get(m).problem().relations().reuse()) {
        int one = first[m] + price.first();
        int other = first[m] + price.second();
        prices.add(new Relations.Reuse(one, other, price.weight(), price.reason()));
      }
    }
    return prices;
  }

  private static int steps(Model model) {
    return Math.max(1, model.planningCase().order().length);
  }

  private static boolean[] states(Model model) {
    PlanningCase planned = model.planningCase();
    Set<String> kept = StatePairs.of(planned.network(), planned.options().aliases()).keySet();
    boolean[] states = new boolean[model.problem().size()];
    for (int b = 0; b < states.length; b++) {
      for (PlanningCase.Part part : planned.contents().get(b).parts()) {
        Tensor tensor = planned.network().tensor(part.tensor());
        states[b] |= tensor.kind() == Tensor.Kind.VARIABLE || kept.contains(tensor.name());
      }
    }
    return states;
  }

  private static Buffer shifted(Model model, int index, LiveRange held, int steps) {
    Buffer buffer = model.problem().buffer(index);
    List<Gap> gaps =
        buffer.gaps().stream()
            .map(gap -> new Gap(later(gap.range(), steps), gap.windowStart(), gap.windowEnd()))
            .toList();
    return new Buffer(
        model.name() + "/" + buffer.id(),
        buffer.size(),
        held == null ? later(buffer.live(), steps) : held,
        model.problem().alignment(index, 0),
        buffer.fixedOffset(),
        buffer.hint(),
        held == null ? gaps : List.of(),
        List.of(),
        false);
  }

  private static LiveRange later(LiveRange range, int steps) {
    return new LiveRange(range.start() + steps, range.end() + steps);
  }

  private ConflictPairs conflicts() {
    int count = first[models.size()];
    List<int[]> pairs = new ArrayList<>();
    for (int m = 0; m < models.size(); m++) {
      ConflictPairs own = models.get(m).problem().conflicts();
      for (int b = 0; b < first[m + 1] - first[m] && !own.isEmpty(); b++) {
        for (int other : own.of(b)) {
          if (b < other) {
            pairs.add(new int[] {first[m] + b, first[m] + other});
          }
        }
      }
    }
    for (int m = 0; m < models.size() && run == Run.CONCURRENT; m++) {
      long more = (long) (first[m + 1] - first[m]) * (count - first[m + 1]);
      if (pairs.size() + more > MOST_PAIRS) {
        throw new InvalidProblemException(
            ("the models have more than %s pairs of buffers; plan them one by one, and lay their"
                    + " parts end to end")
                .formatted(MOST_PAIRS));
      }
      for (int b = first[m]; b < first[m + 1]; b++) {
        for (int other = first[m + 1]; other < count; other++) {
          pairs.add(new int[] {b, other});
        }
      }
    }
    return ConflictPairs.of(count, pairs);
  }

  /** All models' buffers, their ids begun by their model's name and a slash. */
  public PackingProblem problem() {
    return problem;
  }

  public List<Model> models() {
    return models;
  }

  public Run run() {
    return run;
  }

  public long weightBytes() {
    return models.stream().mapToLong(model -> model.planningCase().weightBytes()).sum();
  }

  /** Bytes of a model's state that survives between runs. */
  public long stateBytes(int model) {
    PackingProblem own = models.get(model).problem();
    return IntStream.range(0, own.size())
        .filter(b -> states.get(model)[b])
        .mapToLong(b -> own.buffer(b).size())
        .sum();
  }

  /**
   * What a model shares with others, alone: all of it side by side; without its state, which has
   * size 0 here, one after the other.
   */
  public PackingProblem shared(int model) {
    PackingProblem own = models.get(model).problem();
    if (run == Run.CONCURRENT) {
      return own;
    }
    List<Buffer> buffers = new ArrayList<>(own.buffers());
    for (int b = 0; b < own.size(); b++) {
      if (states.get(model)[b]) {
        Buffer state = own.buffer(b);
        buffers.set(b, new Buffer(state.id(), 0, state.live().start(), state.live().end()));
      }
    }
    return own.withBuffers(buffers);
  }

  /**
   * A plan of all, made of plans of what each model shares: side by side their parts end to end;
   * one after the other the states end to end, and above them the models from the same byte.
   */
  public Placement stacked(List<Placement> plans) {
    long[] offsets = new long[problem.size()];
    long top = 0;
    for (int m = 0; m < models.size() && run == Run.SEQUENTIAL; m++) {
      for (int b = 0; b < states.get(m).length; b++) {
        if (states.get(m)[b]) {
          offsets[first[m] + b] = Rounding.up(top, 0, problem.buffer(first[m] + b).alignment(), 0);
          top = offsets[first[m] + b] + problem.buffer(first[m] + b).size();
        }
      }
    }
    for (int m = 0; m < models.size(); m++) {
      PackingProblem shared = shared(m);
      long alignment =
          IntStream.range(first[m], first[m + 1])
              .mapToLong(b -> problem.buffer(b).alignment())
              .max()
              .orElse(1);
      long base = Rounding.up(top, 0, alignment, 0);
      for (int b = 0; b < shared.size(); b++) {
        if (run == Run.CONCURRENT || !states.get(m)[b]) {
          offsets[first[m] + b] = base + plans.get(m).offset(b);
        }
      }
      if (run == Run.CONCURRENT) {
        top = base + plans.get(m).peak(shared, 0);
      }
    }
    return Placement.of(offsets);
  }

  /**
   * Plans each model by itself with some planners, in half of the time, and offers these plans laid
   * together.
   */
  void offerStart(Incumbent whole, RunControl control, List<PlannerCatalogue.Choice> choices) {
    List<Placement> plans = new ArrayList<>();
    double seconds = OWN_SHARE * control.secondsLeft() / models.size();
    for (int m = 0; m < models.size(); m++) {
      PackingProblem shared = shared(m);
      Incumbent own = new Incumbent(shared);
      PlanningCase alone = PlanningCase.ofBuffers(shared);
      RunControl part = control.within(seconds);
      PlannerRun.of(alone, own, part, choices, EngineOptions.defaults());
      if (own.placement() == null) {
        return;
      }
      plans.add(own.placement());
    }
    whole.offer(stacked(plans), "models one by one");
  }

  /**
   * The bytes that a model uses in a plan of all, half-open: its first byte, and the one after its
   * last; 0 and 0 where it needs none, or without a plan.
   */
  public long[] extent(int model, Placement whole) {
    long[] extent = {Long.MAX_VALUE, 0};
    for (int b = first[model]; b < first[model + 1] && whole != null; b++) {
      if (problem.buffer(b).needsMemory()) {
        extent[0] = Math.min(extent[0], whole.offset(b));
        extent[1] = Math.max(extent[1], whole.offset(b) + problem.buffer(b).size());
      }
    }
    return extent[1] == 0 ? new long[2] : extent;
  }

  /** A model's part of a plan of all, as a plan of its own problem. */
  public Placement part(int model, Placement whole) {
    long[] offsets = new long[first[model + 1] - first[model]];
    Arrays.setAll(offsets, b -> whole.offset(first[model] + b));
    return Placement.of(offsets);
  }
}

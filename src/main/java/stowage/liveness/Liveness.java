package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.InvalidProblemException;
import stowage.packing.LiveRange;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

/**
 * Packing problem of a network: what must be in memory, and when.
 *
 * <p>Step k is the k-th op of the order. What an op makes at step k is alive from k; what is last
 * read at step j is alive to j + 1. So the operands and results of one op never share, except for
 * ops that work in place, and what dies at a step is free for the next.
 *
 * <ul>
 *   <li>Graph inputs are there from step 0, or from the op that delivers them: to their last use,
 *       or to the end where they are kept. One that no op reads is there at its first step alone.
 *   <li>Graph outputs stay to the end. A result that is never read is live in the step that makes
 *       it.
 *   <li>Variables live throughout, or have no buffer where the run-time keeps them elsewhere.
 *       Scratch memory of an op is live in its step, each piece as a buffer of its own named {@code
 *       <op>#scratch}, {@code <op>#scratch#2} and so on, which carries no tensor.
 *   <li>Views, and elementwise ops if wanted, share buffers: see {@link SharedBuffers}.
 *   <li>Sizes are rounded up to the alignment, and offsets are multiples of it.
 *   <li>Every other tensor that is no weight is carried by exactly one buffer. One without bytes
 *       has a buffer of size 0, and so has a view of a weight, whose bytes are the weight's. A
 *       tensor that is declared but neither made nor given has an empty live range.
 *   <li>An input and an output that are one place, such as a cache before and after a run, share a
 *       buffer that is held throughout: see {@link StatePairs}.
 *   <li>Weights are before all that, one after the other.
 * </ul>
 *
 * <p>Example: {@code x → Conv → y → Relu → z} with z the output, all of 4096 bytes. In order, x is
 * alive in [0, 1), y in [0, 2), z in [1, 2): 8192 bytes are needed. With elementwise ops in place y
 * and z share a buffer alive in [0, 2).
 *
 * <p>Of a branch's parts one runs. So what one part makes for the branch's op gives way to the next
 * part; it is kept from the op's results by an extra conflict, for its live range has ended before
 * them.
 *
 * <p>Where ops may run in other orders the live ranges stay those of the given order, and pairs of
 * buffers that another order could bring together are added as conflicts, or at a price: see {@link
 * Precedence} and {@link ReusePrices}.
 */
public final class Liveness {
  private final Network network;
  private final int[] order;
  private final LivenessOptions options;
  private final TensorLives lives;
  private final Precedence precedence;
  private final SharedBuffers shared;

  /** Buffers that are taken whole from the first step to the last. */
  private final Set<Integer> held;

  /** Which bytes of a buffer are needed; null where it is taken for as long as its tensors live. */
  private final BandWindows bands;

  private final List<Buffer> buffers = new ArrayList<>();
  private final List<PlanningCase.BufferContents> contents = new ArrayList<>();
  private final List<OrderConflicts.Use> uses = new ArrayList<>();

  /** By buffer the steps at which it takes bytes between others that nothing needs. */
  private final Map<Integer, List<LiveRange>> spread = new HashMap<>();

  /** By the number of a shared buffer its index in the problem. */
  private final Map<Integer, Integer> places = new HashMap<>();

  private Liveness(
      Network network,
      int[] order,
      LivenessOptions options,
      boolean inBands,
      Set<Integer> copying) {
    this.network = network;
    this.order = order;
    this.options = options;
    this.lives = new TensorLives(network, order, options);
    this.precedence = Precedence.of(network, order, options);
    this.shared =
        new SharedBuffers(network, order, lives, options.inPlace(), precedence, inBands, copying);
    this.held = StatePairs.join(network, options, lives, shared);
    this.bands = inBands ? new BandWindows(network, order, lives, shared) : null;
  }

  /** The packing problem of a network in its own execution order. */
  public static PlanningCase of(Network network, LivenessOptions options) {
    return of(network, network.executionOrder(), options);
  }

  /**
   * The packing problem of a network in a given order. O(tensors + operands) and a sort; with ops
   * out of order O(buffers²) besides.
   *
   * @param order indices of the network's ops; each after those it reads from
   * @throws InvalidNetworkException when the order is none or an op has no stream
   * @throws InvalidProblemException when the sizes add up to more than a long holds
   */
  public static PlanningCase of(Network network, int[] order, LivenessOptions options) {
    if (options.inPlace() == LivenessOptions.InPlace.BANDS) {
      return inBands(network, order, options);
    }
    checkOrder(network, order);
    return new Liveness(network, order.clone(), options, false, Set.of()).planningCase();
  }

  /**
   * The packing problem of a network in a given order, of whose buffers only the bytes needed at
   * each step count: see {@link BandWindows}. A slice that is where its source has it, and a concat
   * whose operands are in their places, count for nothing. Concats copy their operands where places
   * held for operands that are not made yet are part of the largest load and copies lower it. The
   * time is that of {@link #of} plus the square of each buffer's touches, once more for each such
   * attempt.
   *
   * @param options views and ops in place as they say, {@code OPTIMAL} for {@code BANDS}; with ops
   *     out of order the same as {@link #of}
   * @return a case whose options have {@code BANDS} for {@code OPTIMAL}
   */
  public static PlanningCase inBands(Network network, int[] order, LivenessOptions options) {
    checkOrder(network, order);
    boolean inOrder = options.order() == LivenessOptions.Order.IN_ORDER;
    boolean any = options.inPlace() == LivenessOptions.InPlace.BANDS;
    LivenessOptions own = any ? options.withInPlace(LivenessOptions.InPlace.OPTIMAL) : options;
    Set<Integer> copying = new HashSet<>();
    Liveness last = new Liveness(network, order.clone(), own, inOrder, copying);
    PlanningCase best = last.planningCase();
    while (copying.addAll(last.spread(best.problem()))) {
      last = new Liveness(network, order.clone(), own, true, copying);
      PlanningCase next = last.planningCase();
      if (LoadProfile.of(next.problem()).maxLoad() >= LoadProfile.of(best.problem()).maxLoad()) {
        break;
      }
      best = next;
    }
    return best;
  }

  /**
   * Results of concats that take bytes between those of their operands where the load is largest:
   * before they run, some operands are in their places there, and some between are not made.
   */
  private Set<Integer> spread(PackingProblem problem) {
    Set<Integer> concats = new HashSet<>();
    if (spread.isEmpty()) {
      return concats;
    }
    LoadProfile profile = LoadProfile.of(problem);
    BitSet peak = new BitSet();
    IntStream.range(0, order.length)
        .filter(step -> profile.loadAt(step) == profile.maxLoad())
        .forEach(peak::set);
    spread.forEach(
        (buffer, steps) -> {
          for (LiveRange some : steps) {
            int step = peak.nextSetBit(some.start());
            if (step >= 0 && step < some.end()) {
              shared.members(buffer).stream()
                  .filter(t -> shared.pieces().isBegun(t, step))
                  .forEach(concats::add);
            }
          }
        });
    return concats;
  }

  private static void checkOrder(Network network, int[] order) {
    int count = network.ops().size();
    int[] position = new int[count];
    Arrays.fill(position, -1);
    for (int step = 0; step < order.length; step++) {
      if (order[step] < 0 || order[step] >= count || position[order[step]] >= 0) {
        throw new InvalidNetworkException(
            "step %s of the order runs op %s; it should run each of %s ops once"
                .formatted(step, order[step], count));
      }
      position[order[step]] = step;
    }
    if (order.length != count) {
      throw new InvalidNetworkException(
          "the order has " + order.length + " ops; it should run each of " + count + " once");
    }
    for (int step = 0; step < count; step++) {
      Op op = network.ops().get(order[step]);
      for (String input : op.presentInputs()) {
        int from = network.producer(input);
        if (from >= 0 && position[from] >= step) {
          throw new InvalidNetworkException(
              "the order runs op \"%s\" before op \"%s\", which makes its operand \"%s\""
                  .formatted(op.name(), network.ops().get(from).name(), input));
        }
      }
    }
  }

  private PlanningCase planningCase() {
    List<Integer> appearance = appearance();
    int[] rank = new int[lives.count()];
    for (int k = 0; k < appearance.size(); k++) {
      rank[appearance.get(k)] = k;
    }
    boolean[] done = new boolean[lives.count()];
    int next = 0;
    for (int step = -1; step < order.length; step++) {
      // Those given have a negative step, so that all of them come before the first op's results.
      while (next < appearance.size() && lives.madeAt(appearance.get(next)) <= step) {
        addBuffer(shared.buffer(appearance.get(next++)), rank, done);
      }
      if (step >= 0) {
        addScratch(step);
      }
    }
    WeightLayout weights = WeightLayout.of(network, options.weightAlignment());
    return new PlanningCase(
        network,
        order,
        problem(),
        List.copyOf(contents),
        weights.places(),
        weights.bytes(),
        bands != null && options.inPlace() == LivenessOptions.InPlace.OPTIMAL
            ? options.withInPlace(LivenessOptions.InPlace.BANDS)
            : options);
  }

  private PackingProblem problem() {
    List<int[]> apart = handedOver();
    ConflictPairs conflicts;
    Relations relations = Relations.none();
    if (options.sharing() == LivenessOptions.Sharing.FORBIDDEN || precedence.isInOrder()) {
      ConflictPairs others = ConflictPairs.of(buffers.size(), apart);
      conflicts = OrderConflicts.between(buffers, uses, precedence).and(others);
    } else {
      ReusePrices prices = ReusePrices.of(network, order, buffers, uses, precedence);
      apart.addAll(prices.conflicts());
      conflicts = ConflictPairs.of(buffers.size(), apart);
      relations = relations.withReuse(prices.pairs());
    }
    return new PackingProblem(
        network.name(), buffers, List.of(Memory.main()), conflicts, relations);
  }

  /** What a branch's op reads of a part other than the last, with what the op writes. */
  private List<int[]> handedOver() {
    List<int[]> pairs = new ArrayList<>();
    ControlFlow code = lives.code();
    for (ControlFlow.Region region : code.regions()) {
      for (String input : network.ops().get(order[region.exit()]).presentInputs()) {
        int t = lives.of(input);
        if (t < 0 || code.handedOver(lives.madeAt(t), region.exit()) < 0) {
          continue;
        }
        int read = places.get(shared.buffer(t));
        for (int b = 0; b < buffers.size(); b++) {
          boolean written = Arrays.binarySearch(uses.get(b).writes(), region.exit()) >= 0;
          boolean apart = isWhole(read, region.exit()) && isWhole(b, region.exit());
          if (written && b != read && !apart) {
            pairs.add(new int[] {read, b});
          }
        }
      }
    }
    return pairs;
  }

  private boolean isWhole(int buffer, int step) {
    return buffers.get(buffer).bytesAt(step) == buffers.get(buffer).size();
  }

  /** All tensors that are to be planned: those given first, then as the ops make them. */
  private List<Integer> appearance() {
    Set<Integer> sequence = new LinkedHashSet<>();
    for (String input : network.inputs()) {
      if (lives.of(input) >= 0 && lives.madeAt(lives.of(input)) < 0) {
        sequence.add(lives.of(input));
      }
    }
    for (int t = 0; t < lives.count(); t++) {
      if (lives.madeAt(t) < 0) {
        sequence.add(t);
      }
    }
    for (int index : order) {
      for (String output : network.ops().get(index).presentOutputs()) {
        if (lives.of(output) >= 0) {
          sequence.add(lives.of(output));
        }
      }
    }
    return List.copyOf(sequence);
  }

  private void addBuffer(int buffer, int[] rank, boolean[] done) {
    if (done[buffer]) {
      return;
    }
    done[buffer] = true;
    places.put(buffer, buffers.size());
    List<Integer> members = new ArrayList<>(shared.members(buffer));
    members.sort(Comparator.comparingInt(t -> rank[t]));
    List<PlanningCase.Part> parts = new ArrayList<>();
    int start = Integer.MAX_VALUE;
    int end = 0;
    for (int t : members) {
      parts.add(new PlanningCase.Part(lives.tensor(t).name(), shared.offset(t)));
      start = Math.min(start, lives.start(t));
      end = Math.max(end, lives.end(t));
    }
    String id = parts.get(0).tensor();
    long size = shared.size(buffer, options.alignment());
    boolean whole = held.contains(buffer);
    LiveRange live =
        whole ? new LiveRange(0, lives.steps()) : new LiveRange(start, Math.max(start, end));
    List<BandWindows.Window> windows =
        bands == null || whole ? List.<BandWindows.Window>of() : bands.of(buffer);
    for (BandWindows.Window window : windows) {
      if (!window.full()) {
        spread.computeIfAbsent(buffer, absent -> new ArrayList<>()).add(window.steps());
      }
    }
    if (!windows.isEmpty()) {
      live =
          new LiveRange(
              windows.get(0).steps().start(), windows.get(windows.size() - 1).steps().end());
    }
    boolean optimal =
        options.inPlace() == LivenessOptions.InPlace.OPTIMAL
            && precedence.isInOrder()
            && members.size() > 1
            && !whole;
    List<Gap> gaps =
        !windows.isEmpty()
            ? bandGaps(windows, live, size)
            : optimal ? gaps(members, live, size) : List.of();
    add(id, size, live, gaps, parts, OrderConflicts.Use.of(lives, members));
  }

  /**
   * The steps at which the tensors alive need less than the whole buffer, with what they need. O(n
   * log n) for n members.
   */
  private List<Gap> gaps(List<Integer> members, LiveRange live, long size) {
    TreeSet<Integer> steps = new TreeSet<>(List.of(live.start(), live.end()));
    List<Integer> coming = new ArrayList<>();
    for (int t : members) {
      steps.add(lives.start(t));
      steps.add(lives.end(t));
      if (shared.bytes(t) > 0) {
        coming.add(t);
      }
    }
    coming.sort(Comparator.comparingInt(lives::start));
    PriorityQueue<Integer> lowest = new PriorityQueue<>(Comparator.comparingLong(shared::offset));
    PriorityQueue<Integer> highest =
        new PriorityQueue<>(Comparator.comparingLong(t -> -shared.offset(t) - shared.bytes(t)));
    List<Gap> gaps = new ArrayList<>();
    int next = 0;
    for (int from : steps.subSet(live.start(), live.end())) {
      for (; next < coming.size() && lives.start(coming.get(next)) <= from; next++) {
        lowest.add(coming.get(next));
        highest.add(coming.get(next));
      }
      for (PriorityQueue<Integer> alive : List.of(lowest, highest)) {
        while (!alive.isEmpty() && lives.end(alive.peek()) <= from) {
          alive.remove();
        }
      }
      boolean none = lowest.isEmpty();
      long low = none ? size : shared.offset(lowest.peek());
      long high = none ? 0 : shared.offset(highest.peek()) + shared.bytes(highest.peek());
      addGap(gaps, new LiveRange(from, steps.higher(from)), low, high, size);
    }
    return gaps;
  }

  /** The steps at which bands need less than the whole buffer, with what they need. */
  private List<Gap> bandGaps(List<BandWindows.Window> windows, LiveRange live, long size) {
    List<Gap> gaps = new ArrayList<>();
    int from = live.start();
    for (BandWindows.Window window : windows) {
      if (window.steps().start() > from) {
        gaps.add(Gap.empty(from, window.steps().start()));
      }
      from = window.steps().end();
      addGap(gaps, window.steps(), window.low(), window.high(), size);
    }
    return gaps;
  }

  /** Adds what is needed at some steps where it is less than the whole buffer. */
  private void addGap(List<Gap> gaps, LiveRange steps, long from, long to, long size) {
    long grain = options.alignment();
    long low = from / grain * grain;
    long high = Math.min(size, (to + grain - 1) / grain * grain);
    if (low > 0 || high < size) {
      boolean none = low >= high;
      gaps.add(new Gap(steps, none ? 0 : low, none ? 0 : high));
    }
  }

  private void addScratch(int step) {
    Op op = network.ops().get(order[step]);
    for (int piece = 0; piece < op.scratch().size(); piece++) {
      String id = op.name() + "#scratch" + (piece == 0 ? "" : "#" + (piece + 1));
      while (network.tensors().containsKey(id)) {
        id += "'";
      }
      long size = WeightLayout.roundedUp(0, op.scratch().get(piece), options.alignment(), id);
      int[] steps = {step};
      OrderConflicts.Use use = new OrderConflicts.Use(steps, steps, false, false);
      add(id, size, new LiveRange(step, step + 1), List.of(), List.of(), use);
    }
  }

  private void add(
      String id,
      long size,
      LiveRange live,
      List<Gap> gaps,
      List<PlanningCase.Part> parts,
      OrderConflicts.Use use) {
    buffers.add(
        new Buffer(
            id, size, live, options.alignment(), Buffer.NONE, Buffer.NONE, gaps, List.of(), false));
    contents.add(new PlanningCase.BufferContents(List.copyOf(parts)));
    uses.add(use);
  }
}

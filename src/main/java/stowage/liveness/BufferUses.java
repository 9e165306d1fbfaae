package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;

/**
 * Which ops touch which buffer, and which ops must wait for which: what does not depend on the
 * order in which a network's ops run. {@link Liveness} makes live ranges of it for one order; the
 * max load of its problem is the largest load that these uses give in that order.
 *
 * <p>A buffer carries a tensor and its views. Elementwise ops that may write over an operand are
 * listed apart, for that depends on who reads the operand last. Views of weights and tensors
 * without bytes have no buffer here.
 *
 * <p>Ops wait for those whose results they read, and keep the order of their uses of a variable.
 * Ops with effects beyond their results (random numbers, variables by handle, tables) keep their
 * order among each other. An op that runs code of its own (branches, loops, calls) is a barrier:
 * what comes before its code stays before, what comes after it after, and its code keeps its order,
 * as no runtime interleaves it with other ops: see {@link ControlFlow}. Steps before all ops of a
 * TFLite model ({@code MODEL.reserve}, {@code MODEL.enter}) stay there.
 *
 * @param buffers the buffers, in the order in which they first appear
 * @param overwrites which results may be written over which operands
 * @param waits for each op, by index in the network, those it waits for directly
 */
public record BufferUses(
    Network network, List<Use> buffers, List<Overwrite> overwrites, int[][] waits) {

  /**
   * A buffer.
   *
   * @param id its name: the tensor that comes first
   * @param bytes its size, rounded up to the alignment
   * @param ops the ops that make, read or write it, by index in the network, ascending
   * @param given whether it is there from the start
   * @param kept whether it must be there at the end
   * @param tensors what it carries; empty for an op's scratch memory
   */
  public record Use(
      String id, long bytes, int[] ops, boolean given, boolean kept, List<String> tensors) {
    public Use {
      tensors = List.copyOf(tensors);
    }
  }

  /**
   * An elementwise op that may write its result over an operand, if it is the operand's last use:
   * its index in the network and the buffers of the operand and of the result, of the same bytes.
   */
  public record Overwrite(int op, int from, int to) {}

  public BufferUses {
    buffers = List.copyOf(buffers);
    overwrites = List.copyOf(overwrites);
  }

  /**
   * The uses of a network's buffers. O(tensors + operands), with control flow times the ops.
   *
   * <p>With {@link LivenessOptions.InPlace#OPTIMAL}, where a buffer holds at each step only the
   * stretch that its tensors need, a buffer that carries several is listed in pieces of whole
   * multiples of the alignment, each with the ops that touch a tensor in it.
   *
   * @param options sharing, inputs and alignment; the freedom of the order does not count
   */
  public static BufferUses of(Network network, LivenessOptions options) {
    return new Collector(network, options, false).collect();
  }

  /**
   * What any sharing leaves: uses whose loads are no more than those of any choice of ops that
   * share, under every order. Each byte that some op makes must be somewhere as long as an op reads
   * it, through whatever views; sizes are rounded only where no other tensor can begin or end
   * inside, a concat that could have been made in place of another one counts nothing, and an
   * elementwise op writes over its operand wherever its size allows.
   */
  public static BufferUses leastOf(Network network, LivenessOptions options) {
    LivenessOptions exact = options.withInPlace(LivenessOptions.InPlace.OPTIMAL);
    return new Collector(network, exact, true).collect();
  }

  /** Collector of the uses. */
  private static final class Collector {
    private final Network network;
    private final LivenessOptions options;
    private final boolean least;
    private final int[] order;
    private final TensorLives lives;
    private final SharedBuffers shared;
    private final List<Use> buffers = new ArrayList<>();
    private final List<Overwrite> overwrites = new ArrayList<>();

    /** For each buffer its pieces, by index into the list. */
    private final Map<Integer, List<Integer>> pieces = new HashMap<>();

    Collector(Network network, LivenessOptions options, boolean least) {
      this.network = network;
      this.options = options;
      this.least = least;
      this.order = network.executionOrder();
      this.lives = new TensorLives(network, order, options);
      this.shared =
          new SharedBuffers(network, order, lives, options.inPlace(), null, false, Set.of());
    }

    BufferUses collect() {
      for (int t = 0; t < lives.count(); t++) {
        if (!pieces.containsKey(shared.buffer(t))) {
          addBuffer(shared.buffer(t));
        }
      }
      for (int k = 0; k < network.ops().size(); k++) {
        Op op = network.ops().get(k);
        for (long bytes : op.scratch()) {
          long rounded = WeightLayout.roundedUp(0, bytes, options.alignment(), op.name());
          buffers.add(
              new Use(op.name() + "#scratch", rounded, new int[] {k}, false, false, List.of()));
        }
        for (int from : shared.overwritable(op, least)) {
          addOverwrite(k, from, lives.of(op.outputs().get(0)));
        }
      }
      return new BufferUses(network, buffers, overwrites, waits(network, order));
    }

    private void addBuffer(int buffer) {
      List<Integer> members =
          shared.members(buffer).stream()
              .filter(t -> lives.madeAt(t) != TensorLives.NEVER && shared.bytes(t) > 0)
              .sorted(Comparator.comparingInt(lives::madeAt))
              .toList();
      List<Integer> numbers = new ArrayList<>();
      pieces.put(buffer, numbers);
      if (members.isEmpty()) {
        return;
      }
      String id = lives.tensor(members.get(0)).name();
      long grain = grain(members);
      boolean cut = options.inPlace() == LivenessOptions.InPlace.OPTIMAL && members.size() > 1;
      long size =
          cut || least
              ? WeightLayout.roundedUp(0, shared.extent(buffer), grain, id)
              : shared.size(buffer, grain);
      TreeSet<Long> borders = new TreeSet<>(List.of(0L, size));
      for (int t : cut ? members : List.<Integer>of()) {
        borders.add(lowBorder(t, grain));
        borders.add(Math.min(size, highBorder(t, grain)));
      }
      if (borders.size() == 2) {
        numbers.add(buffers.size());
        buffers.add(use(id, size, members));
        return;
      }
      long from = 0;
      for (long to : borders) {
        List<Integer> inside = new ArrayList<>();
        for (int t : members) {
          if (lowBorder(t, grain) < to && highBorder(t, grain) > from) {
            inside.add(t);
          }
        }
        if (to > from && !inside.isEmpty() && !(least && refused(inside))) {
          numbers.add(buffers.size());
          buffers.add(use(id + "[" + from + ":" + to + "]", to - from, inside));
        }
        from = to;
      }
    }

    /** Whether a concat that is not made in place, but might be, makes some of the tensors. */
    private boolean refused(List<Integer> tensors) {
      return tensors.stream().anyMatch(shared::mightShareOtherwise);
    }

    /** What sizes and borders are multiples of: 1 where other choices might were tensors closer. */
    private long grain(List<Integer> members) {
      boolean alone =
          members.stream()
              .allMatch(
                  t ->
                      shared.bytes(t) == shared.extent(shared.buffer(t)) && !shared.mightBePart(t));
      return least && !alone ? 1 : options.alignment();
    }

    private long lowBorder(int t, long grain) {
      return shared.offset(t) / grain * grain;
    }

    private long highBorder(int t, long grain) {
      long end = shared.offset(t) + shared.bytes(t);
      return (end + grain - 1) / grain * grain;
    }

    private Use use(String id, long bytes, List<Integer> members) {
      OrderConflicts.Use use = OrderConflicts.Use.of(lives, members);
      int[] ops = IntStream.of(use.touches()).map(step -> order[step]).sorted().toArray();
      List<String> tensors = members.stream().map(t -> lives.tensor(t).name()).toList();
      boolean counts = !(least && refused(members));
      return new Use(id, counts ? bytes : 0, ops, use.fromTheStart(), use.toTheEnd(), tensors);
    }

    private void addOverwrite(int op, int from, int to) {
      List<Integer> sources = pieces.get(shared.buffer(from));
      List<Integer> results = pieces.get(shared.buffer(to));
      boolean alike =
          sources.size() == 1
              && results.size() == 1
              && !sources.equals(results)
              && buffers.get(sources.get(0)).bytes() == buffers.get(results.get(0)).bytes();
      if (alike) {
        overwrites.add(new Overwrite(op, sources.get(0), results.get(0)));
      } else if (least) {
        for (int piece : results) { // counted only from the next op that touches it
          Use use = buffers.get(piece);
          boolean holds = use.tensors().contains(lives.tensor(to).name());
          int[] others = Arrays.stream(use.ops()).filter(v -> v != op || !holds).toArray();
          long bytes = others.length == 0 && !use.kept() ? 0 : use.bytes();
          buffers.set(
              piece, new Use(use.id(), bytes, others, use.given(), use.kept(), use.tensors()));
        }
      }
    }
  }

  private static int[][] waits(Network network, int[] order) {
    List<List<Integer>> flows = Precedence.flows(network, order);
    int lastEffect = -1;
    int barrier = -1;
    boolean[] inCode = new boolean[order.length];
    for (ControlFlow.Region region : new ControlFlow(network, order).regions()) {
      Arrays.fill(inCode, region.enter(), region.exit() + 1, true);
    }
    for (int step = 0; step < order.length; step++) {
      if (OpTypes.hasSideEffects(network.ops().get(order[step]))) {
        if (lastEffect >= 0) {
          flows.get(step).add(lastEffect);
        }
        lastEffect = step;
      }
      if (barrier >= 0) {
        flows.get(step).add(barrier);
      }
      if (inCode[step]) {
        for (int earlier = Math.max(0, barrier); earlier < step; earlier++) {
          flows.get(step).add(earlier);
        }
        barrier = step;
      } else if (network.ops().get(order[step]).type().startsWith("MODEL.")) {
        barrier = step;
      }
    }
    int[][] waits = new int[order.length][];
    for (int step = 0; step < order.length; step++) {
      waits[order[step]] = flows.get(step).stream().mapToInt(from -> order[from]).toArray();
    }
    return waits;
  }
}

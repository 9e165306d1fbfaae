package stowage.liveness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Operands of concats that are made in their places, each for itself; the concat copies the others.
 *
 * <p>An operand goes to its place with all its buffer holds. Of an operand that is a slice of a
 * larger result, such as a piece with wrong rows at its ends, the rest then hangs over neighbours:
 * no op may read it, and of two results over the same bytes the one whose bytes are read there is
 * made later. Concats are followed from last to first, so that a tree of them is one buffer.
 */
final class BandPieces {
  private static final List<long[]> ALL = List.of(new long[] {0, Long.MAX_VALUE / 2});

  private final Network network;
  private final int[] order;
  private final TensorLives lives;
  private final SharedBuffers shared;

  /** For each concat those of its operands that are in their places. */
  private final Map<Integer, Set<Integer>> placed = new HashMap<>();

  /** For each concat the stretches of it that it copies, from its first byte. */
  private final Map<Integer, List<long[]>> copied = new HashMap<>();

  /** For what came into a buffer with an operand, that operand: only its bytes are read. */
  private final Map<Integer, Integer> owners = new HashMap<>();

  /**
   * What is in the buffer of the concat that is looked at, by first byte, except for its result.
   */
  private final NavigableMap<Long, List<Integer>> inside = new TreeMap<>();

  /** The most bytes of a tensor there. */
  private long longest;

  /**
   * Puts all operands of a network's concats into their places that can go there.
   *
   * @param copying results of concats that copy all their operands
   */
  BandPieces(
      Network network, int[] order, TensorLives lives, SharedBuffers shared, Set<Integer> copying) {
    this.network = network;
    this.order = order;
    this.lives = lives;
    this.shared = shared;
    int[] given = network.executionOrder();
    for (int k = given.length - 1; k >= 0; k--) {
      Op op = network.ops().get(given[k]);
      if (OpTraits.of(op) == OpTraits.CONCAT_LIKE && op.outputs().size() == 1) {
        Tensor whole = network.tensor(op.outputs().get(0));
        if (!copying.contains(lives.of(whole.name()))) {
          place(op, whole);
        }
      }
    }
  }

  private void place(Op op, Tensor whole) {
    int result = lives.of(whole.name());
    int axis = result < 0 || whole.bytes() == 0 ? -1 : axis(op, whole);
    if (axis < 0 || OpTraits.hasFusedActivation(op)) {
      return;
    }
    inside.clear();
    longest = 0;
    shared.members(shared.buffer(result)).stream().filter(t -> t != result).forEach(this::enter);
    Set<Integer> inPlace = new HashSet<>();
    List<long[]> copies = new ArrayList<>();
    long start = 0;
    for (String input : op.presentInputs()) {
      int t = lives.of(input);
      long at = ViewShapes.contiguousStart(whole, axis, start);
      start += lives.tensor(t).extent(axis);
      if (lives.tensor(t).kind() == Tensor.Kind.ACTIVATION
          && lives.tensor(t).bytes() > 0
          && shared.buffer(t) != shared.buffer(result)
          && (shared.fillsItsBuffer(t) || restIsUnread(t))
          && mayGoTo(t, result, at)) {
        List<Integer> group = List.copyOf(shared.members(shared.buffer(t)));
        group.forEach(own -> owners.putIfAbsent(own, t));
        shared.merge(result, t, at);
        group.forEach(this::enter);
        inPlace.add(t);
      } else {
        copies.add(new long[] {at, at + lives.tensor(t).bytes()});
      }
    }
    placed.put(result, inPlace);
    copied.put(result, copies);
  }

  private void enter(int t) {
    inside.computeIfAbsent(low(t), absent -> new ArrayList<>()).add(t);
    longest = Math.max(longest, lives.tensor(t).bytes());
  }

  /** The axis along which operands follow each other in one stretch each; -1 where they do not. */
  private int axis(Op op, Tensor whole) {
    List<Tensor> parts = op.presentInputs().stream().map(network::tensor).toList();
    int axis = ViewShapes.commonAxis(whole, parts);
    for (Tensor part : axis < 0 ? List.<Tensor>of() : parts) {
      int t = lives.of(part.name());
      if (t < 0
          || shared.isConstant(t)
          || ViewShapes.contiguousStart(whole, axis, part.extent(axis)) < 0) {
        return -1;
      }
    }
    return axis;
  }

  /** Whether no op but slices in place reads what a tensor's buffer holds besides its bytes. */
  private boolean restIsUnread(int t) {
    for (int other : shared.members(shared.buffer(t))) {
      if (low(other) >= low(t) && high(other) <= high(t)) {
        continue;
      }
      if (lives.toTheEnd(other) || lives.madeAt(other) < 0) {
        return false;
      }
      for (int step : lives.readAt(other)) {
        for (String output : network.ops().get(order[step]).presentOutputs()) {
          int view = lives.of(output);
          if (view < 0 || !shared.isView(view) || shared.buffer(view) != shared.buffer(t)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Whether a tensor's buffer can be put so that the tensor is {@code at} bytes into a result. */
  private boolean mayGoTo(int t, int result, long at) {
    long shift = low(result) + at - low(t);
    List<Integer> group = shared.members(shared.buffer(t));
    long end = shared.extent(shared.buffer(result));
    for (int own : group) {
      if (low(own) + shift < 0 || high(own) + shift > end) {
        return false;
      }
    }
    for (int own : group) {
      boolean late = lives.madeAt(own) > lives.madeAt(result);
      Stream<Integer> others =
          inside
              .subMap(low(own) + shift - longest, false, high(own) + shift, false)
              .values()
              .stream()
              .flatMap(List::stream);
      if ((late && clash(result, own, t, shift))
          || others.anyMatch(other -> clash(other, own, t, shift))) {
        return false;
      }
    }
    return true;
  }

  /** Whether what is written of one tensor is lost to another that goes there with {@code t}. */
  private boolean clash(int other, int own, int t, long shift) {
    boolean later = lives.madeAt(own) >= lives.madeAt(other);
    for (long[] there : written(other)) {
      long low = low(other) + there[0];
      long high = Math.min(high(other), low(other) + there[1]);
      for (long[] here : written(own)) {
        long ownLow = low(own) + here[0];
        long ownHigh = Math.min(high(own), low(own) + here[1]);
        if (later
            ? meet(
                Math.max(low, readLow(other)),
                Math.min(high, readHigh(other)),
                ownLow + shift,
                ownHigh + shift)
            : meet(
                low, high, Math.max(ownLow, low(t)) + shift, Math.min(ownHigh, high(t)) + shift)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The stretches of a tensor, from its first byte, that an op writes, or that are given. */
  private List<long[]> written(int t) {
    return shared.isView(t) ? List.of() : copied.getOrDefault(t, ALL);
  }

  private static boolean meet(long low, long high, long otherLow, long otherHigh) {
    return Math.max(low, otherLow) < Math.min(high, otherHigh);
  }

  private long low(int t) {
    return shared.offset(t);
  }

  private long high(int t) {
    return shared.offset(t) + lives.tensor(t).bytes();
  }

  private long readLow(int t) {
    return Math.max(low(t), low(owners.getOrDefault(t, t)));
  }

  private long readHigh(int t) {
    return Math.min(high(t), high(owners.getOrDefault(t, t)));
  }

  /** Whether a tensor is a concat whose operands are in its place, or not, each for itself. */
  boolean isAssembled(int t) {
    return placed.containsKey(t);
  }

  /** Whether a tensor is a concat that has not run at a step at which operands are in its place. */
  boolean isBegun(int t, int step) {
    return lives.madeAt(t) > step
        && placed.getOrDefault(t, Set.of()).stream().anyMatch(part -> lives.madeAt(part) <= step);
  }

  /** Whether an operand of a concat is in its place there. */
  boolean isPart(int t, int concat) {
    return placed.get(concat).contains(t);
  }
}

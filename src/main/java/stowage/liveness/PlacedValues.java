package stowage.liveness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.Placement;

/**
 * Values that the ops of a network write into a plan's bytes, and the steps that read them.
 *
 * <p>A value is what one tensor is written with: all of its bytes, or of a concat those that it
 * copies. A view that is where its source has it is written by no op; reading it reads the bytes of
 * the values that are there, and the op that makes it reads nothing. So a slice in place needs only
 * its own bytes of its source, and only until it is read itself. Live ranges play no part.
 */
final class PlacedValues {
  /** The step before all ops, which writes graph inputs and variables. */
  static final int BEFORE_ALL = -1;

  /**
   * A read of the bytes [low, high) of a value at a step; {@code shown} is the step that makes what
   * is read: the value, or a view of it.
   */
  record Read(int step, long low, long high, int shown) {}

  /** The bytes [low, high) written at ascending steps; {@link #BEFORE_ALL} for what is given. */
  record Value(
      String name,
      int buffer,
      int memory,
      long low,
      long high,
      List<Integer> writes,
      List<Read> reads) {
    int made() {
      return writes.get(0);
    }
  }

  private record Spot(Tensor tensor, int buffer, int memory, long low, long high) {
    boolean within(Spot other) {
      return buffer == other.buffer && low >= other.low && high <= other.high;
    }
  }

  private record Piece(Value value, long low, long high, int shown) {}

  private final Network network;
  private final Map<String, Spot> spots = new HashMap<>();
  private final Map<String, List<Piece>> pieces = new HashMap<>();
  private final List<Value> values = new ArrayList<>();

  private PlacedValues(PlanningCase given, Placement placement) {
    this.network = given.network();
    for (int b = 0; b < given.contents().size(); b++) {
      Buffer buffer = given.problem().buffer(b);
      for (PlanningCase.Part part : given.parts(b)) {
        Tensor tensor = network.tensor(part.tensor());
        // A view of a weight has bytes, but those are the weight's: its buffer has none.
        if (tensor.bytes() > 0 && buffer.needsMemory()) {
          long low = placement.offset(b) + part.offset();
          spots.put(
              tensor.name(), new Spot(tensor, b, placement.memory(b), low, low + tensor.bytes()));
        }
      }
    }
  }

  /** The values of a network's case in the order in which they are made. */
  static List<Value> of(PlanningCase given, Placement placement) {
    PlacedValues placed = new PlacedValues(given, placement);
    placed.follow(given);
    placed.addScratch(given, placement);
    return placed.values;
  }

  private void follow(PlanningCase given) {
    Set<String> kept = new LinkedHashSet<>(network.outputs());
    for (Spot spot : List.copyOf(spots.values())) {
      boolean variable = spot.tensor().kind() == Tensor.Kind.VARIABLE;
      if (variable) {
        kept.add(spot.tensor().name());
      }
      boolean input = network.inputs().contains(spot.tensor().name());
      if (variable || input && network.producer(spot.tensor().name()) < 0) {
        write(spot.tensor().name(), BEFORE_ALL);
      }
    }
    if (given.options().inputs() == LivenessOptions.Inputs.KEEP) {
      kept.addAll(network.inputs());
    }
    for (int step = 0; step < given.order().length; step++) {
      follow(network.ops().get(given.order()[step]), step);
    }
    kept.forEach(name -> read(name, given.order().length));
  }

  private void follow(Op op, int step) {
    if (isConcatInPlace(op)) {
      assemble(op, step);
      return;
    }
    Spot source = viewed(op);
    boolean copies = op.outputs().isEmpty();
    for (String output : op.presentOutputs()) {
      copies |= !isView(output, source);
    }
    if (copies) {
      for (String name : new LinkedHashSet<>(op.presentInputs())) {
        long[] bytes = touched(op, name);
        read(name, bytes[0], bytes[1], step);
      }
    }
    for (String output : op.presentOutputs()) {
      if (isView(output, source)) {
        Spot spot = spots.get(output);
        pieces.put(output, cut(source.tensor().name(), spot, step));
      } else {
        write(output, step);
      }
    }
  }

  /** Where what an op shows parts of is; null where it is no op of views, or that is elsewhere. */
  private Spot viewed(Op op) {
    if (OpTraits.hasFusedActivation(op) || op.inputs().isEmpty()) {
      return null;
    }
    return switch (OpTraits.of(op)) {
      case RESHAPE_LIKE, SLICE_LIKE, SPLIT_LIKE -> spots.get(OpTraits.source(op));
      default -> null;
    };
  }

  private boolean isView(String output, Spot source) {
    Spot spot = spots.get(output);
    return source != null && spot != null && spot.within(source);
  }

  /** Whether some operand of a concat is already where the concat wants it. */
  private boolean isConcatInPlace(Op op) {
    if (OpTraits.of(op) != OpTraits.CONCAT_LIKE
        || OpTraits.hasFusedActivation(op)
        || op.outputs().size() != 1
        || !spots.containsKey(op.outputs().get(0))) {
      return false;
    }
    Spot whole = spots.get(op.outputs().get(0));
    long at = whole.low();
    boolean some = false;
    for (String input : op.presentInputs()) {
      some |= isAt(input, whole.buffer(), at);
      at += network.tensor(input).bytes();
    }
    return some && at == whole.high();
  }

  private boolean isAt(String name, int buffer, long low) {
    Spot spot = spots.get(name);
    return spot != null && spot.buffer() == buffer && spot.low() == low;
  }

  /** A concat: it copies those operands that are not in their places. */
  private void assemble(Op op, int step) {
    String name = op.outputs().get(0);
    Spot whole = spots.get(name);
    List<Piece> parts = new ArrayList<>();
    long at = whole.low();
    for (String input : op.presentInputs()) {
      long end = at + network.tensor(input).bytes();
      if (isAt(input, whole.buffer(), at)) {
        parts.addAll(cut(input, spots.get(input), step));
      } else if (end > at) {
        read(input, step);
        parts.add(add(name, whole, at, end, step));
      }
      at = end;
    }
    pieces.put(name, parts);
  }

  /** What a view shows of a tensor. */
  private List<Piece> cut(String name, Spot view, int step) {
    List<Piece> shown = new ArrayList<>();
    for (Piece piece : pieces.getOrDefault(name, List.of())) {
      long low = Math.max(view.low(), piece.low());
      long high = Math.min(view.high(), piece.high());
      if (low < high) {
        shown.add(new Piece(piece.value(), low, high, step));
      }
    }
    return shown;
  }

  private void write(String name, int step) {
    Spot spot = spots.get(name);
    List<Piece> known = pieces.get(name);
    if (spot != null && known != null && spot.tensor().kind() == Tensor.Kind.VARIABLE) {
      known.get(0).value().writes().add(step);
    } else if (spot != null) {
      pieces.put(name, List.of(add(name, spot, spot.low(), spot.high(), step)));
    }
  }

  private Piece add(String name, Spot spot, long low, long high, int step) {
    List<Integer> writes = new ArrayList<>(List.of(step));
    Value value =
        new Value(name, spot.buffer(), spot.memory(), low, high, writes, new ArrayList<>());
    values.add(value);
    return new Piece(value, low, high, step);
  }

  private void read(String name, int step) {
    read(name, 0, network.tensor(name).bytes(), step);
  }

  /** Reads the bytes [from, to) of a tensor. */
  private void read(String name, long from, long to, int step) {
    for (Piece piece : pieces.getOrDefault(name, List.of())) {
      long low = Math.max(piece.low(), spots.get(name).low() + from);
      long high = Math.min(piece.high(), spots.get(name).low() + to);
      if (low < high) {
        piece.value().reads().add(new Read(step, low, high, piece.shown()));
      }
    }
  }

  /** The bytes of an operand that an op reads: a slice those from its first to its last element. */
  private long[] touched(Op op, String name) {
    Tensor from = network.tensor(name);
    Tensor part = network.tensor(op.outputs().isEmpty() ? name : op.outputs().get(0));
    if (OpTraits.of(op) != OpTraits.SLICE_LIKE
        || !OpTraits.source(op).equals(name)
        || part.rank() != from.rank()) {
      return new long[] {0, from.bytes()};
    }
    long first = 0;
    long last = 0;
    for (int d = 0; d < from.rank(); d++) {
      long extent = from.extent(d);
      long start = OpTraits.sliceStart(op, d, from.rank(), extent); // -1: any of them
      first = first * extent + Math.max(0, start);
      last = last * extent + (start < 0 ? extent : start + part.extent(d)) - 1;
    }
    int bits = from.type().bits();
    return new long[] {first * bits / 8, ((last + 1) * bits + 7) / 8};
  }

  private void addScratch(PlanningCase given, Placement placement) {
    for (int b = 0; b < given.contents().size(); b++) {
      Buffer buffer = given.problem().buffer(b);
      int step = buffer.live().start();
      if (given.parts(b).isEmpty() && step < given.order().length) {
        long low = placement.offset(b);
        long high = low + buffer.size();
        List<Read> reads = new ArrayList<>(List.of(new Read(step, low, high, step)));
        values.add(new Value(buffer.id(), b, placement.memory(b), low, high, List.of(step), reads));
      }
    }
  }
}

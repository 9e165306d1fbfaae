package stowage.liveness;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * The tensors that are in one buffer, and where in it.
 *
 * <p>Views hold bytes that are there already. A reshape's result is its operand under another
 * shape; a slice is a stretch of its operand if it is cut along one axis, without steps, and no
 * extent before that axis is other than 1, for only then is it contiguous; the parts of a split
 * likewise. A concat is the other way round: under the same condition its operands can be written
 * at once to where they are wanted, and the concat itself does nothing. These are TPU-MLIR's rules
 * (sophgo/tpu-mlir, lib/Dialect/Tpu/Transforms/AddressAssign.cpp and the ops' {@code
 * supportInplace}); as there, an offset inside a buffer is the sum of sizes and is not aligned.
 *
 * <p>A tensor has one place. So an operand of a concat can be merged only if all that shares its
 * buffer so far is within the operand's own bytes: a part of a larger buffer cannot move. That lets
 * a concat of a concat merge (the inner one fills exactly its operand), lets an operand have any
 * number of other readers, and keeps the second of two concats of one tensor from merging. TPU-MLIR
 * instead counts uses and refuses more than two operands with several. Left out besides: operands
 * that are weights or variables, an operand that must stay to the end when the concat need not (it
 * would hold all of it), and any view with an activation fused into it. An attribute {@code
 * only_merge}, which TPU-MLIR's files carry, decides by itself against merging.
 *
 * <p>Example: a [1,3], b [1,2] and c = Concat{axis 1}(a, b) of 4-byte elements: all three share a
 * buffer of 20 bytes, a and c at 0, b at 12. With d = Reshape(a) d is at 0 too. The buffer is live
 * from the first of a and b to the last use of any of the four. As in TPU-MLIR it is taken whole
 * for all that time, so a concat whose operands are made far apart may cost more than it saves.
 *
 * <p>Elementwise ops may then write over an operand of the same size. The operand's buffer must
 * hold nothing that is needed later, neither of the two may be inside a larger buffer (which would
 * live longer as a whole), and where ops may run in other orders every other reader must come
 * before in all of them.
 *
 * <p>Other systems share less, each by its own {@link InPlaceRule}.
 *
 * <p>A view of a weight is a weight: its bytes are among the weights, and here it has none.
 */
final class SharedBuffers {
  private final Network network;
  private final int[] order;
  private final TensorLives lives;
  private final List<List<Integer>> members = new ArrayList<>();
  private final int[] sharing;
  private final long[] offset;
  private final long[] low;
  private final long[] high;
  private final boolean[] constant;

  /** By buffer the least step at which nothing in it is needed but by that step's op, in order. */
  private final int[] busy;

  private final InPlaceRule rule;
  private final Set<Integer> refused = new HashSet<>();
  private final Set<Integer> parted = new HashSet<>();

  /** Results that are where an operand has them already, so that their op does nothing. */
  private final Set<Integer> views = new HashSet<>();

  private BandPieces pieces;

  /**
   * Works out all sharing. O(operands + tensors log tensors), with elementwise ops in place and ops
   * out of order times the tensors in a buffer.
   *
   * @param precedence which ops come before which, by the freedom of order in use; null leaves
   *     elementwise ops out, whose sharing depends on the order
   * @param copying with bands, results of concats that copy all their operands
   */
  SharedBuffers(
      Network network,
      int[] order,
      TensorLives lives,
      LivenessOptions.InPlace inPlace,
      Precedence precedence,
      boolean bands,
      Set<Integer> copying) {
    this.network = network;
    this.order = order;
    this.lives = lives;
    this.sharing = new int[lives.count()];
    this.offset = new long[lives.count()];
    this.low = new long[lives.count()];
    this.high = new long[lives.count()];
    this.constant = new boolean[lives.count()];
    this.busy = new int[lives.count()];
    this.rule = new InPlaceRule(network, inPlace);
    for (int t = 0; t < sharing.length; t++) {
      sharing[t] = t;
      high[t] = lives.tensor(t).bytes();
      int[] reads = lives.readAt(t);
      int read = reads.length == 0 ? 0 : reads[reads.length - 1];
      busy[t] = lives.toTheEnd(t) ? Integer.MAX_VALUE : Math.max(lives.madeAt(t) + 1, read);
      members.add(new ArrayList<>(List.of(t)));
    }
    if (inPlace != LivenessOptions.InPlace.NONE) {
      // In the network's own order, so that views share alike however the ops are scheduled.
      int[] given = network.executionOrder();
      for (int index : given) {
        shareViews(network.ops().get(index), bands);
      }
      pieces = bands ? new BandPieces(network, order, lives, this, copying) : null;
    }
    for (int step = 0; step < order.length && precedence != null; step++) {
      shareElementwise(step, precedence);
    }
  }

  /** The number of a tensor's buffer: equal for tensors that share one. */
  int buffer(int t) {
    return sharing[t];
  }

  List<Integer> members(int buffer) {
    return members.get(buffer);
  }

  /** Bytes of a tensor from its buffer's start. */
  long offset(int t) {
    return offset[t] - low[sharing[t]];
  }

  /** Bytes of a tensor that need a place among the activations: none for views of weights. */
  long bytes(int t) {
    return constant[t] ? 0 : lives.tensor(t).bytes();
  }

  long extent(int buffer) {
    return high[buffer] - low[buffer];
  }

  /**
   * Bytes of a buffer, rounded up to an alignment; where TFLite Micro plans each of its tensors,
   * which are rounded up wherever they begin.
   */
  long size(int buffer, long alignment) {
    String name = lives.tensor(members(buffer).get(0)).name();
    long size = WeightLayout.roundedUp(0, extent(buffer), alignment, name);
    for (int t : network.format().equals("tflite") ? members(buffer) : List.<Integer>of()) {
      size = Math.max(size, offset(t) + WeightLayout.roundedUp(0, bytes(t), alignment, name));
    }
    return size;
  }

  private void shareViews(Op op, boolean bands) {
    if (OpTraits.hasFusedActivation(op) || !rule.isView(op)) {
      return;
    }
    OpTraits trait = OpTraits.of(op);
    if (trait == OpTraits.CONCAT_LIKE && !bands) {
      shareConcat(op);
    }
    long[] starts = ViewShapes.starts(network, op);
    for (int k = 0; k < starts.length; k++) {
      if (starts[k] >= 0) {
        Tensor from = network.tensor(OpTraits.source(op));
        view(from, network.tensor(op.outputs().get(k)), starts[k]);
      }
    }
  }

  private Tensor present(String name) {
    return name.isEmpty() ? null : network.tensor(name);
  }

  private void view(Tensor from, Tensor to, long at) {
    int result = lives.of(to.name());
    int source = lives.of(from.name());
    if (to.kind() != Tensor.Kind.ACTIVATION || to.bytes() == 0) {
      return;
    }
    if (result < 0 || (source < 0 && !from.isWeight() && !rule.viewsWhatIsElsewhere())) {
      return; // kept elsewhere: the result needs bytes of its own
    }
    if (source < 0 || constant[source]) {
      constant[result] = true;
      views.add(result);
      high[result] = 0;
      return;
    }
    if (sharing[result] != sharing[source]) {
      merge(source, result, at);
      views.add(result);
    }
  }

  private void shareConcat(Op op) {
    if (op.outputs().size() != 1 || Boolean.FALSE.equals(op.attributes().get("only_merge"))) {
      return;
    }
    Tensor whole = present(op.outputs().get(0));
    if (whole == null || whole.kind() != Tensor.Kind.ACTIVATION || whole.bytes() == 0) {
      return;
    }
    int result = lives.of(whole.name());
    if (result < 0) {
      return;
    }
    List<Integer> parts = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    if (!partsOf(op, whole, parts, places)) {
      if (op.presentInputs().stream()
          .anyMatch(part -> ViewShapes.fits(network.tensor(part), whole))) {
        refused.add(result);
        op.presentInputs().forEach(part -> parted.add(lives.of(part)));
      }
      return;
    }
    for (int k = 0; k < parts.size(); k++) {
      merge(result, parts.get(k), places.get(k));
    }
  }

  /** The operands of a concat with their places in it; false when they cannot be merged. */
  private boolean partsOf(Op op, Tensor whole, List<Integer> parts, List<Long> places) {
    List<Tensor> operands = op.presentInputs().stream().map(network::tensor).toList();
    int axis = ViewShapes.commonAxis(whole, operands);
    if (axis < 0 || ViewShapes.extents(operands, axis) != whole.extent(axis)) {
      return false;
    }
    long start = 0;
    Set<Integer> buffers = new HashSet<>();
    boolean kept = lives.toTheEnd(lives.of(whole.name()));
    for (Tensor part : operands) {
      int t = lives.of(part.name());
      long at = ViewShapes.contiguousStart(whole, axis, start);
      if (t < 0
          || constant[t]
          || part.kind() != Tensor.Kind.ACTIVATION
          || part.bytes() == 0
          || !fillsItsBuffer(t)
          || !buffers.add(sharing[t])
          || (!kept && members.get(sharing[t]).stream().anyMatch(lives::toTheEnd))
          || at < 0
          || part.elements() * part.type().bits() % 8 != 0) {
        return false;
      }
      parts.add(t);
      places.add(at);
      start += part.extent(axis);
    }
    return true;
  }

  /** Whether a tensor is where an operand of its op has it already. */
  boolean isView(int t) {
    return views.contains(t);
  }

  /** The operands of concats that are in their place each for itself; null without bands. */
  BandPieces pieces() {
    return pieces;
  }

  /** Whether a tensor shows a weight. */
  boolean isConstant(int t) {
    return constant[t];
  }

  /** Whether all that shares a tensor's buffer is within the tensor's own bytes. */
  boolean fillsItsBuffer(int t) {
    return low[sharing[t]] == offset[t] && high[sharing[t]] == offset[t] + bytes(t);
  }

  private void shareElementwise(int step, Precedence precedence) {
    Op op = network.ops().get(order[step]);
    for (int from : overwritable(op, false)) {
      if (diesAt(from, step, precedence)) {
        merge(from, lives.of(op.outputs().get(0)), 0);
        return;
      }
    }
  }

  /** Whether a tensor is an operand of a concat that was not made in place but might be. */
  boolean mightBePart(int t) {
    return parted.contains(t);
  }

  /** Whether a tensor is the result of a concat that was not made in place but might be. */
  boolean mightShareOtherwise(int t) {
    return refused.contains(t);
  }

  /**
   * The operands that an op can write over if they are no longer needed; in any sharing also where
   * they or the result are inside of larger buffers.
   */
  List<Integer> overwritable(Op op, boolean anySharing) {
    List<String> wanted = rule.overwritable(op);
    if (wanted.isEmpty()) {
      return List.of();
    }
    Tensor result = present(op.outputs().get(0));
    if (result == null || result.kind() != Tensor.Kind.ACTIVATION || result.bytes() == 0) {
      return List.of();
    }
    int to = lives.of(result.name());
    if (to < 0 || constant[to] || !anySharing && !fillsItsBuffer(to)) {
      return List.of();
    }
    List<Integer> operands = new ArrayList<>();
    for (String input : wanted) {
      int from = lives.of(input);
      if (from >= 0
          && !constant[from]
          && rule.admits(op, lives.tensor(from), result, views.contains(from))
          && ViewShapes.sameBytes(lives.tensor(from), result)
          && (anySharing
              || sharing[from] != sharing[to] && fillsItsBuffer(from) && readOnlyAs(from, op))) {
        operands.add(from);
      }
    }
    return operands;
  }

  /** Whether an op reads a buffer under one name only, so that elements meet themselves. */
  private boolean readOnlyAs(int t, Op op) {
    for (String input : op.presentInputs()) {
      int other = lives.of(input);
      if (other >= 0 && other != t && sharing[other] == sharing[t]) {
        return false;
      }
    }
    return true;
  }

  /** Whether nothing in a tensor's buffer is needed but by ops that come before a step. */
  private boolean diesAt(int t, int step, Precedence precedence) {
    if (precedence.isInOrder()) {
      return busy[sharing[t]] <= step;
    }
    for (int other : members.get(sharing[t])) {
      if (lives.toTheEnd(other)) {
        return false;
      }
      if (lives.madeAt(other) >= 0 && !precedence.precedes(lives.madeAt(other), step)) {
        return false;
      }
      for (int reader : lives.readAt(other)) {
        if (reader != step && !precedence.precedes(reader, step)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Puts two buffers together so that {@code second} is {@code at} bytes after {@code first}. */
  void merge(int first, int second, long at) {
    int kept = sharing[first];
    int moved = sharing[second];
    long shift = offset[first] + at - offset[second];
    if (members.get(kept).size() < members.get(moved).size()) {
      int other = kept;
      kept = moved;
      moved = other;
      shift = -shift;
    }
    for (int t : members.get(moved)) {
      sharing[t] = kept;
      offset[t] += shift;
    }
    members.get(kept).addAll(members.get(moved));
    members.get(moved).clear();
    low[kept] = Math.min(low[kept], low[moved] + shift);
    high[kept] = Math.max(high[kept], high[moved] + shift);
    busy[kept] = Math.max(busy[kept], busy[moved]);
  }
}

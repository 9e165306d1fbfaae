package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.range.SliceStarts;

/**
 * Results of runs that stay in pieces: slices along the axis of a concatenation read its operands,
 * so that such a slice is a piece itself, a part of one, or the concatenation of what it needs of
 * several. The concatenation is put off until another op reads it, or left out where none does.
 *
 * <p>Left as they are: concatenations whose operands are stretches of the result, since these take
 * no bytes of their own where buffers are shared.
 */
final class PieceFlow {
  private final boolean tflite;
  private final Set<String> outputs;
  private final List<Op> ops;
  private final List<OpOrigin> origins;
  private final Map<String, TensorOrigin> regions;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Function<String, Tensor> made;
  private final BiFunction<String, Boolean, String> names;

  /** By result that stays in pieces the concatenation that is left out. */
  private final Map<String, Op> left = new HashMap<>();

  /** Those of which no other op has been met that reads them. */
  private final Map<String, OpOrigin> waiting = new HashMap<>();

  private final Map<String, String> same = new HashMap<>();
  private final List<Op> written = new ArrayList<>();
  private final List<OpOrigin> writtenOrigins = new ArrayList<>();

  /**
   * @param outputs what stays whole
   * @param ops all ops, in the order in which they run; changed in place, as are the next three
   * @param tensors what pieces and slices are, by name
   * @param given the given network's tensors by name; null for others
   * @param names gives a free name near a wanted one, of a tensor if true, else of an op
   */
  PieceFlow(
      boolean tflite,
      List<String> outputs,
      List<Op> ops,
      List<OpOrigin> origins,
      List<Tensor> tensors,
      Map<String, TensorOrigin> regions,
      Function<String, Tensor> given,
      BiFunction<String, Boolean, String> names) {
    this.tflite = tflite;
    this.outputs = Set.copyOf(outputs);
    this.ops = ops;
    this.origins = origins;
    this.regions = regions;
    this.names = names;
    this.made = name -> this.tensors.getOrDefault(name, given.apply(name));
    tensors.forEach(tensor -> this.tensors.put(tensor.name(), tensor));
    findLeft();
    if (!left.isEmpty()) {
      for (int k = 0; k < ops.size(); k++) {
        step(ops.get(k), origins.get(k));
      }
      waiting.keySet().forEach(this.tensors::remove);
      replace(ops, written);
      replace(origins, writtenOrigins);
      replace(tensors, this.tensors.values());
    }
  }

  private static <T> void replace(List<T> old, java.util.Collection<T> now) {
    old.clear();
    old.addAll(now);
  }

  private void findLeft() {
    for (int k = 0; k < ops.size(); k++) {
      Op op = ops.get(k);
      if (origins.get(k).kind() == OpOrigin.Kind.CONCAT
          && !outputs.contains(op.outputs().get(0))
          && !isStretched(op)) {
        left.put(op.outputs().get(0), op);
      }
    }
    Set<String> sliced = new HashSet<>();
    for (int k = 0; k < ops.size(); k++) {
      for (String input : ops.get(k).presentInputs()) {
        if (isSlice(ops.get(k), origins.get(k), left.get(input))) {
          sliced.add(input);
        }
      }
    }
    left.keySet().retainAll(sliced);
  }

  private boolean isSlice(Op op, OpOrigin origin, Op concat) {
    return concat != null && taken(op, origin, concat) != null;
  }

  /** What an op takes out of a concatenation's result; null where it is no slice. */
  private TensorOrigin taken(Op op, OpOrigin origin, Op concat) {
    if (origin.kind() == OpOrigin.Kind.SLICE) {
      TensorOrigin part = regions.get(op.outputs().get(0));
      boolean along = differsOnly(part, region(concat), (int) concat.integer("axis", 0));
      return along ? part : null;
    }
    boolean given =
        origin.kind() == OpOrigin.Kind.GIVEN && op.type().equals("Slice") && !op.flag("relu");
    Tensor result = given ? made.apply(op.outputs().get(0)) : null;
    TensorOrigin whole = region(concat);
    long[] begin = given ? SliceStarts.of(op, whole.end()) : null;
    if (begin == null || result.rank() != begin.length || Arrays.stream(whole.begin()).sum() > 0) {
      return null;
    }
    long[] end = new long[begin.length];
    Arrays.setAll(end, d -> begin[d] + result.extent(d));
    return new TensorOrigin(whole.tensor(), begin, end, 1);
  }

  /** What a concatenation assembles, of the given network's tensor. */
  private TensorOrigin region(Op concat) {
    TensorOrigin first = regions.get(concat.inputs().get(0));
    TensorOrigin last = regions.get(concat.inputs().get(concat.inputs().size() - 1));
    return new TensorOrigin(first.tensor(), first.begin(), last.end(), 1);
  }

  private boolean isStretched(Op concat) {
    TensorOrigin region = region(concat);
    long outer = 1;
    for (int d = 0; d < concat.integer("axis", 0); d++) {
      outer *= region.end()[d] - region.begin()[d];
    }
    return outer == 1;
  }

  private static boolean differsOnly(TensorOrigin one, TensorOrigin other, int dim) {
    return IntStream.range(0, one.begin().length)
        .allMatch(
            d -> d == dim || one.begin()[d] == other.begin()[d] && one.end()[d] == other.end()[d]);
  }

  private void step(Op op, OpOrigin origin) {
    if (left.get(op.outputs().isEmpty() ? "" : op.outputs().get(0)) == op) {
      waiting.put(op.outputs().get(0), origin);
      return;
    }
    Op source = op.inputs().isEmpty() ? null : left.get(op.inputs().get(0));
    if (source != null && waiting.containsKey(op.inputs().get(0)) && isSlice(op, origin, source)) {
      gather(op, origin, source);
      return;
    }
    for (String input : op.presentInputs()) {
      OpOrigin concat = waiting.remove(input);
      if (concat != null) {
        add(renamed(left.get(input)), concat);
      }
    }
    add(renamed(op), origin);
  }

  private Op renamed(Op op) {
    List<String> inputs = op.inputs().stream().map(in -> same.getOrDefault(in, in)).toList();
    return inputs.equals(op.inputs()) ? op : op.renamed(op.name(), inputs, op.outputs());
  }

  private void add(Op op, OpOrigin origin) {
    written.add(op);
    writtenOrigins.add(origin);
  }

  /** Does what a slice of a result in pieces does. */
  private void gather(Op slice, OpOrigin origin, Op source) {
    String result = slice.outputs().get(0);
    TensorOrigin wanted = taken(slice, origin, source);
    OpOrigin cut = origin.as(OpOrigin.Kind.SLICE);
    int dim = (int) source.integer("axis", 0);
    List<String> parts = new ArrayList<>();
    List<String> needed = new ArrayList<>();
    for (String input : source.inputs()) {
      TensorOrigin piece = regions.get(input);
      if (piece.begin()[dim] < wanted.end()[dim] && piece.end()[dim] > wanted.begin()[dim]) {
        needed.add(same.getOrDefault(input, input));
      }
    }
    boolean one = needed.size() == 1;
    boolean kept = one && (outputs.contains(result) || slice.cost() > 0);
    for (String input : needed) {
      TensorOrigin piece = regions.get(input);
      long[] begin = wanted.begin();
      long[] end = wanted.end();
      begin[dim] = Math.max(begin[dim], piece.begin()[dim]);
      end[dim] = Math.min(end[dim], piece.end()[dim]);
      if (!kept && Arrays.equals(begin, piece.begin()) && Arrays.equals(end, piece.end())) {
        parts.add(input);
        continue;
      }
      String part = one ? result : names.apply(result, true);
      if (!one) {
        declare(part, made.apply(result), begin, end, wanted.tensor());
      }
      Map<String, Object> attributes =
          PieceOp.slice(tflite, piece.begin(), piece.end(), begin, end);
      String name = one ? slice.name() : names.apply(slice.name(), false);
      add(new Op(name, slice.type(), attributes, List.of(input), List.of(part), List.of()), cut);
      parts.add(part);
    }
    if (parts.size() > 1) {
      String name = slice.name();
      if (origin.kind() == OpOrigin.Kind.SLICE) {
        name = names.apply(name.replace(".slice", ".concat"), false);
      }
      OpOrigin from = origin.as(OpOrigin.Kind.CONCAT);
      Map<String, Object> axis = Map.of("axis", (long) dim);
      add(new Op(name, source.type(), axis, parts, List.of(result), List.of()), from);
    } else if (!parts.get(0).equals(result)) {
      same.put(result, parts.get(0));
      tensors.remove(result);
    }
  }

  private void declare(String name, Tensor like, long[] begin, long[] end, String tensor) {
    long[] shape = new long[begin.length];
    Arrays.setAll(shape, d -> end[d] - begin[d]);
    List<Long> extents = Arrays.stream(shape).boxed().toList();
    tensors.put(name, new Tensor(name, extents, like.type(), like.kind()));
    regions.put(name, new TensorOrigin(tensor, begin, end, 1));
  }
}

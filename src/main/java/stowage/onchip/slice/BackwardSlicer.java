package stowage.onchip.slice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.AxisRule;
import stowage.onchip.layer.Extents;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Slice;

/**
 * Slicer that works out, from the slices of a group's results, the slices of everything before
 * them.
 *
 * <p>Each result is cut into nearly equal parts: the first {@code extent % count} of them one
 * longer; channels are cut in whole rounds of lanes. Ops are then visited last to first. The slices
 * an op's results have ask, by its {@link AxisRule}s, for slices of its operands. An activation
 * that several ops read, or that is stored besides, takes the union of what is asked of it, slice
 * by slice, if these overlap; under the rules of the documents unequal slices fail.
 *
 * <p>With {@link Rules#overlapLimit} a group fails when rows of one of its inputs are read twice
 * and more than half of them are: 2 * (sum of slice rows) &gt; 3 * rows. An input of 100 rows cut
 * into [0, 80) and [20, 100) is read 160 rows in all: 320 &gt; 300, it fails; [0, 60) and [20, 100)
 * make 140: 280 passes.
 *
 * <p>Source: lib/Dialect/Tpu/Transforms/LayerGroup/LayerGroupUtil.cpp of TPU-MLIR, and its
 * developer manual's chapter on layer groups. O(ops * operands * slices).
 */
public record BackwardSlicer(Rules rules) {
  /**
   * Which slicings are allowed.
   *
   * @param union whether unequal slices asked of one activation are joined; else they fail
   * @param overlapLimit whether repeated rows of an input are limited to half its rows
   * @param rowsOnly whether the batch and the rows alone are cut, as the documents describe it
   */
  public record Rules(boolean union, boolean overlapLimit, boolean rowsOnly) {
    /** Rules that let every axis be cut. */
    public Rules(boolean union, boolean overlapLimit) {
      this(union, overlapLimit, false);
    }

    /** As today's TPU-MLIR has it. */
    public static final Rules TODAY = new Rules(true, false);

    /** As its documents describe it. */
    public static final Rules DOCUMENT = new Rules(false, true);
  }

  /** The most slices along an axis that are looked at. */
  private static final int MOST_SLICES = 1 << 16;

  /** Cuts an axis into parts: the first ones one unit longer where it does not divide. */
  public static List<Slice> cut(long extent, int count, long unit) {
    List<Slice> slices = new ArrayList<>();
    long units = LaneSize.ceilDiv(extent, unit);
    long begin = 0;
    for (int k = 0; k < count; k++) {
      long size = Math.min((units / count + (k < units % count ? 1 : 0)) * unit, extent - begin);
      slices.add(new Slice(begin, size));
      begin += size;
    }
    return slices;
  }

  /** Whether repeated rows exceed half of an axis: the document's limit. */
  public static boolean repeatsTooMuch(List<Slice> slices, long extent) {
    long sum = slices.stream().mapToLong(Slice::size).sum();
    return 2 * sum > 3 * extent;
  }

  /**
   * The most slices along each axis that every result of the group allows. Channels are cut only on
   * chips of the BM1684X family, columns and depth only where the chip says so.
   */
  public static Slicing most(GroupModel group) {
    LayerGraph graph = group.graph();
    int[] most = new int[Axis.COUNT];
    Arrays.fill(most, MOST_SLICES);
    for (int t = 0; t < group.tensorCount(); t++) {
      if (!group.isStored(t)) {
        continue;
      }
      Extents extents = graph.extents(group.tensor(t));
      int bits = graph.bits(group.tensor(t));
      long perSlice = graph.chip().fourNPacking() ? Math.max(1, 32 / Math.max(1, bits)) : 1;
      boolean finer = graph.chip().widthSlicing() && bits >= 8;
      boolean wide = extents.w() * bits / 8 > graph.chip().dmaAlignment();
      long[] own = {
        extents.n() / perSlice,
        LaneSize.ceilDiv(extents.c(), graph.chip().lanes()),
        finer ? extents.d() : 1,
        extents.h(),
        finer && wide ? extents.w() : 1
      };
      Arrays.setAll(most, axis -> (int) Math.max(1, Math.min(most[axis], own[axis])));
    }
    return Slicing.of(most);
  }

  /** The same, where rules may leave the batch and the rows alone. */
  static Slicing most(GroupModel group, Rules rules) {
    Slicing most = most(group);
    return rules.rowsOnly() ? new Slicing(most.n(), 1, 1, most.h(), 1) : most;
  }

  /** The slices of all activations of a group, where it can be cut this way. */
  public SlicedGroup slice(GroupModel group, Slicing slicing) throws SlicingException {
    AxisCut[] cuts = new AxisCut[Axis.COUNT];
    for (Axis axis : Axis.values()) {
      cuts[axis.ordinal()] = cut(group, axis, slicing.along(axis));
    }
    return new SlicedGroup(group, slicing, cuts);
  }

  /** The slices of all activations along one axis; axes do not depend on each other. */
  AxisCut cut(GroupModel group, Axis axis, int count) throws SlicingException {
    LayerGraph graph = group.graph();
    Slice[][] slices = new Slice[group.tensorCount()][];
    if (count == 1) {
      for (int t = 0; t < slices.length; t++) {
        slices[t] = new Slice[] {Slice.whole(graph.extents(group.tensor(t)).along(axis))};
      }
    } else {
      along(group, axis, count, slices);
    }
    return new AxisCut(slices);
  }

  private void along(GroupModel group, Axis axis, int count, Slice[][] slices)
      throws SlicingException {
    LayerGraph graph = group.graph();
    long unit = axis == Axis.C ? graph.chip().lanes() : 1;
    for (int t = 0; t < slices.length; t++) {
      if (group.isStored(t)) {
        long extent = graph.extents(group.tensor(t)).along(axis);
        if (LaneSize.ceilDiv(extent, unit) < count) {
          throw new SlicingException(
              "tensor \"%s\" has %s along %s, too few for %s slices",
              graph.tensor(group.tensor(t)).name(), extent, axis.label(), count);
        }
        slices[t] = cut(extent, count, unit).toArray(new Slice[0]);
      }
    }
    for (int m = group.size() - 1; m >= 0; m--) {
      operands(group, m, axis, count, slices);
    }
    for (int t = 0; t < slices.length; t++) {
      long extent = graph.extents(group.tensor(t)).along(axis);
      if (rules.overlapLimit
          && axis == Axis.H
          && group.isInput(t)
          && repeatsTooMuch(List.of(slices[t]), extent)) {
        throw new SlicingException(
            "more than half of the %s rows of \"%s\" would be read twice by %s slices",
            extent, graph.tensor(group.tensor(t)).name(), count);
      }
    }
  }

  private void operands(GroupModel group, int member, Axis axis, int count, Slice[][] slices)
      throws SlicingException {
    LayerGraph graph = group.graph();
    Layer layer = group.layer(member);
    Slice[] wanted = null;
    long outExtent = 0;
    for (int result : layer.results()) {
      Slice[] of = slices[group.numberOf(result)];
      if (of != null) {
        wanted = wanted == null ? of : joined(wanted, of, axis, graph, result);
        outExtent = graph.extents(result).along(axis);
      }
    }
    if (wanted == null) {
      throw new SlicingException("op \"%s\" has no result that is used", layer.op().name());
    }
    for (int result : layer.results()) {
      slices[group.numberOf(result)] = wanted;
    }
    for (Layer.Operand operand : layer.operands()) {
      long inExtent = graph.extents(operand.tensor()).along(axis);
      AxisRule rule = operand.rules().get(axis.ordinal());
      Slice[] asked = new Slice[count];
      for (int k = 0; k < count; k++) {
        asked[k] = rule.operand(wanted[k], outExtent, inExtent);
        if (asked[k] == null
            || (k > 0
                && inExtent > 1
                && rule != AxisRule.WHOLE
                && isForbidden(graph, axis, asked[k - 1], asked[k]))) {
          throw new SlicingException(
              "op \"%s\" cannot be cut along %s to %s of %s",
              layer.op().name(), axis.label(), wanted[k], outExtent);
        }
      }
      int number = group.numberOf(operand.tensor());
      Slice[] before = slices[number];
      slices[number] =
          before == null ? asked : joined(before, asked, axis, graph, operand.tensor());
    }
  }

  /** On the older chips no slice but the first starts at 0, and no two end alike. */
  private static boolean isForbidden(LayerGraph graph, Axis axis, Slice before, Slice slice) {
    boolean strict =
        axis == Axis.D || ((axis == Axis.H || axis == Axis.W) && !graph.chip().isBm1684xFamily());
    return strict && (slice.begin() == 0 || slice.end() == before.end());
  }

  private Slice[] joined(Slice[] one, Slice[] other, Axis axis, LayerGraph graph, int tensor)
      throws SlicingException {
    Slice[] union = new Slice[one.length];
    for (int k = 0; k < one.length; k++) {
      boolean equal = one[k].equals(other[k]);
      boolean joinable = rules.union && one[k].overlaps(other[k]);
      if (!equal && !joinable) {
        throw new SlicingException(
            "tensor \"%s\" is asked for %s and for %s along %s",
            graph.tensor(tensor).name(), one[k], other[k], axis.label());
      }
      union[k] = equal ? one[k] : one[k].union(other[k]);
    }
    return union;
  }
}

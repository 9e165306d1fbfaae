package stowage.onchip.slice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;

/**
 * A set of ops that run together: what they read from GMEM, hand on inside and write back.
 *
 * <p>Activations are numbered from 0 in the order they are met; {@link #tensors} gives their
 * indices in the {@link LayerGraph}.
 */
public final class GroupModel {
  private final LayerGraph graph;
  private final int[] members;
  private final int[] tensors;
  private final Map<Integer, Integer> local;
  private final int[] producer;
  private final int[][] readers;
  private final boolean[] stored;
  private final Layer.WeightUse[] weights;
  private final int[][] weightReaders;
  private final long[] weightLaneBytes;

  /** Collects rising positions of the execution order into a group. O(members * operands). */
  public GroupModel(LayerGraph graph, int[] members) {
    this.graph = graph;
    this.members = members.clone();
    this.local = new HashMap<>();
    List<Integer> met = new ArrayList<>();
    List<Integer> makers = new ArrayList<>();
    List<List<Integer>> users = new ArrayList<>();
    Map<Integer, Layer.WeightUse> constants = new LinkedHashMap<>();
    Map<Integer, List<Integer>> constantUsers = new HashMap<>();
    for (int m = 0; m < members.length; m++) {
      Layer layer = graph.layer(members[m]);
      for (Layer.Operand operand : layer.operands()) {
        users.get(number(operand.tensor(), -1, met, makers, users)).add(m);
      }
      for (int result : layer.results()) {
        number(result, m, met, makers, users);
      }
      for (Layer.WeightUse weight : layer.weights()) {
        constants.putIfAbsent(weight.tensor(), weight);
        constantUsers.computeIfAbsent(weight.tensor(), key -> new ArrayList<>()).add(m);
      }
    }
    this.tensors = met.stream().mapToInt(Integer::intValue).toArray();
    this.producer = makers.stream().mapToInt(Integer::intValue).toArray();
    this.readers = users.stream().map(GroupModel::ints).toArray(int[][]::new);
    this.weights = constants.values().toArray(new Layer.WeightUse[0]);
    this.weightReaders = new int[weights.length][];
    this.weightLaneBytes = new long[weights.length];
    for (int w = 0; w < weights.length; w++) {
      weightReaders[w] = ints(constantUsers.get(weights[w].tensor()));
      weightLaneBytes[w] = weights[w].laneBytes(graph.chip());
    }
    this.stored = new boolean[tensors.length];
    for (int t = 0; t < tensors.length; t++) {
      stored[t] = producer[t] >= 0 && isNeededOutside(tensors[t]);
    }
  }

  private int number(
      int tensor, int maker, List<Integer> met, List<Integer> makers, List<List<Integer>> users) {
    Integer known = local.get(tensor);
    if (known != null) {
      return known;
    }
    local.put(tensor, met.size());
    met.add(tensor);
    makers.add(maker);
    users.add(new ArrayList<>());
    return met.size() - 1;
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  private boolean isNeededOutside(int tensor) {
    int[] consumers = graph.consumers(tensor);
    if (graph.isOutput(tensor) || consumers.length == 0) {
      return true;
    }
    return Arrays.stream(consumers).anyMatch(c -> Arrays.binarySearch(members, c) < 0);
  }

  public LayerGraph graph() {
    return graph;
  }

  public int size() {
    return members.length;
  }

  /** The positions of the ops in the execution order, rising. */
  public int[] members() {
    return members.clone();
  }

  /** The op of a number within the group. */
  public Layer layer(int member) {
    return graph.layer(members[member]);
  }

  /** How many activations there are. */
  public int tensorCount() {
    return tensors.length;
  }

  /** The index in the {@link LayerGraph} of an activation of the group. */
  public int tensor(int activation) {
    return tensors[activation];
  }

  /** The number of a {@link LayerGraph} tensor within the group. */
  public int numberOf(int tensor) {
    return local.get(tensor);
  }

  /** The op, by number within the group, that writes an activation; -1 for one read from GMEM. */
  public int producer(int activation) {
    return producer[activation];
  }

  /** The ops, by number within the group, that read an activation. */
  public int[] readers(int activation) {
    return readers[activation];
  }

  /** The first op, by number within the group, that needs an activation. */
  int first(int activation) {
    return isInput(activation) ? readers[activation][0] : producer[activation];
  }

  /** The last op, by number within the group, that needs an activation. */
  int last(int activation) {
    int[] of = readers[activation];
    return of.length == 0 ? first(activation) : Math.max(first(activation), of[of.length - 1]);
  }

  /** Whether an op, by number within the group, reads or writes an activation. */
  public boolean touches(int member, int activation) {
    return producer[activation] == member
        || Arrays.stream(readers[activation]).anyMatch(reader -> reader == member);
  }

  /** Whether an activation comes from GMEM. */
  public boolean isInput(int activation) {
    return producer[activation] < 0;
  }

  /** Whether an activation is written back to GMEM. */
  public boolean isStored(int activation) {
    return stored[activation];
  }

  /** How many constants there are. */
  public int weightCount() {
    return weights.length;
  }

  /** A constant as it is in LMEM. */
  public Layer.WeightUse weight(int number) {
    return weights[number];
  }

  /** Bytes of a constant as it is moved. */
  public long weightBytes(int number) {
    return LaneSize.weightBytes(weights[number], graph.tensor(weights[number].tensor()));
  }

  /** Bytes a lane that a constant takes. */
  public long weightLaneBytes(int number) {
    return weightLaneBytes[number];
  }

  /** Bytes a lane that all constants take. */
  public long weightLaneBytes() {
    return Arrays.stream(weightLaneBytes).sum();
  }

  /** The ops, by number within the group, that read a constant. */
  public int[] weightReaders(int number) {
    return weightReaders[number];
  }

  /** The first op of the group that cannot be grouped, or null. */
  public Layer obstacle() {
    return Arrays.stream(members)
        .mapToObj(graph::layer)
        .filter(layer -> !layer.groupable())
        .findFirst()
        .orElse(null);
  }
}

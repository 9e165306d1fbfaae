package stowage.onchip;

/** A way to divide a network into groups. */
public interface Partitioner {

  /** The name on the command line: {@code tail}, {@code dp}, {@code cp}. */
  String name();

  /**
   * Divides a network; every op is in exactly one group.
   *
   * @param search tells what a group costs
   */
  Partition partition(LayerGraph graph, GroupSearch search);

  /** The cost of an op by itself under an objective. */
  static double alone(
      LayerGraph graph, CostModel cost, int position, GroupOptions.GroupObjective objective) {
    Layer layer = graph.layer(position);
    return objective == GroupOptions.GroupObjective.CYCLES
        ? cost.layerCycles(graph, layer)
        : cost.layerTraffic(graph, layer);
  }

  /** The cost of a group, or of an op by itself; infinite for a group that does not fit. */
  static double cost(LayerGraph graph, GroupSearch search, int[] members) {
    GroupOptions.GroupObjective objective = search.options().objective();
    if (members.length == 1) {
      return alone(graph, search.cost(), members[0], objective);
    }
    GroupOutcome outcome = search.search(new GroupModel(graph, members));
    return outcome.fits() ? outcome.cost(objective) : Double.POSITIVE_INFINITY;
  }

  /** The positions from first to last, both included. */
  static int[] interval(int first, int last) {
    int[] members = new int[last - first + 1];
    for (int k = 0; k < members.length; k++) {
      members[k] = first + k;
    }
    return members;
  }
}

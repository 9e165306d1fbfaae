package stowage.onchip.partition;

import java.util.ArrayList;
import java.util.List;
import stowage.onchip.search.GroupSearch;

/** Every op by itself, as a network runs without layer groups: what all others compare with. */
public final class SingletonPartitioner implements Partitioner {

  @Override
  public String name() {
    return "alone";
  }

  @Override
  public Partition partition(GroupSearch search, List<List<int[]>> starts) {
    List<int[]> groups = new ArrayList<>();
    for (int position = 0; position < search.graph().size(); position++) {
      groups.add(new int[] {position});
    }
    return new Partition(groups, IntervalPartitioner.lowerBound(search));
  }
}

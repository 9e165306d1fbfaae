package stowage.exact.search.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.search.model.SearchModel;

/** Cuts a problem where no buffer and no extra conflict crosses a moment in time. */
final class TimeParts {
  private TimeParts() {}

  /**
   * The parts in time order, each the indices of its buffers in ascending order. O(n + sections).
   */
  static List<int[]> of(SearchModel model) {
    int[] open = new int[model.sections + 2];
    for (int buffer = 0; buffer < model.count; buffer++) {
      open[model.reachStart[buffer] + 1]++;
      open[Math.max(model.reachStart[buffer] + 1, model.reachEnd[buffer])]--;
    }
    // open[s] > 0 after summing: some span crosses the border before section s.
    int[] partOf = new int[model.sections + 1];
    int crossing = 0;
    int parts = 0;
    for (int section = 0; section <= model.sections; section++) {
      crossing += open[section];
      if (section > 0 && crossing == 0) {
        parts++;
      }
      partOf[section] = parts;
    }
    int[] sizes = new int[parts + 1];
    for (int buffer = 0; buffer < model.count; buffer++) {
      sizes[partOf[model.reachStart[buffer]]]++;
    }
    int[][] members = new int[parts + 1][];
    for (int part = 0; part <= parts; part++) {
      members[part] = new int[sizes[part]];
    }
    Arrays.fill(sizes, 0);
    for (int buffer = 0; buffer < model.count; buffer++) {
      int part = partOf[model.reachStart[buffer]];
      members[part][sizes[part]++] = buffer;
    }
    List<int[]> result = new ArrayList<>();
    for (int[] part : members) {
      if (part.length > 0) {
        result.add(part);
      }
    }
    return result;
  }
}

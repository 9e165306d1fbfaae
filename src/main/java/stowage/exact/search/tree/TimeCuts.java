package stowage.exact.search.tree;

import java.util.Arrays;
import stowage.exact.search.model.SearchModel;

/**
 * Counts of the unplaced buffers across each border between two sections. Where nothing crosses,
 * the state falls into independent parts. Buffers are counted by their span, which covers whatever
 * they conflict with.
 */
final class TimeCuts {
  private final SearchModel model;
  private final int[] crossing;
  private final int[] partOfSection;

  TimeCuts(SearchModel model) {
    this.model = model;
    this.crossing = new int[model.sections + 1];
    this.partOfSection = new int[model.sections + 1];
  }

  /** Begins a search in which nothing is unplaced yet. */
  void begin() {
    Arrays.fill(crossing, 0);
  }

  /** Counts a buffer among the unplaced. */
  void add(int buffer) {
    int end = model.reachEnd[buffer];
    for (int border = model.reachStart[buffer] + 1; border < end; border++) {
      crossing[border]++;
    }
  }

  /** Takes a buffer out of the unplaced; says whether nothing crosses some border any more. */
  boolean remove(int buffer) {
    boolean free = false;
    int end = model.reachEnd[buffer];
    for (int border = model.reachStart[buffer] + 1; border < end; border++) {
      free |= --crossing[border] == 0;
    }
    return free;
  }

  /** Numbers the parts of {@code [start, end)} in order of time; gives how many there are. */
  int number(int start, int end) {
    int part = 0;
    partOfSection[start] = 0;
    for (int section = start + 1; section < end; section++) {
      if (crossing[section] == 0) {
        part++;
      }
      partOfSection[section] = part;
    }
    return part + 1;
  }

  /** The part a buffer belongs to, as numbered last; those outside go with their side. */
  int partOf(int buffer, int start, int end, int parts) {
    int at = model.reachStart[buffer];
    return at < start ? 0 : at >= end ? parts - 1 : partOfSection[at];
  }
}

package stowage.exact.search.clause;

import java.util.Arrays;
import java.util.BitSet;
import stowage.exact.search.model.SearchModel;

/** Which buffers are live together, as lists, and what each section leaves of the capacity. */
final class LiveSets {
  final int count;
  final int sections;
  final int[] size;

  /** The buffers in each buffer's way. */
  final int[][] near;

  /** The buffers live in each section, the last one first. */
  final int[][] live;

  /** What the capacity leaves free in each section. */
  final int[] room;

  private final SearchModel model;

  LiveSets(SearchModel model) {
    this.model = model;
    this.count = model.count;
    this.sections = model.sections;
    this.size = new int[count];
    this.near = new int[count][];
    this.room = new int[sections];
    this.live = model.live();
    Arrays.setAll(size, i -> (int) model.size[i]);
    int words = model.words;
    Arrays.setAll(
        near,
        i ->
            BitSet.valueOf(Arrays.copyOfRange(model.conflicts, i * words, (i + 1) * words)).stream()
                .toArray());
  }

  void begin(int capacity) {
    for (int section = 0; section < sections; section++) {
      room[section] = capacity;
      for (int i : live[section]) {
        room[section] -= size[i];
      }
    }
  }

  boolean isLive(int buffer, int section) {
    for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
      if (model.spanStart[p] <= section && section < model.spanEnd[p]) {
        return true;
      }
    }
    return false;
  }

  void mark(int buffer, boolean[] marked) {
    for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
      Arrays.fill(marked, model.spanStart[p], model.spanEnd[p], true);
    }
  }
}

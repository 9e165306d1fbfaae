package stowage.exact.search.clause;

import java.util.Arrays;
import stowage.exact.search.model.SearchModel;

/** Which buffers are live together, as lists, and what each section leaves of the capacity. */
final class LiveSets {
  final int count;
  final int sections;
  final int[] size;

  /** The buffers in each buffer's way. */
  final int[][] near;

  /** The buffers live in each section, in no order. */
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
    int[] found = new int[count];
    for (int i = 0; i < count; i++) {
      size[i] = (int) model.size[i];
      int kept = 0;
      for (int j = 0; j < count; j++) {
        if (i != j && model.conflict(i, j)) {
          found[kept++] = j;
        }
      }
      near[i] = Arrays.copyOf(found, kept);
    }
    int[] many = new int[sections];
    for (int p = 0; p < model.spanStart.length; p++) {
      for (int section = model.spanStart[p]; section < model.spanEnd[p]; section++) {
        many[section]++;
      }
    }
    live = new int[sections][];
    for (int section = 0; section < sections; section++) {
      live[section] = new int[many[section]];
    }
    for (int i = 0; i < count; i++) {
      for (int p = model.firstPiece[i]; p < model.firstPiece[i + 1]; p++) {
        for (int section = model.spanStart[p]; section < model.spanEnd[p]; section++) {
          live[section][--many[section]] = i;
        }
      }
    }
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

  /** Marks the sections in which a buffer is live. */
  void mark(int buffer, boolean[] marked) {
    for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
      Arrays.fill(marked, model.spanStart[p], model.spanEnd[p], true);
    }
  }
}

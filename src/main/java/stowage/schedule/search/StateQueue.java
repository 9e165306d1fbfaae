package stowage.schedule.search;

import java.util.Arrays;

/**
 * The downsets still to be looked at: by the peak on the way there; of equal ones the deepest, then
 * the one with fewer live bytes, then the latest. A binary heap that knows where each downset is,
 * so that one reached again on a better way moves up. O(log n) a call.
 */
final class StateQueue {
  private final StateStore store;
  private int[] heap = new int[1 << 10];
  private int[] place = new int[1 << 10];
  private int size;

  StateQueue(StateStore store) {
    this.store = store;
  }

  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Adds a downset just added to the store, or moves one up whose peak has fallen. */
  void put(int state) {
    if (state >= place.length) {
      place = Arrays.copyOf(place, Math.max(state + 1, 2 * place.length));
    }
    boolean waiting = place[state] < size && heap[place[state]] == state;
    if (!waiting) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      place[state] = size++;
    }
    int at = place[state];
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!before(state, heap[parent])) {
        break;
      }
      set(at, heap[parent]);
      at = parent;
    }
    set(at, state);
  }

  int take() {
    int first = heap[0];
    int moved = heap[--size];
    int at = 0;
    while (size > 0) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], moved)) {
        break;
      }
      set(at, heap[child]);
      at = child;
    }
    set(at, moved);
    return first;
  }

  private void set(int at, int state) {
    heap[at] = state;
    place[state] = at;
  }

  private boolean before(int a, int b) {
    if (store.peak(a) != store.peak(b)) {
      return store.peak(a) < store.peak(b);
    }
    if (store.depth(a) != store.depth(b)) {
      return store.depth(a) > store.depth(b);
    }
    return store.live(a) != store.live(b) ? store.live(a) < store.live(b) : a > b;
  }
}

package stowage.exact.presolve;

import java.util.Arrays;

/** The buffers of a component that can be exchanged with each other: equal in every way. */
public final class Interchangeable {
  private Interchangeable() {}

  /** Exchanges twins in a placement in units until in order; places are null for one memory. */
  public static void order(Component component, long[] offsets, int[] places) {
    int[] twins = component.twins();
    for (int i = 0; i < twins.length; i++) {
      // An insertion sort along the chain that ends here.
      for (int later = i; twins[later] >= 0; later = twins[later]) {
        int earlier = twins[later];
        int byPlace = places == null ? 0 : Integer.compare(places[earlier], places[later]);
        if (byPlace < 0 || (byPlace == 0 && offsets[earlier] <= offsets[later])) {
          break;
        }
        long offset = offsets[earlier];
        offsets[earlier] = offsets[later];
        offsets[later] = offset;
        if (places != null) {
          int place = places[earlier];
          places[earlier] = places[later];
          places[later] = place;
        }
      }
    }
  }

  /** For each buffer the last earlier one that is its equal in every way, or -1. */
  static int[] of(Component component) {
    int[] twins = new int[component.count()];
    // A hash table with open addressing: the signature and the last buffer that has it.
    int slots = Integer.highestOneBit(Math.max(1, component.count())) << 2;
    long[] signatures = new long[slots];
    int[] last = new int[slots];
    Arrays.fill(last, -1);
    for (int i = 0; i < component.count(); i++) {
      twins[i] = -1;
      if (component.fixedOffsets()[i] >= 0) {
        continue;
      }
      long signature = signature(component, i);
      int slot = (int) signature & (slots - 1);
      while (last[slot] >= 0 && signatures[slot] != signature) {
        slot = slot + 1 & (slots - 1);
      }
      if (last[slot] >= 0 && identical(component, last[slot], i)) {
        twins[i] = last[slot];
      }
      signatures[slot] = signature;
      last[slot] = i;
    }
    return twins;
  }

  private static long signature(Component component, int i) {
    long hash =
        component.sizes()[i] * 31 + component.allowed(i) * 7 + (component.withinBanks()[i] ? 3 : 0);
    for (int m = 0; m < component.memories(); m++) {
      hash = mix(hash + component.alignment(i, m));
    }
    for (int s = component.firstSpans()[i]; s < component.firstSpans()[i + 1]; s++) {
      hash =
          mix(mix(hash + component.spanStarts()[s]) + component.spanEnds()[s])
              + component.spanLows()[s] * 13
              + component.spanHighs()[s];
    }
    return mix(hash + Arrays.hashCode(component.extraConflicts(i)));
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 31) * 0x9e3779b97f4a7c15L;
    return mixed ^ mixed >>> 29;
  }

  private static boolean identical(Component component, int i, int j) {
    int spans = component.firstSpans()[i + 1] - component.firstSpans()[i];
    if (component.sizes()[i] != component.sizes()[j]
        || component.allowed(i) != component.allowed(j)
        || component.withinBanks()[i] != component.withinBanks()[j]
        || component.firstSpans()[j + 1] - component.firstSpans()[j] != spans
        || !Arrays.equals(component.extraConflicts(i), component.extraConflicts(j))) {
      return false;
    }
    for (int m = 0; m < component.memories(); m++) {
      if (component.alignment(i, m) != component.alignment(j, m)) {
        return false;
      }
    }
    for (int k = 0; k < spans; k++) {
      int s = component.firstSpans()[i] + k;
      int t = component.firstSpans()[j] + k;
      if (component.spanStarts()[s] != component.spanStarts()[t]
          || component.spanEnds()[s] != component.spanEnds()[t]
          || component.spanLows()[s] != component.spanLows()[t]
          || component.spanHighs()[s] != component.spanHighs()[t]) {
        return false;
      }
    }
    return true;
  }
}

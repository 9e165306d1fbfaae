package stowage.exact.object;

import stowage.packing.RunControl;

/** A complete method for the least total of objects. */
public interface ObjectEngine {
  String name();

  /** Up to how many items it is worth trying. */
  int suitableItems();

  /**
   * Works on the incumbent's problem until it is closed or the control says stop. What it finds and
   * proves goes through the incumbent.
   */
  void run(ObjectIncumbent incumbent, RunControl control);
}

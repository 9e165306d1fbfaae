package stowage.importer.inductor;

import java.util.ArrayList;
import java.util.List;
import stowage.network.ElementType;

/** Memory that a wrapper allocates, or is given. */
final class Storage {
  final String name;
  final String device;
  ElementType type;
  long bytes = -1;

  /** The pool that it is a piece of, and where in it; null for memory of its own. */
  Storage pool;

  long offset;

  /** The tensor that is in it now, null before the first, and marks of later writes to it. */
  String tensor;

  final List<String> marks = new ArrayList<>();

  /** The op that made what is in it, where it came out of a call. */
  WrapperCode.Draft maker;

  Storage(String name, String device, ElementType type) {
    this.name = name;
    this.device = device;
    this.type = type;
  }
}

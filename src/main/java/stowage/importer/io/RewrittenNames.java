package stowage.importer.io;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Op;
import stowage.rewrite.Rewriting;

/**
 * Names that tensors of a rewritten network have in a file. A result of the network that is
 * computed again is returned from its last copy; in the file that copy has the result's own name,
 * which users know it by, and the first computation has the copy's.
 */
public final class RewrittenNames {
  private final Map<String, String> swapped = new HashMap<>();

  /** Finds the results that are computed again. */
  public RewrittenNames(Rewriting rewriting) {
    List<String> given = rewriting.given().outputs();
    List<String> written = rewriting.network().outputs();
    for (int k = 0; k < given.size(); k++) {
      if (!given.get(k).equals(written.get(k))) {
        swapped.put(given.get(k), written.get(k));
        swapped.put(written.get(k), given.get(k));
      }
    }
  }

  /** The name in the file of a tensor of the rewritten network. */
  public String of(String tensor) {
    return swapped.getOrDefault(tensor, tensor);
  }

  /** Whether an op is in the file as it was given. */
  public boolean isUnchanged(Op op, Op given) {
    return op.outputs().equals(given.outputs())
        && op.inputs().equals(given.inputs())
        && op.attributes().equals(given.attributes())
        && op.inputs().stream().noneMatch(swapped::containsKey)
        && op.outputs().stream().noneMatch(swapped::containsKey);
  }
}

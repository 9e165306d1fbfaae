package stowage.planning.fit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Network;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;

/**
 * What an answer says of ops that are computed again.
 *
 * @param fixed why ops are never computed again, by name
 * @param proof what the bound of the extra compute rests on: {@code kind}, a word, and the contents
 *     of a certificate
 * @param checkpoints what checkpointing by rules reaches; empty without a curve
 */
public record RecomputeFacts(
    Map<String, String> fixed, Map<String, Object> proof, List<Checkpointing> checkpoints) {

  /**
   * A plan in which values are kept at checkpoints alone.
   *
   * @param rule how the checkpoints are chosen
   * @param peak in bytes
   * @param extra compute added
   */
  public record Checkpointing(String rule, long peak, long extra) {}

  /** How often ops of a rewriting's given network run again, by name; those that do. */
  public static Map<String, Integer> again(Rewriting rewriting) {
    Network given = rewriting.given();
    Map<String, Integer> times = new LinkedHashMap<>();
    for (OpOrigin origin : rewriting.ops()) {
      if (origin.copy() > 1) {
        times.merge(given.ops().get(origin.op()).name(), 1, Integer::sum);
      }
    }
    return times;
  }
}

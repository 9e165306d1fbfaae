package stowage.network;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * An accelerator as the planners need it: its lanes and banks, its alignments and its speeds.
 *
 * @param name lower case, such as {@code bm1684x}
 * @param lanes NPU lanes; channels are spread over them
 * @param vectorBytes bytes an execution unit takes at once in a lane (EU bytes); lane extents are
 *     rounded up to it
 * @param laneBytes local memory (LMEM) of one lane, in bytes
 * @param banks banks of one lane, all of the same size
 * @param dmaAlignment bytes a transfer is rounded up to; 1 when unknown
 * @param weightAlignment bytes that weights in GMEM are aligned to
 * @param activationAlignment bytes that activations in GMEM are aligned to and sized by
 * @param activationBase address where activations start, 0 when after the weights
 * @param sharedMemoryBytes on-chip memory shared by all lanes (L2 SRAM), 0 when there is none
 * @param fourNPacking whether small elements of four batches share a word (BM1684's 4N mode)
 * @param widthSlicing whether groups may be sliced along w and d
 * @param speed clock, compute and transfer rates
 * @param sources where each figure comes from, by field name; "assumed" where nothing is published
 */
public record Chip(
    String name,
    int lanes,
    int vectorBytes,
    long laneBytes,
    int banks,
    int dmaAlignment,
    int cores,
    long weightAlignment,
    long activationAlignment,
    long activationBase,
    long sharedMemoryBytes,
    boolean fourNPacking,
    boolean widthSlicing,
    Speed speed,
    Map<String, String> sources) {

  /**
   * How fast a chip computes and moves data.
   *
   * @param computeMegahertz clock of the compute units
   * @param macsPerCycleInt8 8-bit multiply-accumulates a cycle, over all lanes of a core
   * @param macsPerCycleFloat16 16-bit float multiply-accumulates a cycle
   * @param macsPerCycleFloat32 32-bit float multiply-accumulates a cycle
   * @param dramGigabytesPerSecond off-chip transfer rate, 10^9 bytes a second
   * @param dmaSetupCycles compute cycles a transfer costs before its first byte
   */
  public record Speed(
      double computeMegahertz,
      double macsPerCycleInt8,
      double macsPerCycleFloat16,
      double macsPerCycleFloat32,
      double dramGigabytesPerSecond,
      double dmaSetupCycles) {}

  /** The first generation of TPU-MLIR's CV18xx chips, by name. */
  private static final Set<String> CV18XX =
      Set.of("cv180x", "cv181x", "cv182x", "cv183x", "bm1880v2");

  /** Checks that the figures are possible. */
  public Chip {
    require(lanes >= 1, name, "lanes", lanes, "1 or more");
    require(vectorBytes >= 1, name, "vectorBytes", vectorBytes, "1 or more");
    require(laneBytes >= 1, name, "laneBytes", laneBytes, "1 or more");
    require(banks >= 1, name, "banks", banks, "1 or more");
    require(laneBytes % banks == 0, name, "laneBytes", laneBytes, "a multiple of banks " + banks);
    String divisor = "a divisor of the bytes of a bank, " + laneBytes / banks;
    require(laneBytes / banks % vectorBytes == 0, name, "vectorBytes", vectorBytes, divisor);
    require(dmaAlignment >= 1, name, "dmaAlignment", dmaAlignment, "1 or more");
    require(cores >= 1, name, "cores", cores, "1 or more");
    require(weightAlignment >= 1, name, "weightAlignment", weightAlignment, "1 or more");
    require(
        activationAlignment >= 1, name, "activationAlignment", activationAlignment, "1 or more");
    require(activationBase >= 0, name, "activationBase", activationBase, "0 or more");
    require(sharedMemoryBytes >= 0, name, "sharedMemoryBytes", sharedMemoryBytes, "0 or more");
    sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
  }

  private static void require(boolean holds, String chip, String field, long value, String right) {
    if (!holds) {
      throw new InvalidNetworkException(
          "chip \"" + chip + "\": " + field + " " + value + " should be " + right);
    }
  }

  /**
   * Whether it belongs to what TPU-MLIR calls the BM1684X family: all but BM1684 and the first
   * CV18xx. Slices of the others may not start at 0 twice nor end where the one before ends.
   */
  public boolean isBm1684xFamily() {
    return !fourNPacking && !CV18XX.contains(name);
  }

  /** Bytes of one bank of a lane. */
  public long bankBytes() {
    return laneBytes / banks;
  }
}

package stowage.onchip.layer;

import java.util.Set;
import stowage.network.Chip;

/** What follows from which family a chip belongs to. */
public final class ChipTraits {
  /** The first generation of TPU-MLIR's CV18xx chips, by name. */
  private static final Set<String> CV18XX =
      Set.of("cv180x", "cv181x", "cv182x", "cv183x", "bm1880v2");

  private ChipTraits() {}

  /**
   * Whether a chip belongs to what TPU-MLIR calls the BM1684X family: all but BM1684 and the first
   * CV18xx. Slices of the others may not start at 0 twice nor end where the one before ends.
   */
  public static boolean isBm1684xFamily(Chip chip) {
    return !chip.fourNPacking() && !CV18XX.contains(chip.name());
  }
}

package stowage.onchip.search;

import java.util.Arrays;
import java.util.Locale;
import stowage.onchip.slice.BackwardSlicer;

/**
 * How groups are to be built.
 *
 * @param slicing how slice counts are found
 * @param objective what is to be low
 * @param overlapLimit whether a group may not read more than half of an input's rows twice
 * @param rowsOnly whether the batch and the rows alone are cut
 */
public record GroupOptions(
    Lmem lmem,
    SlicingSearch slicing,
    GroupObjective objective,
    boolean overlapLimit,
    boolean rowsOnly) {

  /** Options that let every axis be cut. */
  public GroupOptions(
      Lmem lmem, SlicingSearch slicing, GroupObjective objective, boolean overlapLimit) {
    this(lmem, slicing, objective, overlapLimit, false);
  }

  /** How addresses in LMEM are found. */
  public enum Lmem {
    /** As TPU-MLIR's manual describes it. */
    DOCUMENT,
    /** As TPU-MLIR does today. */
    TODAY,
    /** By search, with proofs. */
    EXACT
  }

  /** How slice counts are found. */
  public enum SlicingSearch {
    /** The first of a few that fits. */
    QUICK,
    /** The cheapest of all. */
    EXACT
  }

  /** What is to be low. */
  public enum GroupObjective {
    /** Bytes moved between GMEM and LMEM. */
    TRAFFIC,
    /** Cycles of the cost model. */
    CYCLES,
    /** Bytes a lane in use: groups as for traffic, but cut so that the peak is low. */
    LMEM_PEAK;

    /** The name on the command line. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The objective of a label; a fault names the value and all labels. */
    public static GroupObjective ofLabel(String label) {
      return Arrays.stream(values())
          .filter(objective -> objective.label().equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "objective \"" + label + "\" should be traffic, cycles or lmem-peak"));
    }
  }

  public GroupOptions with(SlicingSearch other) {
    return new GroupOptions(lmem, other, objective, overlapLimit, rowsOnly);
  }

  /** The same with other addresses; those of the document are held to the overlap limit. */
  public GroupOptions with(Lmem other) {
    return new GroupOptions(
        other, slicing, objective, overlapLimit || other == Lmem.DOCUMENT, rowsOnly);
  }

  /** Whether every way of running a group that others may find is a way under these, too. */
  public boolean include(GroupOptions others) {
    return objective == others.objective
        && (lmem == others.lmem || lmem == Lmem.EXACT)
        && (slicing == others.slicing || slicing == SlicingSearch.EXACT)
        && (!overlapLimit || others.overlapLimit)
        && (!rowsOnly || others.rowsOnly);
  }

  /** Whether addresses are found by search. */
  public boolean isExact() {
    return lmem == Lmem.EXACT;
  }

  /** The rules of slicing that follow. */
  public BackwardSlicer.Rules rules() {
    return new BackwardSlicer.Rules(lmem != Lmem.DOCUMENT, overlapLimit, rowsOnly);
  }
}

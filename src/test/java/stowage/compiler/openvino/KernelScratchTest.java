package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.network.ElementType;
import stowage.network.Graphs;

class KernelScratchTest {
  /** An op with its inputs of floats, and what it asks for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Detection sorts the scores of every class: 100 priors shared by 3 classes give 2 · 3 ·
        // 100
        // entries of 10 bytes, 2 · (3 + 2) integers.
        "l:2x400 s:2x300 p:1x2x400 | DetectionOutput l s p | [6000, 40]",
        "l:2x400 s:2x300 p:1x2x400 | DetectionOutput l s p decrease_label_id=true"
            + " | [6000, 6000, 40]",
        // Locations of each of 5 classes: 20 priors.
        "l:2x400 s:2x300 p:1x2x400 | DetectionOutput l s p share_location=false num_classes=5"
            + " | [2000, 56]",
        // Suppression keeps two lists of 2 · 3 · 50 boxes, each of 12 bytes.
        "b:2x50x4 s:2x3x50 | NonMaxSuppression b s | [3600, 3600, 24]",
        // Other ops and odd shapes are left as they are.
        "a:2x50x4 | Conv a | []",
        "a:2 | DetectionOutput a | []",
        "a:2x50x4 | NonMaxSuppression a | []"
      })
  void scratchFollowsFromShapesAndAttributes(String inputs, String op, String scratch) {
    Graphs graph = Graphs.of(ElementType.F32, inputs + "; y:7 = " + op + "; -> y");
    String added = KernelScratch.added(graph.network()).ops().get(0).scratch().toString();
    assertEquals(scratch, added);
  }
}

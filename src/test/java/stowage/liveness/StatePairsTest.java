package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.Refusals;
import stowage.network.Graphs;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.LiveRange;

/** Inputs and outputs that are one place: which pairs patterns name, and the buffers they get. */
class StatePairsTest {
  /** Layers that append to caches: x, and past.k of 64 bytes to present.k of 80. */
  private static Network decoder(int layers) {
    Graphs graph = Graphs.of("x:16");
    for (int k = 0; k < layers; k++) {
      String before = k == 0 ? "x" : "h" + (k - 1);
      String layer =
          "past.K.key:64; present.K.key:80 = Any past.K.key B; hK:16 = Any present.K.key B";
      graph.and(layer.replace("K", "" + k).replace("B", before) + "; -> present." + k + ".key");
    }
    return graph.and("-> h" + (layers - 1)).network();
  }

  private static final LivenessOptions OPTIONS = LivenessOptions.defaults().withAlignments(16, 16);

  @Test
  void aPairIsOneBufferHeldThroughout() {
    Network network = decoder(2);
    PlanningCase apart = Liveness.of(network, OPTIONS);
    PlanningCase joined =
        Liveness.of(network, OPTIONS.withAliases(List.of("past.*.key=present.*.key")));
    assertEquals(apart.problem().size() - 2, joined.problem().size());
    assertEquals(joined.problem().size(), joined.contents().size());
    int found = 0;
    for (int b = 0; b < joined.problem().size(); b++) {
      Buffer buffer = joined.problem().buffer(b);
      List<String> tensors =
          joined.contents().get(b).parts().stream().map(PlanningCase.Part::tensor).toList();
      assertEquals(buffer.id(), tensors.get(0));
      if (buffer.id().startsWith("past.")) {
        assertEquals(80, buffer.size());
        assertEquals(new LiveRange(0, 4), buffer.live());
        assertEquals(List.of(buffer.id(), buffer.id().replace("past", "present")), tensors);
        found++;
      }
    }
    assertEquals(2, found);
  }

  @Test
  void conflictsOfOtherOrdersStayWithTheirBuffers() {
    Network network = decoder(3);
    LivenessOptions open = OPTIONS.withOrder(LivenessOptions.Order.OUT_OF_ORDER);
    PlanningCase apart = Liveness.of(network, open);
    PlanningCase joined =
        Liveness.of(network, open.withAliases(List.of("past.1.key=present.1.key")));
    for (int a = 0; a < joined.problem().size(); a++) {
      for (int b = 0; b < a; b++) {
        String first = joined.problem().buffer(a).id();
        String second = joined.problem().buffer(b).id();
        boolean kept = first.equals("past.1.key") || second.equals("past.1.key");
        assertEquals(
            !kept
                && apart.problem().conflicts().contains(index(apart, first), index(apart, second)),
            joined.problem().conflicts().contains(a, b));
      }
    }
  }

  private static int index(PlanningCase planned, String id) {
    return planned.problem().buffers().stream().map(Buffer::id).toList().indexOf(id);
  }

  @Test
  void whatPairsNothingIsRefused() {
    refused("past.*", "INPUT=OUTPUT");
    refused("past.*=present", "as many *");
    refused("pst.*.key=present.*.key", "no graph input is called \"pst.*.key\"; graph inputs: ");
    refused("past.*.key=next.*.key", "\"next.0.key\", which is no graph output");
    LivenessOptions outside =
        OPTIONS
            .withInputs(LivenessOptions.Inputs.CALLER)
            .withAliases(List.of("past.*.key=present.*.key"));
    Refusals.says(
        InvalidNetworkException.class, () -> Liveness.of(decoder(1), outside), "has no place");
  }

  @Test
  void noInputOrOutputIsInThePlaceOfTwo() {
    Network two = Graphs.of("a:16; b:16; y:16 = Any a b; z:16 = Any b; -> y z").network();
    for (String second : List.of("b=y", "a=z")) {
      Refusals.says(
          InvalidNetworkException.class,
          () -> Liveness.of(two, OPTIONS.withAliases(List.of("a=y", second))),
          "in another pair");
    }
    assertEquals(1, StatePairs.of(two, List.of("a=y", "a=y")).size());
    // c is where its view y is, and v, which is kept to the end, where a is.
    Network views =
        Graphs.of("a:16; c:16; y:4x4 = Reshape c; v:4x4 = Reshape a; z:16 = Any a; -> y v z")
            .network();
    LivenessOptions shared = OPTIONS.withInPlace(LivenessOptions.InPlace.VIEWS);
    LivenessOptions none = OPTIONS.withInPlace(LivenessOptions.InPlace.NONE);
    for (String pair : List.of("a=y", "a=z")) {
      Refusals.says(
          InvalidNetworkException.class,
          () -> Liveness.of(views, shared.withAliases(List.of(pair))),
          "another input or output shares it");
      Liveness.of(views, none.withAliases(List.of(pair)));
    }
    Liveness.of(views, shared.withAliases(List.of("a=v")));
  }

  private static void refused(String alias, String part) {
    Refusals.says(
        InvalidNetworkException.class, () -> StatePairs.of(decoder(1), List.of(alias)), part);
  }
}

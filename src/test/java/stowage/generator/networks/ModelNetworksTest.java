package stowage.generator.networks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import stowage.compiler.core.HullList;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.LoadProfile;

class ModelNetworksTest {
  private static final Path FOLDER = Path.of("models/networks");

  @ParameterizedTest
  @EnumSource
  void theFileIsWhatTheSourceWritesAndIsReadBackSo(ModelNetworks model) throws IOException {
    Path file = FOLDER.resolve(model.label() + ".json");
    assertEquals(
        NetworkJson.text(model.network()),
        Files.readString(file),
        () -> file + " differs from its source; ModelNetworks.main writes it anew");
    Network network = NetworkJson.read(file);
    assertEquals(model.label(), network.name());
    assertArrayEquals(IntStream.range(0, network.ops().size()).toArray(), network.executionOrder());
    assertEquals(NetworkJson.text(model.network()), NetworkJson.text(network));
  }

  /**
   * Parameters against published figures. BatchNorm has a factor and a summand a channel; folded
   * into a convolution only a summand is left, so each channel that it follows counts one less.
   */
  @ParameterizedTest
  @CsvSource({
    // torchvision's weights, as its documentation lists them
    "RESNET50,     25557032, 26560",
    "MOBILENET_V2,  3504872, 17056",
    "DENSENET121,   7978856,  7488",
    // torchvision's 27161264 without the auxiliary classifier's 3326696
    "INCEPTION_V3, 23834568, 17216",
    // as printed by the release itself for the network with BatchNorm folded
    "YOLO,          7225885, 0",
    // the encoder with embeddings and pooler, as published weights have them
    "BERT,        109482240, 0",
    // two blocks of 12 * 768 * 768 weights, 13 * 768 summands and factors
    "GPT_BLOCK,    14175744, 0"
  })
  void parametersAreThoseThatArePublished(ModelNetworks model, long published, long folded) {
    assertEquals(published - folded, NetworkGeneratorsTest.parameters(model.network()));
  }

  @Test
  void unetHasTheLayersOfItsPaper() {
    Network unet = ModelNetworks.UNET.network();
    assertEquals(List.of(1L, 2L, 388L, 388L), unet.tensor("classes").shape());
    assertEquals(List.of(1L, 1024L, 28L, 28L), unet.tensor("bottom.conv2").shape());
    assertEquals(List.of(1L, 1024L, 56L, 56L), unet.tensor("up4.concat").shape());
    long convolutions = unet.ops().stream().filter(op -> op.type().startsWith("Conv")).count();
    assertEquals(23, convolutions);
  }

  /** The bytes alive at the widest step, added up by hand. */
  @Test
  void loadsAreWhatTheWidestStepHolds() {
    // The first residual sum: two operands and a result of 256 x 56 x 56.
    assertEquals(3 * 4 * 256 * 56 * 56, load(ModelNetworks.RESNET50));
    // The first strided depthwise convolution: 96 x 112 x 112 to 96 x 56 x 56.
    assertEquals(4 * 96 * (112 * 112 + 56 * 56), load(ModelNetworks.MOBILENET_V2));
    // The first SiLU: 32 x 320 x 320 twice.
    assertEquals(2 * 4 * 32 * 320 * 320, load(ModelNetworks.YOLO));
    // The third convolution: 32 and 64 channels of 147 x 147.
    assertEquals(
        HullList.roundUp(4 * 32 * 147 * 147, 4096) + HullList.roundUp(4 * 64 * 147 * 147, 4096),
        load(ModelNetworks.INCEPTION_V3));
  }

  private static long load(ModelNetworks model) {
    PlanningCase planning = Liveness.of(model.network(), LivenessOptions.defaults());
    return LoadProfile.of(planning.problem()).maxLoad();
  }
}

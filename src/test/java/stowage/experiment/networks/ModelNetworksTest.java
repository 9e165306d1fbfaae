package stowage.experiment.networks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stowage.importer.NetworkJson;
import stowage.network.Network;
import stowage.network.Tensor;

class ModelNetworksTest {
  private static final Path FOLDER = Path.of("models/networks");

  @ParameterizedTest
  @EnumSource
  void theFileIsWhatTheSourceWrites(ModelNetworks model) throws IOException {
    Path file = FOLDER.resolve(model.label() + ".json");
    assertEquals(
        NetworkJson.text(model.network()),
        Files.readString(file),
        () -> file + " differs from its source; ModelNetworks.main writes it anew");
  }

  @ParameterizedTest
  @EnumSource
  void theFileIsReadBackAsItWasWritten(ModelNetworks model) {
    Network network = NetworkJson.read(FOLDER.resolve(model.label() + ".json"));
    assertEquals(model.label(), network.name());
    assertTrue(network.isOrdered());
    assertEquals(NetworkJson.text(model.network()), NetworkJson.text(network));
  }

  @Test
  void resnet50HasThePublishedParameters() {
    // torchvision publishes 25,557,032, where each of the 26,560 channels that BatchNorm follows
    // has a factor and a summand; folded, only a bias is left of the two.
    assertEquals(25_557_032 - 26_560, parameters(ModelNetworks.RESNET50.network()));
  }

  private static long parameters(Network network) {
    return network.tensors().values().stream()
        .filter(Tensor::isWeight)
        .mapToLong(Tensor::elements)
        .sum();
  }
}

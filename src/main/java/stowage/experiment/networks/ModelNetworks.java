package stowage.experiment.networks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import stowage.importer.own.NetworkJson;
import stowage.network.Network;

/**
 * The networks that are under {@code models/networks}. All have BatchNorm folded into the
 * convolution before it and ReLU fused into the op before it, as compilers have them when they plan
 * memory, and 32-bit floats.
 */
public enum ModelNetworks {
  /** Read at a glance. */
  TINY("tiny", ImageNetworks::tiny),
  /** Residual blocks: short parallel branches. */
  RESNET50("resnet50", ImageNetworks::resnet50),
  /** Wide and narrow by turns, depthwise convolutions. */
  MOBILENET_V2("mobilenet_v2", ImageNetworks::mobilenetV2),
  /** Up to four parallel branches a block. */
  INCEPTION_V3("inception_v3", InceptionV3::network),
  /** Every result grows the next by a concat. */
  DENSENET121("densenet121", ImageNetworks::densenet121),
  /** Long lives across the whole network. */
  UNET("unet", DenseImageNetworks::unet),
  /** A neck that goes up and down again, and three outputs. */
  YOLO("yolo", DenseImageNetworks::yolo),
  /** A transformer's encoder. */
  BERT("bert", LanguageNetworks::bert),
  /** A transformer's decoder with a cache. */
  GPT_BLOCK("gpt_block", LanguageNetworks::gptBlock);

  private final String label;
  private final Supplier<Network> source;

  ModelNetworks(String label, Supplier<Network> source) {
    this.label = label;
    this.source = source;
  }

  /** The name of its file, without {@code .json}. */
  public String label() {
    return label;
  }

  /** Builds the network. */
  public Network network() {
    return source.get();
  }

  /**
   * Writes all of them again.
   *
   * @param arguments the folder, {@code models/networks} if there is none
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments.length > 0 ? arguments[0] : "models/networks");
    Files.createDirectories(folder);
    for (ModelNetworks model : List.of(values())) {
      NetworkJson.write(model.network(), folder.resolve(model.label + ".json"));
    }
  }
}

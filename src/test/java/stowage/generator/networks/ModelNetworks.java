package stowage.generator.networks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import stowage.importer.own.NetworkJson;
import stowage.network.ElementType;
import stowage.network.Network;

/**
 * The networks that are under {@code models/networks}: some written out from their papers, the
 * others made by {@link NetworkGenerators}. Except for the steps of training all have BatchNorm
 * folded into the convolution before it, and ReLU fused into the op before it where that has no
 * other reader, as compilers have them when they plan memory; all have 32-bit floats.
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
  GPT_BLOCK("gpt_block", LanguageNetworks::gptBlock),
  /** Cells found by a search: many branches that meet in sums. */
  NASNET("nasnet", "nasnet", "stem=cifar image=32 cells=1 channels=32 classes=10"),
  /** Other cells. */
  AMOEBANET("amoebanet", "amoebanet", "stem=cifar image=32 cells=1 channels=36 classes=10"),
  /** Other cells. */
  DARTS("darts", "darts", "stem=cifar image=32 cells=1 channels=36 classes=10"),
  /** Other cells. */
  PNASNET("pnasnet", "pnasnet", "stem=cifar image=32 cells=1 channels=48 classes=10"),
  /** Stages wired at random. */
  RANDWIRE("randwire", "randwire", "node=sum-apart nodes=32"),
  /** Small dense cells with many concats. */
  SWIFTNET("swiftnet", "swiftnet", "seed=3 nodes=16"),
  /** Branches of several sizes side by side. */
  HRNET("hrnet", "hrnet", "modules=2 blocks=1"),
  /** A pyramid with three heads on each of five levels. */
  DETECTOR("detector", "detector", "depth=18 heads=3 tower=2 image=256"),
  /** A step of training by plain gradient descent. */
  TRAIN_RESNET18("train_resnet18", "resnet", "training=sgd batch=2 image=64 classes=200"),
  /** A step of training with Adam. */
  TRAIN_TRANSFORMER(
      "train_transformer", "transformer", "training=adam layers=2 batch=4 vocabulary=2048"),
  /** A step of training with Adam, with long lives between both halves. */
  TRAIN_UNET("train_unet", "unet", "training=adam levels=3 channels=16 image=128"),
  /** A step of training with momentum. */
  TRAIN_MLP("train_mlp", "mlp", "training=momentum layers=8 batch=64");

  private final String label;
  private final Supplier<Network> source;

  ModelNetworks(String label, String generator, String parameters) {
    this.label = label;
    this.source = () -> NetworkGenerators.named(generator).generate(label, values(parameters));
  }

  /** Values by name, from {@code name=value} words. */
  private static Map<String, String> values(String words) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String word : words.split(" ")) {
      values.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    }
    return values;
  }

  ModelNetworks(String label, Consumer<NetworkBuilder> layers) {
    this.label = label;
    this.source =
        () -> {
          NetworkBuilder net = new NetworkBuilder(label, ElementType.F32);
          layers.accept(net);
          return net.build();
        };
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

package stowage.generator.networks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import stowage.generator.Generator;
import stowage.generator.Parameter;
import stowage.generator.ParameterValues;
import stowage.network.ElementType;
import stowage.network.Network;

/**
 * All families of networks that are built from parameters, by name; a new one is one more row.
 *
 * <p>Each takes {@code batch}, {@code training} (what {@link TrainingGraph} makes of the network)
 * and {@code updates} besides its own parameters.
 */
public final class NetworkGenerators {
  private static final Parameter IMAGE = number("image", 224, "rows and columns of the image");
  private static final Parameter CLASSES = number("classes", 1000, "number of classes");

  private static final List<Generator<Network>> ALL =
      List.of(
          row(
              "nasnet",
              "NASNet-A: Zoph, Vasudevan, Shlens, Le, CVPR 2018, doi 10.1109/CVPR.2018.00907.",
              (net, values) -> CellNetwork.build(net, CellNetwork.Cells.NASNET_A, values),
              cells(4, 44)),
          row(
              "amoebanet",
              "AmoebaNet-A: Real, Aggarwal, Huang, Le, AAAI 2019, doi"
                  + " 10.1609/aaai.v33i01.33014780.",
              (net, values) -> CellNetwork.build(net, CellNetwork.Cells.AMOEBANET_A, values),
              cells(4, 50)),
          row(
              "darts",
              "The cells found by DARTS: Liu, Simonyan, Yang, ICLR 2019, arXiv:1806.09055.",
              (net, values) -> CellNetwork.build(net, CellNetwork.Cells.DARTS, values),
              cells(4, 48)),
          row(
              "pnasnet",
              "PNASNet-5: Liu et al., ECCV 2018, doi 10.1007/978-3-030-01246-5_2.",
              (net, values) -> CellNetwork.build(net, CellNetwork.Cells.PNASNET, values),
              cells(3, 54)),
          row(
              "randwire",
              "Randomly wired stages: Xie, Kirillov, Girshick, He, ICCV 2019,"
                  + " doi 10.1109/ICCV.2019.00137; graphs of Watts and Strogatz.",
              RandomNetworks::wired,
              Parameter.SEED,
              number("nodes", 32, "nodes of a stage"),
              number("stages", 3, "stages, each of half the rows and columns"),
              number("neighbours", 4, "neighbours of a node before edges are rewired, even"),
              new Parameter("rewiring", 0.75, "probability that an edge is rewired"),
              number("channels", 78, "channels of the first stage"),
              new Parameter("spread", false, "whether the channels of nodes vary by half"),
              new Parameter(
                  "node",
                  "separable",
                  "ops of a node: one-op, sum-apart (sum, convolution), or separable (sum,"
                      + " depthwise and pointwise convolution)"),
              IMAGE,
              CLASSES),
          row(
              "swiftnet",
              "Small cells of densely and randomly connected convolutions in the manner of"
                  + " SwiftNet: Cheng et al., arXiv:1906.08305.",
              RandomNetworks::swift,
              Parameter.SEED,
              number("cells", 3, "cells, each of half the rows and columns"),
              number("nodes", 12, "convolutions of a cell"),
              number("channels", 12, "channels of a convolution in the first cell"),
              number("image", 224, "rows and columns of the image"),
              number("classes", 2, "number of classes")),
          row(
              "random-graph",
              "A random graph of ops with weights, each of which reads one or two results of"
                  + " recent ones.",
              RandomNetworks::graph,
              Parameter.SEED,
              number("nodes", 60, "ops"),
              number("reach", 8, "how many results back an op mostly reads")),
          row(
              "hrnet",
              "HRNet: Wang et al., TPAMI 2020, doi 10.1109/TPAMI.2020.2983686.",
              PyramidNetworks::hrnet,
              number("width", 18, "channels of the finest branch"),
              number("modules", 4, "modules of the third stage; the fourth has one less"),
              number("blocks", 4, "residual blocks of a branch in a module"),
              number("image", 256, "rows and columns of the image"),
              number("classes", 19, "classes of a pixel")),
          row(
              "detector",
              "A feature pyramid on ResNet with several heads per level: Lin et al., ICCV 2017,"
                  + " doi 10.1109/ICCV.2017.324.",
              PyramidNetworks::detector,
              number("depth", 50, "layers of the backbone: 18, 34, 50 or 101"),
              number("heads", 2, "heads per level, each of its own convolutions"),
              number("tower", 4, "convolutions of a head"),
              number("image", 512, "rows and columns of the image"),
              number("classes", 80, "number of classes")),
          row(
              "resnet",
              "ResNet: He, Zhang, Ren, Sun, CVPR 2016, doi 10.1109/CVPR.2016.90.",
              TrainedNetworks::resnet,
              number("depth", 18, "layers: 18, 34, 50 or 101"),
              IMAGE,
              CLASSES),
          row(
              "unet",
              "U-Net with padded convolutions: Ronneberger, Fischer, Brox, MICCAI 2015,"
                  + " doi 10.1007/978-3-319-24574-4_28.",
              TrainedNetworks::unet,
              number("levels", 4, "times that rows and columns are halved"),
              number("channels", 32, "channels of the first level"),
              number("image", 256, "rows and columns of the image, a multiple of 2^levels"),
              number("classes", 2, "classes of a pixel")),
          row(
              "transformer",
              "A decoder-only transformer: Radford et al., OpenAI 2019 (GPT-2).",
              TrainedNetworks::transformer,
              number("layers", 4, "layers"),
              number("width", 256, "numbers a token"),
              number("heads", 4, "heads of attention; the width is a multiple of them"),
              number("tokens", 128, "tokens of a text"),
              number("vocabulary", 8192, "size of the vocabulary, in tokens")),
          row(
              "mlp",
              "Layers of equal width, each followed by a ReLU.",
              TrainedNetworks::mlp,
              number("layers", 10, "layers"),
              number("width", 1024, "numbers of a layer"),
              number("classes", 10, "number of classes")));

  private NetworkGenerators() {}

  private static Parameter number(String name, long standard, String meaning) {
    return new Parameter(name, standard, meaning + ", 1 or more");
  }

  private static Parameter[] cells(long stacked, long channels) {
    return new Parameter[] {
      number("cells", stacked, "normal cells between two that halve rows and columns"),
      number("channels", channels, "channels of the first cells"),
      new Parameter("stem", "imagenet", "imagenet (two halving cells first) or cifar"),
      IMAGE,
      CLASSES
    };
  }

  private static Generator<Network> row(
      String name,
      String summary,
      BiFunction<Layers, ParameterValues, Network> maker,
      Parameter... own) {
    List<Parameter> parameters = new ArrayList<>(List.of(own));
    parameters.add(number("batch", 1, "images or texts of a run"));
    parameters.add(
        new Parameter(
            "training",
            "none",
            "none, gradients (gradients are outputs), sgd, momentum or adam (each parameter is"
                + " updated in place)"));
    parameters.add(
        new Parameter("updates", "end", "updates at the end, or at-once after each gradient"));
    return new Generator<>(
        name,
        summary,
        parameters,
        (label, values) -> {
          TrainingGraph.Optimizer optimizer =
              values.oneOf("training", TrainingGraph.Optimizer.class);
          boolean trained = optimizer != TrainingGraph.Optimizer.NONE;
          Layers layers = new Layers(new NetworkBuilder(label, ElementType.F32), trained);
          Network network = maker.apply(layers, values);
          return trained
              ? TrainingGraph.of(
                  network, optimizer, values.oneOf("updates", TrainingGraph.Updates.class))
              : network;
        });
  }

  public static List<Generator<Network>> all() {
    return ALL;
  }

  /** Whether there is a generator of a name. */
  public static boolean isKnown(String name) {
    return ALL.stream().anyMatch(generator -> generator.name().equals(name));
  }

  /** The generator of a name; a fault names those there are. */
  public static Generator<Network> named(String name) {
    return Generator.named(ALL, name);
  }

  /**
   * Builds a network by a generator's name; parameters that are absent have their standard value,
   * and a fault names unknown ones and those out of range.
   */
  public static Network generate(String generator, Map<String, ?> parameters) {
    return named(generator).generate(parameters);
  }
}

package stowage.onchip;

import java.util.Random;
import stowage.network.Chip;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.search.GroupOptions;

/** Small networks of random shapes. */
public final class RandomNets {
  private RandomNets() {}

  /** Options of groups of the least traffic. */
  public static GroupOptions traffic(GroupOptions.Lmem lmem, GroupOptions.SlicingSearch slicing) {
    return new GroupOptions(lmem, slicing, GroupOptions.GroupObjective.TRAFFIC, false);
  }

  /** A chain of convolutions, additions over a skip, and pools. */
  public static Network chain(Random random) {
    Graphs nets = Graphs.of(ElementType.F16, "t0:1x8x32x32");
    long channels = 8;
    long rows = 32;
    String last = "t0";
    String skip = null;
    for (int k = 1; k <= 7; k++) {
      String name = "t" + k;
      String op;
      int kind = random.nextInt(4);
      if (kind == 0 && skip != null) {
        op = " = Add %s %s".formatted(last, skip);
      } else if (kind == 1 && rows > 4) {
        rows /= 2;
        op = " = MaxPool %s kernel_shape=[2,2] strides=[2,2]".formatted(last);
        skip = null;
      } else {
        long before = channels;
        channels = 4L * (1 + random.nextInt(6));
        op = " = Conv %s window=3,1,1".formatted(last);
        skip = before == channels ? last : null;
      }
      nets.and("%s:1x%dx%dx%d".formatted(name, channels, rows, rows) + op);
      last = name;
    }
    return nets.and("-> " + last).network();
  }

  /** The layers of a chain on a chip. */
  public static LayerGraph layers(long seed, Chip chip) {
    return LayerGraph.of(chain(new Random(seed)), chip);
  }
}

package stowage.onchip;

import java.util.List;
import java.util.Map;
import java.util.Random;
import stowage.network.ElementType;
import stowage.network.Network;

/** Small networks of random shapes. */
public final class RandomNets {
  private RandomNets() {}

  /** A chain of convolutions, additions over a skip, and pools. */
  public static Network chain(Random random) {
    Nets nets = new Nets(ElementType.F16).input("t0", 1, 8, 32, 32);
    long channels = 8;
    long rows = 32;
    String last = "t0";
    String skip = null;
    for (int k = 1; k <= 7; k++) {
      String name = "t" + k;
      int kind = random.nextInt(4);
      if (kind == 0 && skip != null) {
        nets.op(name, "Add", Map.of(), List.of(last, skip), 1, channels, rows, rows);
      } else if (kind == 1 && rows > 4) {
        rows /= 2;
        Map<String, Object> pool =
            Map.of("kernel_shape", Nets.shape(2, 2), "strides", Nets.shape(2, 2));
        nets.op(name, "MaxPool", pool, List.of(last), 1, channels, rows, rows);
        skip = null;
      } else {
        long before = channels;
        channels = 4L * (1 + random.nextInt(6));
        nets.conv(name, last, 3, 1, 1, 1, channels, rows, rows);
        skip = before == channels ? last : null;
      }
      last = name;
    }
    return nets.build(last);
  }
}

package stowage.onchip;

import java.util.Map;
import stowage.network.Chip;

/** Chips for tests. */
public final class Chips {
  private static final Chip.Speed SPEED = new Chip.Speed(1000, 16384, 8192, 1024, 64, 300);

  private Chips() {}

  public static Chip bm1684x() {
    return chip("bm1684x", 64, 64, 262144, 16, 512, true);
  }

  public static Chip bm1688() {
    return chip("bm1688", 32, 16, 131072, 16, 512, false);
  }

  public static Chip cv184x() {
    return chip("cv184x", 8, 16, 65536, 16, 256, false);
  }

  static Chip cv181x() {
    return chip("cv181x", 8, 16, 32768, 8, 1, false);
  }

  public static Chip chip(
      String name, int lanes, int vector, long lane, int banks, int dma, boolean width) {
    return new Chip(
        name, lanes, vector, lane, banks, dma, 1, 4096, 4096, 0, 0, false, width, SPEED, Map.of());
  }
}

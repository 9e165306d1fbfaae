package stowage.heuristic;

/**
 * Anneals over orders: two buffers alive together change places in the order, and a worse result is
 * kept with a probability that falls as the run continues.
 *
 * <p>Source: Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing (1983, doi
 * 10.1126/science.220.4598.671). A result worse by the share w is kept with probability exp(-w /
 * t), with t falling linearly from 1 % to 0. Start: the best of greedy by size, urgency and area,
 * first fit. Half of the swaps take a buffer that reaches the peak. Each step is one decoding; see
 * {@link OrderSearch} for when it ends.
 */
public final class OrderAnnealing extends OrderSearch {
  private static final double START_TEMPERATURE = 0.01;

  @Override
  public String name() {
    return "annealing";
  }

  @Override
  public String summary() {
    return "Swaps buffers in the order, keeps worse results ever less often";
  }

  @Override
  void improve(Walk walk) {
    while (!walk.isOver()) {
      Walk.State before = walk.state();
      int first =
          walk.random.nextBoolean()
              ? walk.criticalPosition()
              : walk.random.nextInt(walk.order.length);
      int second = walk.neighbourPosition(first);
      walk.order[first] = before.order()[second];
      walk.order[second] = before.order()[first];
      double temperature = START_TEMPERATURE * walk.budgetLeft();
      walk.decode();
      double worse = Walk.worsening(before.score(), walk.score);
      if (worse > 0 && walk.random.nextDouble() >= StrictMath.exp(-worse / temperature)) {
        walk.restore(before);
      }
    }
  }
}

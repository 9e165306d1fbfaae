package stowage.exact.search.clause;

/** How often each buffer took part in failures, late ones counting more than early ones. */
final class Activity {
  private static final double DECAY = 0.95;
  private static final double MOST = 1e100;

  private final double[] activity;
  private double step = 1;

  Activity(int count) {
    activity = new double[count];
  }

  void bump(int buffer) {
    activity[buffer] += step;
    if (activity[buffer] > MOST) {
      for (int i = 0; i < activity.length; i++) {
        activity[i] /= MOST;
      }
      step /= MOST;
    }
  }

  /** Makes failures from now on count more. */
  void age() {
    step /= DECAY;
  }

  double of(int buffer) {
    return activity[buffer];
  }
}

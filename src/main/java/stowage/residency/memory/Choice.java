package stowage.residency.memory;

/**
 * What a residency plan decides before addresses, for each item and event.
 *
 * @param fast whether the buffer is in the fast memory
 * @param kept whether it stays there until the next event
 * @param early whether its place is taken a step before the event, so that it can be fetched while
 *     that step runs
 * @param late whether its place is held a step longer, so that it can be written back while that
 *     step runs
 */
public record Choice(boolean[][] fast, boolean[][] kept, boolean[][] early, boolean[][] late) {

  /** A choice without places held for transfers. */
  public static Choice of(ResidencyProblem problem, boolean[][] fast, boolean[][] kept) {
    return new Choice(fast, kept, problem.none(), problem.none());
  }

  /** Whether a fetch precedes an event. */
  public boolean fetches(ResidencyProblem problem, int i, int e) {
    Item item = problem.items().get(i);
    boolean before = e > 0 && kept[i][e - 1];
    return fast[i][e] && !before && (e > 0 || item.given() && item.home() >= 0);
  }

  /** Whether a write-back follows each event of an item. */
  public boolean[] writesBack(ResidencyProblem problem, int i) {
    Item item = problem.items().get(i);
    int events = item.events().size();
    boolean[] back = new boolean[events];
    boolean stale = false;
    for (int e = 0; e < events; e++) {
      boolean before = e > 0 && kept[i][e - 1];
      boolean after = e + 1 < events && kept[i][e];
      boolean writes = item.events().get(e).writtenBytes() > 0;
      stale = fast[i][e] && (before && stale || writes);
      back[e] = stale && !after && item.home() >= 0 && (e + 1 < events || item.wanted());
      stale &= after;
    }
    return back;
  }

  /**
   * The same choice with places held for transfers wherever the capacity allows, in the order of
   * steps; for maps with a DMA channel.
   */
  public Choice overlapped(ResidencyProblem problem) {
    long[] loads = problem.loads(fast, kept);
    long capacity = problem.map().fast().capacity();
    Choice made = of(problem, fast, kept);
    for (int i = 0; i < fast.length; i++) {
      Item item = problem.items().get(i);
      boolean[] back = writesBack(problem, i);
      for (int e = 0; e < fast[i].length; e++) {
        int step = item.events().get(e).step();
        int free = e == 0 ? -1 : item.events().get(e - 1).step();
        if (fetches(problem, i, e)
            && step - 1 > free
            && loads[step - 1] + item.bytes() <= capacity) {
          made.early[i][e] = true;
          loads[step - 1] += item.bytes();
        }
        int next = e + 1 < fast[i].length ? item.events().get(e + 1).step() - 1 : problem.steps();
        if (back[e] && step + 1 < next && loads[step + 1] + item.bytes() <= capacity) {
          made.late[i][e] = true;
          loads[step + 1] += item.bytes();
        }
      }
    }
    return made;
  }
}

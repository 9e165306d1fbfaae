package stowage.rewrite;

/**
 * The price of one run in pieces.
 *
 * @param extraMacs multiply-accumulates of all pieces, less those of the given ops
 * @param movedBytes bytes that added ops write: slices, pads, concatenations
 * @param program the steps, by which live bytes can be summed up
 */
public record RunCost(long extraMacs, long movedBytes, RunProgram program) {

  /**
   * The price of a choice. O(ops * pieces * operands).
   *
   * @throws BarrierException naming an op that cannot be run in these pieces, and why
   */
  public static RunCost of(SplitModel model, RunSplit run) throws BarrierException {
    return of(model.run(run), run);
  }

  /**
   * The same, for a run that was looked through before: its ops, axes and form of padding are the
   * choice's.
   *
   * @throws BarrierException when a piece needs nothing of an op, or lies in padding alone
   */
  public static RunCost of(RunModel model, RunSplit run) throws BarrierException {
    RunProgram program = model.program(run.axes(), run.topDown());
    long given = 0;
    for (int i = 0; i < model.ops.length; i++) {
      given += MacCount.of(model.network, model.op(i));
    }
    return new RunCost(program.macs() - given, program.movedBytes(), program);
  }
}

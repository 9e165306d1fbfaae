package stowage.rewrite;

/**
 * The price of one run in pieces.
 *
 * @param extraMacs multiply-accumulates of all pieces, less those of the given ops
 * @param movedBytes bytes that added ops write: slices, pads, concatenations
 * @param program the steps, by which live bytes can be summed up
 */
public record RunCost(long extraMacs, long movedBytes, RunProgram program) {

  /** The price of a choice. */
  public static RunCost of(SplitModel model, RunSplit run) throws BarrierException {
    return of(model.run(run), run);
  }

  /** The same, for a run of the choice's ops, axes and padding that was looked through before. */
  public static RunCost of(RunModel model, RunSplit run) throws BarrierException {
    RunProgram program = model.program(run.axes(), run.topDown());
    long given = 0;
    for (int i = 0; i < model.ops.length; i++) {
      given += MacCount.of(model.network, model.op(i));
    }
    return new RunCost(program.macs() - given, program.movedBytes(), program);
  }
}

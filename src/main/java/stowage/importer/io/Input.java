package stowage.importer.io;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import stowage.network.Baseline;
import stowage.network.Network;
import stowage.packing.PackingProblem;

/** What an input file holds: buffers with given live ranges, or a network. */
public sealed interface Input {
  /**
   * A list of buffers.
   *
   * @param remarks what a user should know of how the file was read, a sentence each
   * @param baseline where the tool that wrote the file put the buffers, if the file says
   * @param dump the file where it has several parts, else null
   * @param part which of them this is
   */
  record Packing(
      PackingProblem problem,
      List<String> remarks,
      Optional<PackingBaseline> baseline,
      ToolDump dump,
      int part)
      implements Input {

    /** A list without a plan of another tool. */
    public Packing(PackingProblem problem, List<String> remarks) {
      this(problem, remarks, Optional.empty(), null, 0);
    }

    /** A list with the plan that its writer made. */
    public Packing(PackingProblem problem, List<String> remarks, PackingBaseline baseline) {
      this(problem, remarks, Optional.of(baseline), null, 0);
    }

    Packing among(ToolDump whole, int index) {
      return new Packing(problem, remarks, baseline, whole, index);
    }

    /** A list that was read without anything to remark. */
    public Packing(PackingProblem problem) {
      this(problem, List.of());
    }
  }

  /**
   * A network.
   *
   * @param baseline where the tool that wrote the file put the tensors, if the file says
   * @param placedByRuntime tensors that the run-time places itself whatever a plan says, around
   *     what the plan placed
   */
  record Graph(Network network, Optional<Baseline> baseline, Set<String> placedByRuntime)
      implements Input {

    public Graph {
      placedByRuntime = Set.copyOf(placedByRuntime);
    }

    /** A network whose run-time follows a plan in all. */
    public Graph(Network network, Optional<Baseline> baseline) {
      this(network, baseline, Set.of());
    }

    /** A network whose file carries no plan. */
    public Graph(Network network) {
      this(network, Optional.empty());
    }
  }
}

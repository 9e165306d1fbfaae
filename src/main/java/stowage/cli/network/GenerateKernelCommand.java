package stowage.cli.network;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.generator.kernel.KernelGenerator;
import stowage.importer.kernel.KernelFiles;
import stowage.network.kernel.KernelGraph;

/** {@code stowage generate-kernel}: writes a generated kernel graph. */
@Command(
    name = "generate-kernel",
    description = "Writes a kernel graph of a blocked matrix product, attention or convolution.",
    hidden = true)
public final class GenerateKernelCommand extends BaseCommand {
  /** Which kernel. */
  enum Kind {
    MATMUL(List.of("m", "n", "k", "side", "operand", "result")),
    ATTENTION(List.of("queries", "keys", "block", "scores")),
    CONVOLUTION(
        List.of("bands", "reach", "inputs", "outputs", "band", "weights", "operand", "result"));

    private final List<String> parameters;

    Kind(List<String> parameters) {
      this.parameters = parameters;
    }
  }

  private static final int MOST = 1_000_000;

  @Parameters(paramLabel = "matmul|attention|convolution", description = "The kind of kernel.")
  Kind kind;

  @Option(
      names = "--size",
      required = true,
      split = ",",
      paramLabel = "N",
      description = {
        "matmul: blocks m,n,k, then units of a block in L1, in L0A and L0B, in L0C.",
        "attention: blocks of queries, of keys, units of a block, units of its scores.",
        "convolution: bands, reach, blocks of input and of output channels, units of a band, of"
            + " weights, in L0A and L0B, in L0C."
      })
  int[] size;

  @Writes
  @Option(
      names = {"--out", "-o"},
      required = true,
      paramLabel = "FILE",
      description = "The JSON file, - for stdout.")
  Path out;

  @Option(
      names = "--json",
      description = "Print one JSON object on stdout that says what was written, and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    UsageException.when(
        size.length != kind.parameters.size(),
        "--size should have %s numbers, %s; it has %s"
            .formatted(kind.parameters.size(), String.join(", ", kind.parameters), size.length));
    UsageException.when(
        Arrays.stream(size).anyMatch(n -> n < 0 || n > MOST) || size[0] < 1,
        "--size should have numbers from 1 to " + MOST);
    KernelGraph graph =
        switch (kind) {
          case MATMUL ->
              KernelGenerator.matmul(size[0], size[1], size[2], size[3], size[4], size[5]);
          case ATTENTION -> KernelGenerator.attention(size[0], size[1], size[2], size[3]);
          default ->
              KernelGenerator.convolution(
                  size[0], size[1], size[2], size[3], size[4], size[5], size[6], size[7]);
        };
    WrittenFile.write(spec, out, stream -> KernelFiles.write(graph, stream), List.of(), json);
    if (!json) {
      String size = graph.nodes().size() + " nodes, " + graph.buffers().size() + " buffers";
      say("it has " + size);
    }
    return ExitCode.OK;
  }
}

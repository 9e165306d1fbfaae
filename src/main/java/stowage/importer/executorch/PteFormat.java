package stowage.importer.executorch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.InputException;
import stowage.importer.io.Suggestion;
import stowage.importer.io.ToolDump;

/**
 * ExecuTorch programs ({@code .pte}) as the buffers of their memory plans, see {@link PteProblem}.
 * All methods are one problem; {@code --module} takes one method alone.
 */
public final class PteFormat extends DumpFormat {
  public PteFormat() {
    super("a program of ExecuTorch", Set.of(Feature.MODULES, Feature.PLANS), ".pte");
  }

  @Override
  public List<String> writePlan(Path model, Planned plan, Path target) throws IOException {
    PteExport.write(model, plan.module(), plan.offsets(), plan.memories(), target);
    return List.of();
  }

  @Override
  public ToolDump open(Path file, Options options) {
    PteProgram program = PteProgram.read(file);
    List<String> methods = program.methods().stream().map(PteProgram.Method::name).toList();
    if (!options.module().isEmpty() && !methods.contains(options.module())) {
      String what = "there is no such method%s";
      throw new InputException(
          file, "--module " + options.module(), what, Suggestion.advice(options.module(), methods));
    }
    PteProblem problem = PteProblem.of(program, options.module());
    String name = options.module().isEmpty() ? problem.input().problem().name() : options.module();
    ToolDump.Part part = new ToolDump.Part(name, name, 1, counts(program, options.module()));
    return new ToolDump("program", List.of(part), index -> problem.input());
  }

  private static Map<String, Long> counts(PteProgram program, String module) {
    List<PteProgram.Method> methods =
        program.methods().stream()
            .filter(method -> module.isEmpty() || method.name().equals(module))
            .toList();
    List<PteProgram.Instruction> instructions =
        methods.stream().flatMap(method -> method.instructions().stream()).toList();
    long delegates =
        instructions.stream().filter(one -> one.kind() == PteProgram.Kind.DELEGATE).count();
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("methods", (long) methods.size());
    counts.put("values", methods.stream().mapToLong(method -> method.values().size()).sum());
    counts.put("instructions", (long) instructions.size());
    counts.put("delegate calls", delegates);
    return counts;
  }
}

package stowage.cli.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.importer.InputFormats;
import stowage.importer.io.DumpFormat;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.PackingBaseline;
import stowage.importer.io.ToolDump;
import stowage.liveness.PlanningCase;
import stowage.packing.ByteText;
import stowage.report.plan.BuffersText;
import stowage.report.plan.NetworkText;

/** {@code stowage show}: what an input is, and why its memory is what it is. */
@Command(
    name = "show",
    description = "Summarises a model or a list of buffers and what is live at the peak.")
public final class ShowCommand extends JsonCommand {
  @Mixin FormattedInputOptions input;

  @Override
  public Integer call() {
    ProblemLoader loader = new ProblemLoader(input);
    PlanningCase planningCase;
    try {
      planningCase = loader.load().planningCase();
    } catch (InputException nothing) {
      return listModules(nothing);
    }
    if (loader.read() instanceof Input.Packing packing) {
      BuffersText text = new BuffersText(planningCase.problem());
      return answer(json ? json(text, packing) : plain(text, packing));
    }
    NetworkText text =
        new NetworkText(
            planningCase.network(),
            planningCase.order(),
            planningCase.problem(),
            planningCase::tensors);
    return answer(json ? text.json() : text.plain());
  }

  /**
   * Lists the modules of a dump in which nothing is planned, unless the failure has another reason.
   */
  private int listModules(InputException failure) {
    DumpFormat format =
        input.input.equals(InputOptions.STDIN) ? null : InputFormats.dumpFormatOf(input.input);
    ToolDump dump = format == null || json ? null : format.open(input.input, input.reading());
    int part = dump == null ? -1 : dump.indexOf(input.module);
    if (part < 0 || dump.parts().get(part).weight() > 0) {
      throw failure;
    }
    input.warn(failure.getMessage());
    return answer(DumpAudit.table(dump, part));
  }

  private static String plain(BuffersText text, Input.Packing packing) {
    StringBuilder said = new StringBuilder(text.plain());
    if (packing.baseline().isPresent()) {
      PackingBaseline baseline = packing.baseline().get();
      said.append("\nplan in the file, by ").append(baseline.source()).append(": ");
      said.append(ByteText.both(baseline.headline(packing.problem()))).append(", ");
      said.append(baseline.status(packing.problem())).append('\n');
    }
    if (packing.dump() != null) {
      said.append('\n').append(DumpAudit.table(packing.dump(), packing.part()));
      if (packing.dump().parts().size() > 1) {
        said.append("\n* is read; --module NAME reads another\n");
      }
    }
    return said.toString();
  }

  private static String json(BuffersText text, Input.Packing packing) {
    ObjectNode root = text.json();
    if (packing.baseline().isPresent()) {
      PackingBaseline baseline = packing.baseline().get();
      ObjectNode plan = root.putObject("baseline").put("source", baseline.source());
      plan.put("peak", baseline.headline(packing.problem()));
      plan.put("status", baseline.status(packing.problem()));
    }
    if (packing.dump() != null) {
      root.put("module", packing.dump().parts().get(packing.part()).name());
      root.set("modules", DumpAudit.modules(packing.dump().parts()));
    }
    return root.toPrettyString();
  }

  private int answer(String text) {
    printLines(text);
    return ExitCode.OK;
  }
}

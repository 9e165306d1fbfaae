package stowage.cli.input;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import stowage.cli.terminal.UsageException;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.own.Chips;
import stowage.importer.tpumlir.TpuMlirFile;
import stowage.network.Chip;
import stowage.network.CompiledNetwork;
import stowage.network.Network;
import stowage.onchip.FileGroup;
import stowage.onchip.layer.LayerGraph;

/**
 * A network to divide into layer groups: the TPU-MLIR file with its groups, or null; the network
 * with its plan, null for a TPU-MLIR file that is not yet lowered to a chip.
 */
public record GroupSource(
    Path input, TpuMlirFile file, CompiledNetwork compiled, Input.Graph graph) {
  /** Reads it; {@code format} is null for the one of the file's name. */
  public static GroupSource read(Path input, String format, Map<String, Long> dimensions) {
    String extension = InputOptions.extension(input, format);
    return InputFormats.withFile(
        input, extension, file -> read(input, file, extension, dimensions));
  }

  private static GroupSource read(
      Path input, Path file, String extension, Map<String, Long> dimensions) {
    String name = extension.isEmpty() ? file.toString().toLowerCase(Locale.ROOT) : extension;
    if (name.endsWith(".mlir") && dimensions.isEmpty()) {
      TpuMlirFile opened = TpuMlirFile.open(file);
      CompiledNetwork compiled = opened.compiled();
      return new GroupSource(input, opened, compiled, isForAChip(compiled) ? opened.graph() : null);
    }
    Input read =
        InputFormats.read(file, new InputFormat.Options(false, dimensions, null, extension, ""));
    if (read instanceof Input.Graph graph) {
      return new GroupSource(input, null, null, graph);
    }
    throw new InputException(
        file, "", "holds buffers without a network; groups need a network's ops");
  }

  /** The network as the groups see it. */
  public Network network() {
    return compiled == null ? graph.network() : compiled.network();
  }

  /** Whether the file was compiled for a chip; one that is not yet lowered names none. */
  public boolean isForAChip() {
    return isForAChip(compiled);
  }

  private static boolean isForAChip(CompiledNetwork compiled) {
    return compiled != null && !compiled.chip().equals("all");
  }

  /** The chip of a name, or the one that the file was compiled for where that is null. */
  public Chip chip(String name) {
    if (name != null) {
      return Chips.load(name);
    }
    UsageException.when(!isForAChip(), "--chip is needed: see stowage list chips");
    if (!Chips.names().contains(compiled.chip())) {
      String what =
          "is compiled for \"%s\", a chip that is not known; describe it in a file like those of"
              + " `stowage list chips` and give that with --chip FILE.json";
      throw new InputException(input, "", what, compiled.chip());
    }
    return Chips.load(compiled.chip());
  }

  /** The file's groups that our rules can judge, as {@link FileGroup#all}. */
  public Map<Integer, FileGroup> groups(LayerGraph network, Map<Integer, String> others) {
    return compiled != null && compiled.chip().equals(network.chip().name())
        ? FileGroup.all(network, compiled, others)
        : Map.of();
  }
}
